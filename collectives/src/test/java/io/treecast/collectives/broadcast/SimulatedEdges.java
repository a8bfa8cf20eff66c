package io.treecast.collectives.broadcast;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The links along which a simulated node sends on one channel, and the changes that it has yet to
 * learn.
 */
final class SimulatedEdges {
  private final Set<NodeId> linked;
  private final BiConsumer<SortedSet<NodeId>, Set<NodeId>> activate;
  private SortedSet<NodeId> active = new TreeSet<>();
  private Set<NodeId> held = Set.of();
  private @Nullable NodeId expected;
  private @Nullable SortedSet<NodeId> wanted;
  private @Nullable Set<NodeId> toHold;

  /**
   * Creates an empty set.
   *
   * @param linked the nodes with which the node has links, now and later
   * @param activate called with the ends of the edges to send on, and of those that hold back
   *     others
   */
  SimulatedEdges(Set<NodeId> linked, BiConsumer<SortedSet<NodeId>, Set<NodeId>> activate) {
    this.linked = linked;
    this.activate = activate;
  }

  /** Makes the node send to these once it learns it. */
  void want(SortedSet<NodeId> neighbours) {
    wanted = neighbours;
  }

  /** Makes these hold back others once the node learns it. */
  void hold(Set<NodeId> neighbours) {
    toHold = neighbours;
  }

  /** Lets the node learn the next change; returns false if there is none. */
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

  /** Notes that the link is gone. */
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
