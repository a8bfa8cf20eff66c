package io.treecast.collectives.broadcast.order;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Total order at a member that has no room for the stream of d: {@code limits.origins} is 3 here,
 * and it knows those of a, b and c.
 */
class LeftOutOfOrderTest {
  private static final NodeId D = NodeId.of("d");

  private final RecordingEffects effects = new RecordingEffects();
  private final BroadcastRelay relay =
      new BroadcastRelay(SELF, FIRST_START, 1_000, SMALL, effects, effects);
  private long treeVersion = 1;

  /** Makes SELF a neighbour of these; the others are neighbours of a. */
  private void commit(NodeId root, NodeId... neighbours) {
    List<LinkWeight> edges = new ArrayList<>();
    for (NodeId member : List.of(A, B, C, D)) {
      boolean isNeighbour = nodes(neighbours).contains(member);
      edges.add(LinkWeight.between(isNeighbour ? SELF : A, member, 100));
    }
    relay.treeCommitted(new CommittedTree(treeVersion, root, edges));
    relay.activeEdges(nodes(neighbours));
    for (NodeId neighbour : neighbours) {
      open(relay, neighbour);
    }
  }

  private void wants(NodeId neighbour, String... topics) {
    relay.received(
        neighbour, new Interest(treeVersion, treeVersion, List.of(topics), List.of(), false, true));
  }

  private void tells(NodeId neighbour) {
    relay.received(
        neighbour, new OrderTail(treeVersion, Topic.DEFAULT, List.of(), List.of(), true));
  }

  private void subscribe() throws BroadcastRefusedException {
    relay.subscribe(1, SubscribeOptions.defaults().withTotalOrder());
    String asked =
        effects.take().stream().filter(line -> line.contains(" asks ")).findFirst().orElseThrow();
    long number = Long.parseLong(asked.substring(asked.lastIndexOf(' ') + 1));
    relay.received(A, new InterestKnown(number, List.of(), true));
  }

  private void fill() {
    receive(relay, A, message(A, 1, "x"));
    receive(relay, A, message(B, 1, "x"));
    receive(relay, A, message(C, 1, "x"));
    effects.take();
  }

  private static OrderEntry entry(long number, NodeId origin, long sequence) {
    return new OrderEntry(new OrderPosition(1, number), stream(origin), sequence);
  }

  private void goesOn(OrderEntry... entries) {
    relay.received(A, new OrderNext(1, Topic.DEFAULT, List.of(entries)));
  }

  private List<String> take(String what) {
    return effects.take().stream().filter(line -> line.matches(what)).toList();
  }

  /** Below the root a, with a subscriber in total order. */
  private void beLeaf() throws BroadcastRefusedException {
    commit(A, A);
    wants(A);
    subscribe();
    tells(A);
    fill();
    goesOn(entry(1, A, 1), entry(2, B, 1), entry(3, C, 1));
    effects.take();
  }

  @Test
  void others_do_not_wait_for_a_message_dropped_before_it_had_a_place() throws Exception {
    beLeaf();
    receive(relay, A, message(D, 1, "x"));
    receive(relay, A, message(A, 2, "y"));

    goesOn(entry(4, D, 1), entry(5, A, 2));

    assertThat(take("(deliver|s1 missed).*"))
        .containsExactly("s1 missed d1 to 1", "deliver to s1: a2.0 'y' last at 1.5");
  }

  @Test
  void others_do_not_wait_for_a_message_dropped_after_it_had_a_place() throws Exception {
    beLeaf();
    goesOn(entry(4, D, 1), entry(5, A, 2));
    receive(relay, A, message(A, 2, "y"));
    assertThat(take("deliver.*")).as("d1 may come").isEmpty();

    receive(relay, A, message(D, 1, "x"));

    assertThat(take("(deliver|s1 missed).*"))
        .containsExactly("s1 missed d1 to 1", "deliver to s1: a2.0 'y' last at 1.5");
  }

  /** Drops so many items that the earlier ones are no longer remembered. */
  private void dropOthers() {
    for (String origin : List.of("e", "f", "g", "h")) {
      receive(relay, A, message(NodeId.of(origin), 1, "x"));
    }
    effects.take();
  }

  @Test
  void others_do_not_wait_for_a_message_dropped_long_before_its_turn() throws Exception {
    beLeaf();
    receive(relay, A, message(D, 1, "x"));
    goesOn(entry(4, A, 2), entry(5, D, 1), entry(6, A, 3));
    dropOthers();

    receive(relay, A, message(A, 2, "y"));
    receive(relay, A, message(A, 3, "z"));

    assertThat(take("deliver.*"))
        .containsExactly(
            "deliver to s1: a2.0 'y' last at 1.4", "deliver to s1: a3.0 'z' last at 1.6");
  }

  @Test
  void others_do_not_wait_for_a_message_dropped_between_its_place_and_its_turn() throws Exception {
    beLeaf();
    goesOn(entry(4, A, 2), entry(5, D, 1), entry(6, A, 3));
    receive(relay, A, message(D, 1, "x"));
    dropOthers();

    receive(relay, A, message(A, 2, "y"));
    receive(relay, A, message(A, 3, "z"));

    assertThat(take("deliver.*"))
        .containsExactly(
            "deliver to s1: a2.0 'y' last at 1.4", "deliver to s1: a3.0 'z' last at 1.6");
  }

  @Test
  void the_root_places_messages_that_it_drops() {
    commit(SELF, A, B);
    wants(A);
    wants(B, Topic.orderOf(Topic.DEFAULT));
    tells(B);
    fill();

    receive(relay, A, message(D, 1, "x"));

    assertThat(take("(order to|send to) b.*"))
        .containsExactly("send to b: gap 1.0 to 2.0", "order to b of v1: 1.4 is d1");
  }

  @Test
  void a_new_root_places_messages_that_it_dropped_in_an_earlier_tree() {
    commit(A, A, B);
    fill();
    receive(relay, A, message(D, 1, "x"));
    treeVersion = 2;
    relay.streamClosed(A);
    relay.streamClosed(B);
    commit(SELF, A, B);
    wants(A);
    wants(B, Topic.orderOf(Topic.DEFAULT));
    effects.take();

    tells(B);

    assertThat(take("order to b.*"))
        .containsExactly("order to b of v2: 2.1 is a1, 2.2 is b1, 2.3 is c1, 2.4 is d1");
  }
}
