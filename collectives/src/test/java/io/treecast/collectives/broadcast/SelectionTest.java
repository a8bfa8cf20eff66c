package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.topic.Interests.Wants;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Messages to selected members at the root of a tree with a and b. */
class SelectionTest {
  private static final long REVIEW = 10_000_000_000L;
  private static final String TO_A = Topic.to(List.of(A));

  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay = relay();
  private long nanos;

  private BroadcastRelay relay() {
    BroadcastRelay root = Examples.relayThatHeardNothing(SMALL, effects, A, B);
    root.received(A, new Interest(1, 1, List.of(), List.of(), false, true));
    root.received(B, new Interest(1, 1, List.of(), List.of(), false, true));
    effects.take();
    return root;
  }

  private void pass(long duration) {
    for (long end = nanos + duration; nanos < end; ) {
      nanos = Math.min(end, nanos + REVIEW);
      relay.tick(nanos);
    }
    effects.take();
  }

  private List<StreamId> topics() {
    return relay.positions().stream()
        .map(StreamPosition::stream)
        .filter(StreamId::isOfTopic)
        .toList();
  }

  private void publish(String topic) throws BroadcastRefusedException {
    relay.publish(topic, bytes("x"), 0, null);
  }

  @Test
  void a_selection_is_wanted_where_its_receivers_are() throws Exception {
    assertThat(relay.wants(TO_A)).isEqualTo(Wants.YES);
    assertThat(relay.wants(Topic.to(List.of(SELF)))).isEqualTo(Wants.YES);
    assertThat(relay.wants(Topic.to(List.of(NodeId.of("elsewhere"))))).isEqualTo(Wants.NO);

    publish(TO_A);

    assertThat(relay.topicsInUse())
        .filteredOn(use -> use.topic().equals(TO_A))
        .extracting(TopicUse::wantedBy)
        .containsExactly(new TreeSet<>(Set.of(A)));
  }

  @Test
  void before_a_neighbour_has_committed_the_tree_it_is_not_known_to_want_none() {
    BroadcastRelay root = Examples.relayThatHeardNothing(SMALL, effects, A, B);
    assertThat(root.wants(Topic.to(List.of(NodeId.of("elsewhere"))))).isEqualTo(Wants.UNKNOWN);
    assertThat(root.wants(TO_A)).isEqualTo(Wants.YES);
  }

  @Test
  void a_selection_ends_some_time_after_its_last_message_and_begins_again_on_another_stream()
      throws Exception {
    publish(TO_A);
    StreamId first = topics().get(0);
    pass(Streams.IDLE_NANOS - 2 * REVIEW);
    assertThat(topics()).containsExactly(first);

    pass(4 * REVIEW);
    assertThat(topics()).isEmpty();

    publish(TO_A);
    assertThat(topics()).singleElement().matches(again -> again.lane() > first.lane());
  }

  @Test
  void selections_count_as_topics_until_they_have_ended() throws Exception {
    for (int i = 0; i < SMALL.topics(); i++) {
      publish(Topic.to(List.of(A, NodeId.of("n" + i))));
    }
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> publish(TO_A))
        .returns(Reason.TOO_MANY_TOPICS, BroadcastRefusedException::reason);

    pass(Streams.IDLE_NANOS + 2 * REVIEW);
    publish(TO_A);
  }

  @Test
  void a_late_report_is_answered_although_the_selection_gave_way_to_other_streams() {
    BroadcastRelay root = Examples.relay(SMALL, effects, A, B, C);
    StreamId selection = new StreamId(C, 1, TO_A);
    Have have = new Have(1, List.of(new StreamPosition(selection, new Position(2, 0))), false, 0);
    receive(root, C, new Chunk(new MessageId(selection, 1), 0, true, 1, bytes("x")));
    root.received(A, have);
    root.received(C, have);
    root.tick(REVIEW);
    assertThat(effects.take()).contains("stable to a of v1: c2.0", "stable to c of v1: c2.0");
    for (NodeId other : List.of(A, B, C)) { // As many streams as there is room for.
      receive(root, other, message(other, 1, "x"));
    }
    assertThat(root.positions()).noneMatch(position -> position.stream().isOfTopic());
    effects.take();

    root.received(B, have);

    assertThat(effects.take()).contains("stable to b of v1: c2.0");
  }

  @Test
  void subscribers_of_the_named_topic_alone_get_a_selection_within_it() {
    SubscribeOptions ofTopic = SubscribeOptions.defaults().withTopics(Set.of("t"));
    StreamId within = new StreamId(A, 1, Topic.to(List.of(SELF)) + "/t");

    assertThat(ofTopic.wants(within, SELF)).isTrue();
    assertThat(ofTopic.wants(within, B)).isFalse();
    assertThat(ofTopic.withTotalOrder().wants(within, SELF)).isFalse();
    assertThat(SubscribeOptions.defaults().wants(within, SELF)).isFalse();
  }

  @Test
  void subscriptions_and_interests_name_no_selection() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubscribeOptions.defaults().withTopics(Set.of(TO_A)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Interest(1, 1, List.of(TO_A), List.of(), false, true));
  }
}
