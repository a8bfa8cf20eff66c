package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.attach;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.digest;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How members learn that an agent has restarted, which may publish nothing. */
class IncarnationsTest {
  private static final long LATER = 1_000 + Orphans.PATIENCE_NANOS;

  private final RecordingEffects effects = new RecordingEffects();

  private static StreamPosition start(NodeId origin, long incarnation) {
    return new StreamPosition(new StreamId(origin, incarnation), Position.START);
  }

  private List<String> digests() {
    return effects.take().stream().filter(line -> line.startsWith("digest")).toList();
  }

  @Test
  void an_unfinished_message_of_the_earlier_incarnation_is_abandoned_though_the_new_one_is_silent()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(C, 1, 0, "1234"));
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B, C).edges()));
    relay.tick(1_000);
    relay.tick(LATER);
    assertThat(effects.take()).doesNotContain("s1 abandoned c1");

    digest(relay, A, start(C, 77));
    relay.tick(LATER + 1);
    relay.tick(LATER + 1 + Orphans.PATIENCE_NANOS);

    assertThat(effects.take()).contains("s1 abandoned c1");
  }

  @Test
  void an_incarnation_is_passed_on_once_to_all_but_its_reporters() {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C);

    digest(relay, A, start(A, 77));
    assertThat(digests()).containsExactly("digest to b: a1.0 ...", "digest to c: a1.0 ...");

    digest(relay, A, start(A, 77));
    digest(relay, B, start(A, 77));
    digest(relay, B, start(A, FIRST_START));
    digest(relay, B, start(SELF, 77));
    assertThat(digests()).isEmpty();
  }

  @Test
  void an_incarnation_is_not_passed_on_where_this_end_does_not_send() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.activeEdges(nodes(A));
    effects.take();

    digest(relay, A, start(A, 77));

    assertThat(digests()).isEmpty();
  }

  @Test
  void a_neighbour_that_is_attached_later_learns_of_all_silent_incarnations() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    digest(relay, A, start(A, 77), start(C, 5));
    receive(relay, A, message(C, 1, "x"));
    relay.activeEdges(nodes(A, B));
    relay.streamOpened(B, 0);
    assertThat(digests()).containsExactly("digest to b: c2.0 a1.0 c1.0 self1.0");

    relay.publish(bytes("x"));
    attach(relay, B);

    assertThat(digests()).containsExactly("digest to b: c2.0 self2.0 a1.0 c1.0");
  }

  @Test
  void
      what_it_publishes_on_the_default_topic_tells_of_it_and_on_others_that_may_not_be_passed_on() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.received(B, new Interest(1, 1, List.of("t"), List.of(), false, true));
    relay.received(A, new Interest(1, 1, List.of(), List.of(), false, true));
    effects.take();

    receive(relay, A, message(A, 1, "x"));
    assertThat(effects.takeFlow()).noneMatch(line -> line.startsWith("digest"));

    MessageId onTopic = new MessageId(new StreamId(C, 5, "t"), 1);
    receive(relay, B, new Chunk(onTopic, 0, true, 1, bytes("x")));
    assertThat(digests()).containsExactly("digest to a: c1.0 ...");
  }

  @Test
  void an_origin_in_neither_of_two_trees_is_no_longer_named() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    digest(relay, A, start(B, 5));
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B).edges()));
    relay.treeCommitted(new CommittedTree(3, SELF, star(A).edges()));
    effects.take();
    attach(relay, A);
    assertThat(digests()).containsExactly("digest to a: b1.0 self1.0");

    relay.treeCommitted(new CommittedTree(4, SELF, star(A).edges()));
    attach(relay, A);

    assertThat(digests()).containsExactly("digest to a: self1.0");
  }

  @Test
  void no_more_incarnations_are_remembered_than_streams() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    for (int i = 0; i < 9; i++) {
      digest(relay, A, start(NodeId.of("x" + i), 5));
    }
    effects.take();

    open(relay, C);

    assertThat(digests()).containsExactly("digest to c: self1.0 x01.0 x11.0");
  }
}
