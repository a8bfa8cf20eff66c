package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Links beside the tree in a {@link ReplicationRun}: a message that may go ahead goes to any
 * member, at any time while its origin lives, in any order, or is lost.
 */
final class SimulatedShortcuts {
  private static final int MOST_UNDER_WAY = 100;

  private record Copy(SimulatedNode origin, NodeId to, Chunk message) {}

  private final Random random;
  private final Map<NodeId, SimulatedNode> nodes;
  private final RunCoverage coverage;
  private final List<Copy> underWay = new ArrayList<>();
  private final boolean prompt;
  private boolean open;

  /**
   * Creates links with nothing under way.
   *
   * @param mayBe whether there may be any
   * @param random for these alone, so that the rest of a run is unaffected
   * @param nodes the live nodes
   */
  SimulatedShortcuts(
      boolean mayBe, Random random, Map<NodeId, SimulatedNode> nodes, RunCoverage coverage) {
    this.random = random;
    this.nodes = nodes;
    this.coverage = coverage;
    this.prompt = random.nextBoolean();
    this.open = mayBe && random.nextInt(3) > 0;
  }

  /** Takes a message that a node has published. */
  void maySendByShortcut(SimulatedNode origin, Chunk message) {
    for (NodeId to : nodes.keySet()) {
      if (open
          && !to.equals(origin.id)
          && underWay.size() < MOST_UNDER_WAY
          && random.nextInt(3) == 0) {
        underWay.add(new Copy(origin, to, message));
      }
    }
  }

  /** Perhaps delivers some of the messages. */
  void step() {
    if (!underWay.isEmpty() && random.nextInt(prompt ? 2 : 10) == 0) {
      Copy copy = underWay.remove(prompt ? 0 : random.nextInt(underWay.size()));
      SimulatedNode receiver = nodes.get(copy.to());
      if (receiver != null && nodes.get(copy.origin().id) == copy.origin()) {
        long before = receiver.relay.counters().shortcutMessages();
        receiver.relay.receivedByShortcut(copy.origin().id, copy.message());
        receiver.assertWithinBounds();
        coverage.count(
            receiver.relay.counters().shortcutMessages() > before
                ? "taken ahead"
                : "not taken ahead");
      }
    }
  }

  /** From now on, messages come along the tree alone. */
  void close() {
    open = false;
    underWay.clear();
  }
}
