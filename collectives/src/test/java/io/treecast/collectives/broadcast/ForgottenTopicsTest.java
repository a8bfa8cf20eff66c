package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Topics that are neither wanted nor published on, and of which nothing is retained. */
class ForgottenTopicsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long REVIEW = 10 * SECOND;
  private static final StreamId T = new StreamId(A, FIRST_START, "t");

  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay = relay(SMALL);
  private long nanos;
  private long interests;

  /** Returns the root of a tree with a and b, which want no topic. */
  private BroadcastRelay relay(BroadcastLimits limits) {
    BroadcastRelay root = Examples.relayThatHeardNothing(limits, effects, A, B);
    root.received(A, new Interest(1, 1, List.of(), List.of(), false, true));
    root.received(B, new Interest(1, 1, List.of(), List.of(), false, true));
    effects.take();
    return root;
  }

  private void pass(BroadcastRelay of, long duration) {
    for (long end = nanos + duration; nanos < end; ) {
      nanos = Math.min(end, nanos + REVIEW);
      of.tick(nanos);
    }
    effects.take();
  }

  private void passIdleTime() {
    pass(relay, Streams.IDLE_NANOS + 2 * REVIEW);
  }

  private List<StreamId> topics() {
    return relay.positions().stream()
        .map(StreamPosition::stream)
        .filter(StreamId::isOfTopic)
        .toList();
  }

  private static Chunk message(long sequence) {
    return message(T, sequence);
  }

  private static Chunk message(StreamId stream, long sequence) {
    return new Chunk(new MessageId(stream, sequence), 0, true, 1, bytes("x"));
  }

  /** Sets whether b wants the topic. */
  private void wants(boolean shall) {
    List<String> topic = List.of("t");
    List<String> none = List.of();
    relay.received(
        B,
        new Interest(1, ++interests + 1, shall ? topic : none, shall ? none : topic, false, true));
    effects.take();
  }

  private void subscribe(String topic) throws BroadcastRefusedException {
    relay.subscribe(1, SubscribeOptions.defaults().withTopics(Set.of(topic)));
    effects.take();
  }

  @Test
  void a_service_may_use_a_topic_for_each_job_for_ever() throws Exception {
    for (int job = 0; job < 1_000; job++) {
      relay.publish("job" + job, bytes("x"), 0, null);
      receive(relay, A, message(new StreamId(A, FIRST_START, "result" + job), 1));
      assertThat(effects.take()).noneMatch(line -> line.startsWith("dropped"));
      passIdleTime();
      assertThat(topics()).isEmpty();
    }
  }

  @Test
  void a_wanted_topic_is_not_forgotten() throws Exception {
    wants(true);
    receive(relay, A, message(1));
    relay.publish("t", bytes("x"), 0, null);
    relay.received(B, new Have(1, List.of(at(T, 2)), false, 0));
    relay.received(B, new Have(1, List.of(at(new StreamId(SELF, FIRST_START, "t"), 2)), false, 0));
    passIdleTime();
    assertThat(topics()).hasSize(2);

    wants(false);
    passIdleTime();
    assertThat(topics()).isEmpty();
  }

  private static StreamPosition at(StreamId stream, long sequence) {
    return new StreamPosition(stream, new Position(sequence, 0));
  }

  @Test
  void a_topic_is_not_forgotten_while_it_is_published_on() throws Exception {
    for (int i = 1; i <= 10; i++) {
      relay.publish("t", bytes("x"), 0, null);
      receive(relay, A, message(i));
      pass(relay, Streams.IDLE_NANOS - REVIEW);
    }
    assertThat(topics()).containsExactly(T, new StreamId(SELF, FIRST_START, "t"));
  }

  @Test
  void a_topic_is_not_forgotten_while_an_absent_member_lacks_some() throws Exception {
    receive(relay, A, message(1));
    relay.treeCommitted(star(A));
    pass(relay, Absences.PATIENCE_NANOS - REVIEW);
    assertThat(topics()).containsExactly(T);
  }

  @Test
  void a_topic_is_not_forgotten_while_an_upload_is_open() throws Exception {
    relay.uploads().begin(7, "t", 0);
    passIdleTime();
    relay.uploads().add(7, bytes("abcd"));
    relay.uploads().end(7, null);

    assertThat(effects.takeFlow()).contains("u7 ended");
    assertThat(topics()).containsExactly(new StreamId(SELF, FIRST_START, "t", 1));
  }

  @Test
  void a_forgotten_own_topic_continues_in_a_new_stream() throws Exception {
    MessageId before = relay.publish("t", bytes("x"), 0, null);
    passIdleTime();
    MessageId after = relay.publish("t", bytes("x"), 0, null);
    relay.uploads().begin(7, "t", 0);

    assertThat(before.lane()).isEqualTo(StreamId.WHOLE);
    assertThat(after)
        .isEqualTo(new MessageId(new StreamId(SELF, FIRST_START, "t", StreamId.LANES), 1));
    assertThat(after.stream().isOfUploads()).isFalse();
    StreamId lane = new StreamId(SELF, FIRST_START, "t", StreamId.LANES + 1);
    assertThat(lane.isOfUploads()).isTrue();
    assertThat(topics()).containsExactly(after.stream(), lane);
  }

  @Test
  void a_neighbour_that_remembers_a_forgotten_own_stream_breaks_no_rule() throws Exception {
    StreamId own = relay.publish("t", bytes("x"), 0, null).stream();
    StreamId later = new StreamId(SELF, FIRST_START, "u");
    passIdleTime();

    digest(relay, A, at(own, 2));
    relay.received(A, new Have(1, List.of(at(own, 2)), false, 0));
    receive(relay, A, message(own, 1));
    assertThat(effects.take()).noneMatch(line -> line.startsWith("violated"));

    relay.publish("u", bytes("x"), 0, null);
    receive(relay, A, message(new StreamId(SELF, FIRST_START, "u", StreamId.LANES), 2));
    assertThat(later.lane()).isZero();
    assertThat(effects.take()).anyMatch(line -> line.startsWith("violated by a"));
  }

  @Test
  void a_stream_that_another_continues_resumes_here_where_it_was() throws Exception {
    receive(relay, A, message(1));
    passIdleTime();
    subscribe("t");
    relay.received(A, new EdgeMessage.InterestKnown(3, List.of(), true));
    relay.received(B, new EdgeMessage.InterestKnown(4, List.of(), true));
    receive(relay, A, message(1));
    receive(relay, A, message(2));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.contains("s1"))
        .containsExactly("deliver to s1: a2.0 'x' last");
  }

  @Test
  void a_neighbour_that_lacks_some_of_a_forgotten_stream_gets_a_gap() throws Exception {
    LongStream.rangeClosed(1, 3).forEach(sequence -> receive(relay, A, message(sequence)));
    passIdleTime();
    digest(relay, B, at(T, 2));
    assertThat(effects.takeFlow()).isEmpty();

    relay.received(B, new Interest(1, 2, List.of("t"), List.of(), false, true));
    assertThat(effects.takeFlow()).contains("send to b: gap 2.0 to 4.0");
  }

  @Test
  void a_neighbour_that_wants_the_topic_by_then_gets_the_gap_when_another_remembers_it()
      throws Exception {
    LongStream.rangeClosed(1, 3).forEach(sequence -> receive(relay, A, message(sequence)));
    passIdleTime();
    wants(true);

    receive(relay, A, message(1));

    assertThat(effects.takeFlow()).contains("send to b: gap 1.0 to 4.0");
  }

  /** Leaves no room for another stream: a wants the topics of these. */
  private void fill() {
    relay.received(A, new Interest(1, 2, List.of("u", "v"), List.of(), false, true));
    for (String topic : List.of(Topic.DEFAULT, "u", "v")) {
      receive(relay, A, message(new StreamId(A, FIRST_START, topic), 1));
    }
    effects.take();
  }

  @Test
  void a_neighbour_gets_the_gap_though_there_is_no_room_for_the_stream() throws Exception {
    receive(relay, A, message(1));
    passIdleTime();
    wants(true);
    fill();

    receive(relay, A, message(1));
    receive(relay, A, message(1));

    assertThat(topics()).doesNotContain(T);
    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("send"))
        .containsExactly("send to b: gap 1.0 to 2.0");
  }

  @Test
  void the_root_places_a_forgotten_message_that_a_neighbour_asks_for() {
    receive(relay, A, message(1));
    passIdleTime();
    List<String> topic = List.of("t", Topic.orderOf("t"));
    relay.received(B, new Interest(1, 2, topic, List.of(), false, true));
    relay.received(B, new OrderTail(1, "t", List.of(), List.of(), true));
    effects.take();

    OrderPosition any = new OrderPosition(1, 1);
    StreamId neverHere = new StreamId(B, FIRST_START, "t");
    List<OrderEntry> lacking =
        List.of(new OrderEntry(any, T, 1), new OrderEntry(any, neverHere, 1));
    relay.received(B, new OrderNext(1, "t", lacking));
    relay.received(B, new OrderNext(1, "t", lacking));

    assertThat(topics()).isEmpty();
    assertThat(effects.takeFlow())
        .filteredOn(line -> line.matches("(order|send) to .*"))
        .containsExactly("order to b of v1: 1.1 is a1", "send to b: gap 1.0 to 2.0");
  }

  @Test
  void a_subscriber_that_comes_back_gets_a_gap_even_if_the_stream_continues() throws Exception {
    LongStream.rangeClosed(1, 3).forEach(sequence -> receive(relay, A, message(sequence)));
    passIdleTime();
    relay.subscribe(
        1,
        SubscribeOptions.defaults()
            .withTopics(Set.of("t"))
            .withStart(new SubscriptionStart.After(List.of(new MessageId(T, 1)))));
    assertThat(topics()).isEmpty();
    receive(relay, A, message(1)); // The sender waits for others to have it.
    receive(relay, A, message(4));
    assertThat(topics()).containsExactly(T);
    relay.received(A, new EdgeMessage.InterestKnown(3, List.of(), true));
    relay.received(B, new EdgeMessage.InterestKnown(4, List.of(), true));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("s1 missed") || line.contains("to s1"))
        .containsExactly("s1 missed a2 to 3", "deliver to s1: a4.0 'x' last");
  }

  private void goOnAfterTheFirst(long subscriber) throws BroadcastRefusedException {
    relay.subscribe(
        subscriber,
        SubscribeOptions.defaults()
            .withTopics(Set.of("t"))
            .withStart(new SubscriptionStart.After(List.of(new MessageId(T, 1)))));
  }

  /** Answers for the neighbour: of all three messages, it has either all or none. */
  private void answer(NodeId neighbour, long number, boolean has) {
    StreamPosition end = at(T, 4);
    Gap all = new Gap(T, Position.START, end.next(), 1);
    relay.received(
        neighbour,
        has
            ? new InterestKnown(number, List.of(end), true)
            : new InterestKnown(number, List.of(), List.of(all), true));
  }

  private List<String> reportedTo(String subscriber) {
    return effects.takeFlow().stream()
        .filter(line -> line.startsWith(subscriber) || line.contains("to " + subscriber))
        .toList();
  }

  @Test
  void content_forgotten_by_one_member_comes_from_another_that_has_it() throws Exception {
    goOnAfterTheFirst(1);
    answer(A, 3, false);
    answer(B, 4, true);
    receive(relay, B, new Gap(T, Position.START, new Position(2, 0), 1));
    receive(relay, B, message(2));
    receive(relay, B, message(3));

    assertThat(reportedTo("s1"))
        .containsExactly("deliver to s1: a2.0 'x' last", "deliver to s1: a3.0 'x' last");
  }

  /**
   * Begins a subscription to everything, of which another member has forgotten the beginning.
   *
   * @param number of the interest sent to a
   */
  private void begin(long number) throws BroadcastRefusedException {
    relay.subscribe(
        1,
        SubscribeOptions.defaults()
            .withTopics(Set.of("t"))
            .withStart(new SubscriptionStart.After(List.of())));
    Gap begin = new Gap(T, Position.START, new Position(1, 2), 1);
    relay.received(A, new InterestKnown(number, List.of(), List.of(begin), true));
    relay.received(B, new InterestKnown(number + 1, List.of(), true));
  }

  @Test
  void a_message_forgotten_in_part_is_missed_if_its_rest_does_not_come() throws Exception {
    begin(3);
    assertThat(reportedTo("s1")).as("the rest may come").isEmpty();

    receive(relay, A, new Gap(T, Position.START, new Position(3, 0), 1));

    assertThat(reportedTo("s1")).containsExactly("s1 missed a1 to 1", "s1 missed a2 to 2");
  }

  @Test
  void a_message_without_room_is_not_missed_in_silence() throws Exception {
    fill();
    begin(4);
    reportedTo("s1");

    receive(relay, A, new Gap(T, Position.START, new Position(3, 0), 1));

    assertThat(reportedTo("s1")).containsExactly("s1 missed a1 to 2");
  }

  @Test
  void a_holder_may_forget_a_stream_that_is_no_longer_wanted() throws Exception {
    goOnAfterTheFirst(1);
    answer(A, 3, false);
    answer(B, 4, true);
    relay.unsubscribe(1);
    effects.take();

    goOnAfterTheFirst(2);
    answer(A, 7, false);
    answer(B, 8, false);
    assertThat(reportedTo("s2")).containsExactly("s2 missed a2 to 3");
  }

  @Test
  void a_holder_of_a_stream_that_is_wanted_again_learns_that_it_is_here() throws Exception {
    for (int i = 1; i <= 3; i++) {
      receive(relay, A, message(i));
    }
    passIdleTime();
    subscribe("t");
    answer(A, 3, false);
    answer(B, 4, true);

    assertThat(topics()).containsExactly(T);
    relay.tick(nanos + 2 * Stability.INTERVAL_NANOS);
    assertThat(effects.takeFlow()).contains("stable to b of v1: a4.0");
  }

  @Test
  void the_rest_of_a_stream_that_is_here_is_missed() throws Exception {
    receive(relay, A, message(1));
    goOnAfterTheFirst(1);
    answer(A, 3, false);
    answer(B, 4, false);

    assertThat(reportedTo("s1")).containsExactly("s1 missed a2 to 3");
    assertThat(relay.positions()).contains(at(T, 4));
  }

  @Test
  void an_answer_also_names_streams_forgotten_behind_and_here() throws Exception {
    receive(relay, A, message(1));
    receive(relay, A, message(new StreamId(A, FIRST_START, "t", StreamId.LANES), 1));
    passIdleTime();
    relay.received(B, new Interest(1, 2, List.of("t"), List.of(), true, true));
    answer(A, 3, false);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("known"))
        .containsExactly("known to b: 2 gone a4.0 gone a2.0");
  }

  @Test
  void a_member_that_waits_for_others_learns_that_they_have_the_stream() throws Exception {
    receive(relay, A, message(1));
    passIdleTime();
    subscribe("t");
    receive(relay, A, message(1));

    assertThat(topics()).containsExactly(T);
    relay.tick(nanos + 2 * Stability.INTERVAL_NANOS);
    assertThat(effects.takeFlow()).contains("stable to a of v1: a2.0");
  }

  @Test
  void the_longest_idle_topic_makes_room_for_another() throws Exception {
    BroadcastRelay full = relay(SMALL.withRetainedBytes(SMALL.logBytes()));
    for (String topic : List.of("t", "u", "v")) {
      full.publish(topic, bytes("x"), 0, null);
    }
    pass(full, Streams.IDLE_NANOS - 2 * REVIEW);
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> full.publish("w", bytes("x"), 0, null))
        .returns(Reason.TOO_MANY_TOPICS, BroadcastRefusedException::reason);

    full.publish("t", bytes("x"), 0, null);
    pass(full, 4 * REVIEW);
    full.publish("w", bytes("x"), 0, null);

    assertThat(full.positions())
        .extracting(position -> position.stream().topic())
        .containsExactly("", "t", "v", "w");
  }

  @Test
  void an_unneeded_stream_makes_room_for_that_of_another_agent() throws Exception {
    BroadcastRelay full = relay(SMALL.withRetainedBytes(SMALL.logBytes()));
    for (String topic : List.of("t", "u", "v", "w")) {
      receive(full, A, message(new StreamId(A, FIRST_START, topic), 1));
      pass(full, 2 * REVIEW);
    }

    assertThat(full.counters().droppedItems()).isZero();
    assertThat(full.positions())
        .extracting(position -> position.stream().topic())
        .containsExactly("u", "v", "w", "");
  }
}
