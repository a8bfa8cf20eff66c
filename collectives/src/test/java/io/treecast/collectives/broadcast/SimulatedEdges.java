package io.treecast.collectives.broadcast;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Along which of its links a simulated node sends on one channel, and what it is yet to learn. */
final class SimulatedEdges {
  private final Set<NodeId> linked;
  private final BiConsumer<SortedSet<NodeId>, Set<NodeId>> activate;
  private SortedSet<NodeId> active = new TreeSet<>();
  private Set<NodeId> held = Set.of();
  private @Nullable NodeId expected;
  private @Nullable SortedSet<NodeId> wanted;
  private @Nullable Set<NodeId> toHold;

  /**
   * None.
   *
   * @param linked with whom the node has links, now and later
   * @param activate told the ends of the edges to send on, and of those that hold back others
   */
  SimulatedEdges(Set<NodeId> linked, BiConsumer<SortedSet<NodeId>, Set<NodeId>> activate) {
    this.linked = linked;
    this.activate = activate;
  }

  /** Once the node gets to it, it will send to these. */
  void want(SortedSet<NodeId> neighbours) {
    wanted = neighbours;
  }

  /** Once the node gets to that, these will hold back others. */
  void hold(Set<NodeId> neighbours) {
    toHold = neighbours;
  }

  /** The node gets to know the next of what it is told; false if there is nothing. */
  boolean learn() {
    if (wanted != null) {
      active = new TreeSet<>(wanted);
      active.retainAll(linked);
      wanted = null;
    } else if (toHold != null) {
      held = toHold;
      toHold = null;
    } else {
      return false;
    }
    activate.accept(active, held);
    return true;
  }

  /** The link is gone. */
  void lost(NodeId neighbour) {
    if (active.remove(neighbour)) {
      activate.accept(active, held);
    }
  }

  /** This one, if it is not null, is to send here, be it that nothing is sent to it. */
  void expect(@Nullable NodeId neighbour) {
    expected = neighbour;
  }

  /** Whether it needs a data stream for what a neighbour sends. */
  boolean expects(NodeId neighbour) {
    return neighbour.equals(expected);
  }

  Set<NodeId> active() {
    return active;
  }
}
