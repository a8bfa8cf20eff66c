package io.treecast.ghs;

import java.util.ArrayList;
import java.util.List;

/**
 * One node, {@code n}, with neighbours a, b, c... at round-trip times of 1, 2, 3... microseconds.
 * What it does is written down.
 */
final class NodeFixture {
  private static final NodeId SELF = NodeId.of("n");

  private final List<String> effects = new ArrayList<>();
  private final GhsNode node;

  /**
   * A sleeping node.
   *
   * @param neighbours their names, nearest first
   */
  NodeFixture(String... neighbours) {
    List<LinkWeight> links = new ArrayList<>();
    for (String neighbour : neighbours) {
      links.add(LinkWeight.between(SELF, NodeId.of(neighbour), links.size() + 1));
    }
    node =
        new GhsNode(
            SELF,
            links,
            new GhsNode.Effects() {
              @Override
              public void send(NodeId neighbour, GhsMessage message) {
                effects.add(neighbour + ": " + MessageText.of(message));
              }

              @Override
              public void halted(NodeId root, int level, List<LinkWeight> branches) {
                effects.add("halted: root " + root + ", level " + level + ", " + branches);
              }
            });
  }

  GhsNode node() {
    return node;
  }

  /** What it did since the last call: {@code "a: Connect(0)"}. */
  List<String> effects() {
    List<String> since = List.copyOf(effects);
    effects.clear();
    return since;
  }

  NodeFixture wake() {
    node.wake();
    return this;
  }

  NodeFixture connect(String from, int level) {
    return receive(from, new GhsMessage.Connect(level));
  }

  NodeFixture initiate(String from, int level, LinkWeight fragment) {
    return receive(from, new GhsMessage.Initiate(level, fragment, GhsMessage.Phase.FIND));
  }

  NodeFixture initiateFound(String from, int level, LinkWeight fragment) {
    return receive(from, new GhsMessage.Initiate(level, fragment, GhsMessage.Phase.FOUND));
  }

  NodeFixture test(String from, int level, LinkWeight fragment) {
    return receive(from, new GhsMessage.Test(level, fragment));
  }

  NodeFixture accept(String from) {
    return receive(from, new GhsMessage.Accept());
  }

  NodeFixture reject(String from) {
    return receive(from, new GhsMessage.Reject());
  }

  NodeFixture report(String from, LinkWeight minimumOutgoingEdge) {
    return receive(from, new GhsMessage.Report(minimumOutgoingEdge, List.of()));
  }

  NodeFixture reportNone(String from, LinkWeight... branches) {
    return receive(from, new GhsMessage.Report(null, List.of(branches)));
  }

  NodeFixture changeCore(String from) {
    return receive(from, new GhsMessage.ChangeCore());
  }

  private NodeFixture receive(String from, GhsMessage message) {
    node.receive(NodeId.of(from), message);
    return this;
  }

  /** The link between two nodes anywhere. */
  static LinkWeight link(String one, String other, long rttMicros) {
    return LinkWeight.between(NodeId.of(one), NodeId.of(other), rttMicros);
  }
}
