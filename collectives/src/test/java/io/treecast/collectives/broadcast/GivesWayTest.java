package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.PLENTY;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.grant;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.position;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The stream of c, whose origin is gone, may give way to that of d, because {@code limits.origins}
 * is 3 here; a reader lacks some of its 15 messages.
 */
class GivesWayTest {
  private static final NodeId D = NodeId.of("d");
  private static final NodeId E = NodeId.of("e");
  private static final Pattern ASKS = Pattern.compile("interest to (\\w+) .* asks (\\d+)");

  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay = relay(SMALL, effects, A, B, C, D);

  private void fill() {
    receive(relay, A, message(A, 1, "x"));
    receive(relay, B, message(B, 1, "x"));
    for (int i = 1; i <= 15; i++) {
      receive(relay, C, message(C, i, "1234"));
    }
  }

  private void subscribe(SubscribeOptions options) throws BroadcastRefusedException {
    relay.subscribe(1, options);
  }

  private static SubscribeOptions slow(WhenSlow whenSlow) {
    return SubscribeOptions.defaults().withWhenSlow(whenSlow);
  }

  /** Another tree, without c. */
  private void leaveC() {
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, D).edges()));
    relay.activeEdges(nodes(A, B, D));
  }

  private List<NodeId> known() {
    return relay.positions().stream().map(position -> position.stream().origin()).toList();
  }

  /** Returns the subscriber's events since the last call, consuming until there are no more. */
  private List<String> consumeAll() {
    List<String> all = new ArrayList<>();
    List<String> news = take();
    while (!news.isEmpty()) {
      all.addAll(news);
      relay.consumed(1, news.stream().mapToLong(GivesWayTest::cost).sum());
      news = take();
    }
    return all;
  }

  private List<String> take() {
    return effects.take().stream().filter(line -> line.matches("(deliver to s1|s1).*")).toList();
  }

  private static long cost(String event) {
    return Chunk.cost(event.contains("'1234'") ? 4 : event.contains("'x'") ? 1 : 0);
  }

  @Test
  void a_subscriber_that_catches_up_gets_a_gap() throws Exception {
    isTold(WhenSlow.CATCH_UP);
  }

  @Test
  void a_subscriber_that_skips_gets_a_gap() throws Exception {
    isTold(WhenSlow.GAP);
  }

  private void isTold(WhenSlow whenSlow) throws Exception {
    subscribe(slow(whenSlow));
    fill();
    leaveC();

    receive(relay, D, message(D, 1, "x"));
    assertThat(known()).containsExactly(A, B, D, SELF);
    effects.take();
    relay.consumed(1, 10 * Chunk.cost(1));

    assertThat(effects.takeFlow())
        .containsSubsequence("s1 missed c9 to 15", "deliver to s1: d1.0 'x' last");
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.NOT_RETAINED, 7L);
  }

  @Test
  void a_subscriber_that_slows_publishers_and_reads_the_log_is_waited_for() throws Exception {
    fill();
    subscribe(slow(WhenSlow.SLOW_PUBLISHER).withStart(new SubscriptionStart.Retained()));
    leaveC();

    isWaitedFor();
  }

  @Test
  void a_subscriber_that_slows_publishers_in_total_order_is_waited_for() throws Exception {
    subscribe(SubscribeOptions.defaults().withTotalOrder());
    for (NodeId neighbour : List.of(A, B, C, D)) {
      relay.received(neighbour, new Interest(1, 1, List.of(), List.of(), false, true));
    }
    for (String effect : effects.take()) {
      Matcher asks = ASKS.matcher(effect);
      if (asks.matches()) {
        relay.received(
            NodeId.of(asks.group(1)),
            new InterestKnown(Long.parseLong(asks.group(2)), List.of(), true));
      }
    }
    fill();
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, D).edges()));
    relay.activeEdges(nodes(A, B, D));
    for (NodeId neighbour : List.of(A, B, D)) {
      relay.received(neighbour, new Interest(2, 2, List.of(), List.of(), false, true));
    }

    isWaitedFor();
  }

  private void isWaitedFor() {
    receive(relay, D, message(D, 1, "x"));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);
    assertThat(known()).containsExactly(A, B, C, SELF);

    assertThat(consumeAll()).anyMatch(line -> line.startsWith("deliver to s1: c15.0"));
    receive(relay, D, message(D, 2, "x"));

    assertThat(relay.counters().droppedItems()).as("as soon as it has all").isEqualTo(1);
    assertThat(known()).containsExactly(A, B, D, SELF);
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.NOT_RETAINED, 0L);
  }

  @Test
  void a_subscriber_that_leaves_makes_room() throws Exception {
    fill();
    subscribe(slow(WhenSlow.SLOW_PUBLISHER).withStart(new SubscriptionStart.Retained()));
    leaveC();
    receive(relay, D, message(D, 1, "x"));

    relay.unsubscribe(1);
    receive(relay, D, message(D, 2, "x"));

    assertThat(known()).containsExactly(A, B, D, SELF);
  }

  /** Commits a new tree, with e as a neighbour, which grants the given credit. */
  private void fillAndJoin(long bytes) {
    fill();
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, D, E).edges()));
    relay.activeEdges(nodes(A, B, D, E));
    relay.streamOpened(E, 0);
    attach(relay, E);
    grant(relay, E, bytes);
    effects.take();
  }

  @Test
  void a_neighbour_is_sent_a_gap() {
    fillAndJoin(4 * Chunk.cost(4));

    receive(relay, D, message(D, 1, "x"));
    effects.take();
    grant(relay, E, PLENTY);

    assertThat(effects.takeFlow())
        .containsExactly("send to e: gap 3.0 to 16.0", "send to e: d1.0 'x' last");
  }

  @Test
  void a_neighbour_is_sent_a_gap_on_its_next_data_stream() {
    fillAndJoin(4 * Chunk.cost(4));
    receive(relay, D, message(D, 1, "x"));

    relay.streamClosed(E);
    effects.take();
    open(relay, E);

    assertThat(effects.takeFlow()).contains("send to e: gap 1.0 to 16.0");
  }

  @Test
  void a_neighbour_that_was_away_meanwhile_and_knows_some_is_sent_a_gap() {
    fill();
    leaveC();
    receive(relay, D, message(D, 1, "x"));
    relay.treeCommitted(new CommittedTree(3, SELF, star(A, B, D, E).edges()));
    relay.activeEdges(nodes(A, B, D, E));
    effects.take();

    relay.streamOpened(E, 0);
    grant(relay, E, PLENTY);
    attach(relay, E, position(A, 2, 0), position(B, 2, 0), position(C, 6, 0));

    assertThat(effects.takeFlow())
        .containsExactly("grant e 2600", "send to e: gap 6.0 to 16.0", "send to e: d1.0 'x' last");
  }

  @Test
  void the_rest_of_a_message_is_awaited_until_it_is_abandoned() throws Exception {
    subscribe(SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "x"));
    receive(relay, B, message(B, 1, "x"));
    receive(relay, C, chunk(C, 1, 0, "1234"));
    leaveC();
    relay.tick(1);
    receive(relay, D, message(D, 1, "x"));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);
    effects.take();

    relay.tick(1 + Orphans.PATIENCE_NANOS);
    receive(relay, D, message(D, 2, "x"));

    assertThat(effects.takeFlow())
        .containsSubsequence("s1 abandoned c1", "deliver to s1: d2.0 'x' last");
    assertThat(known()).containsExactly(A, B, D, SELF);
  }

  @Test
  void a_subscriber_that_had_more_elsewhere_gets_no_message_twice() throws Exception {
    subscribe(
        SubscribeOptions.defaults()
            .withStart(new SubscriptionStart.After(List.of(new MessageId(C, 1, 16)))));
    fill();
    leaveC();
    receive(relay, D, message(D, 1, "x"));
    assertThat(known()).containsExactly(A, B, D, SELF);
    relay.treeCommitted(new CommittedTree(3, SELF, star(A, B, C).edges()));
    relay.activeEdges(nodes(A, B, C));
    consumeAll();

    receive(relay, C, message(C, 16, "x"));
    receive(relay, C, message(C, 17, "y"));

    assertThat(effects.takeFlow())
        .filteredOn(line -> line.startsWith("deliver"))
        .containsExactly("deliver to s1: c17.0 'y' last");
  }

  @Test
  void an_earlier_gap_is_still_sent_when_the_stream_is_here_again() throws Exception {
    subscribe(slow(WhenSlow.CATCH_UP));
    fill();
    leaveC();
    receive(relay, D, message(D, 1, "x"));
    relay.treeCommitted(new CommittedTree(3, SELF, star(A, B, C).edges()));
    relay.activeEdges(nodes(A, B, C));

    receive(relay, C, message(C, 16, "x"));

    assertThat(known()).containsExactly(A, B, C, SELF);
    assertThat(consumeAll())
        .containsSubsequence("s1 missed c9 to 15", "deliver to s1: c16.0 'x' last")
        .contains("s1 missed d1 to 1");
  }

  @Test
  void a_message_dropped_before_a_subscription_begins_is_not_due_to_it() throws Exception {
    StreamId topic = new StreamId(D, FIRST_START, "t");
    fill();
    subscribe(SubscribeOptions.defaults().withTopics(Set.of("t")));
    receive(relay, D, new Chunk(new MessageId(topic, 1), 0, true, 1, bytes("x")));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);
    leaveC();
    receive(relay, D, new Chunk(new MessageId(topic, 2), 0, true, 1, bytes("y")));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);
    for (NodeId neighbour : List.of(A, B, D)) {
      relay.received(neighbour, new Interest(2, 2, List.of(), List.of(), false, true));
    }
    for (NodeId neighbour : List.of(A, B, D)) {
      relay.received(neighbour, new InterestKnown(effects.asked(neighbour), List.of(), true));
    }

    assertThat(consumeAll())
        .noneMatch(line -> line.startsWith("s1 missed"))
        .anyMatch(line -> line.startsWith("deliver to s1: d2.0"));
  }

  @Test
  void no_more_streams_give_way_than_gaps_can_be_sent() throws Exception {
    subscribe(slow(WhenSlow.CATCH_UP));
    fill();
    leaveC();
    receive(relay, D, message(D, 1, "x"));
    receive(relay, D, restartOfD(2));
    receive(relay, D, restartOfD(3));
    assertThat(relay.counters().droppedItems()).isZero();

    receive(relay, D, restartOfD(4));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);

    assertThat(consumeAll())
        .contains("s1 missed c9 to 15")
        .filteredOn(l -> l.contains("d1"))
        .hasSize(3);
    receive(relay, D, restartOfD(4));
    assertThat(relay.counters().droppedItems()).isEqualTo(1);
  }

  /** Returns the first message of the next incarnation of d, which is known to have begun. */
  private Chunk restartOfD(long incarnation) {
    Chunk first = Examples.afterRestart(D, incarnation, "x");
    digest(relay, D, new StreamPosition(first.stream(), Position.START));
    return first;
  }
}
