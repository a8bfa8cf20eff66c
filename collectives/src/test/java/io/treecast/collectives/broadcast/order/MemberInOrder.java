package io.treecast.collectives.broadcast.order;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.stream;

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
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Arrays;
import java.util.List;

/**
 * One member, from which the total order of a topic is wanted, and the messages of its neighbours;
 * for tests.
 */
public abstract class MemberInOrder {
  public static final String ORDER = Topic.orderOf(Topic.DEFAULT);

  public final RecordingEffects effects = new RecordingEffects();
  public final BroadcastRelay relay =
      new BroadcastRelay(SELF, FIRST_START, 1_000, SMALL, effects, effects);
  long interest;

  /** SELF commits a tree with this root and these neighbours, whose data streams are open. */
  void commit(long version, NodeId root, NodeId... neighbours) {
    relay.treeCommitted(
        new CommittedTree(
            version,
            root,
            Arrays.stream(neighbours)
                .map(neighbour -> LinkWeight.between(SELF, neighbour, 100))
                .toList()));
    relay.activeEdges(nodes(neighbours));
  }

  void openAll(NodeId... neighbours) {
    for (NodeId neighbour : neighbours) {
      open(relay, neighbour);
    }
    effects.take();
  }

  void subscribe(long name) {
    subscribe(name, SubscribeOptions.defaults().withTotalOrder());
  }

  void subscribe(long name, SubscribeOptions options) {
    try {
      relay.subscribe(name, options);
    } catch (BroadcastRefusedException refused) {
      throw new AssertionError(refused);
    }
  }

  void publish(String text) {
    try {
      relay.publish(bytes(text));
    } catch (BroadcastRefusedException refused) {
      throw new AssertionError(refused);
    }
  }

  void wants(NodeId neighbour, long version, String... topics) {
    relay.received(
        neighbour, new Interest(version, ++interest, List.of(topics), List.of(), false, true));
  }

  /** Answers the last question to the neighbour with these ends of streams. */
  void knows(NodeId neighbour, StreamPosition... ends) {
    String asked =
        effects.take().stream().filter(line -> line.contains(" asks ")).findFirst().orElseThrow();
    long number = Long.parseLong(asked.substring(asked.lastIndexOf(' ') + 1));
    relay.received(neighbour, new InterestKnown(number, List.of(ends), true));
  }

  void tells(NodeId neighbour, long version, List<TreeEpoch> epochs, OrderEntry... tail) {
    relay.received(neighbour, new OrderTail(version, Topic.DEFAULT, epochs, List.of(tail), true));
  }

  void goesOn(NodeId neighbour, long version, OrderEntry... entries) {
    relay.received(neighbour, new OrderNext(version, Topic.DEFAULT, List.of(entries)));
  }

  static OrderEntry entry(long epoch, long number, NodeId origin, long sequence) {
    return new OrderEntry(new OrderPosition(epoch, number), stream(origin), sequence);
  }

  List<String> take(String... what) {
    return effects.take().stream()
        .filter(line -> Arrays.stream(what).anyMatch(line::startsWith))
        .toList();
  }

  List<String> takeDelivered() {
    return take("deliver ");
  }

  List<String> takeOrder() {
    return take("order ");
  }

  /** SELF is a leaf below the root A, with a subscriber in total order, in an epoch. */
  void beLeaf() {
    beLeaf(SubscribeOptions.defaults().withTotalOrder());
  }

  void beLeaf(SubscribeOptions options) {
    commit(1, A, A);
    openAll(A);
    wants(A, 1);
    subscribe(1, options);
    knows(A);
    tells(A, 1, List.of());
    effects.take();
  }
}
