package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * One node, {@code n}, with neighbours a, b, c... at round-trip times of 1, 2, 3... microseconds.
 * What it does is written down.
 */
final class NodeFixture {
  private static final NodeId SELF = NodeId.of("n");

  private final List<String> effects = new ArrayList<>();
  private final PaperNode node;

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
        new PaperNode(
            SELF,
            links,
            new PaperNode.Effects() {
              @Override
              public void send(NodeId neighbour, PaperMessage message) {
                effects.add(neighbour + ": " + MessageText.of(message));
              }

              @Override
              public void halted(NodeId root, int level, List<LinkWeight> branches) {
                effects.add("halted: root " + root + ", level " + level + ", " + branches);
              }
            });
  }

  PaperNode node() {
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
    return receive(from, new PaperMessage.Connect(level));
  }

  NodeFixture initiate(String from, int level, LinkWeight fragment) {
    return receive(from, new PaperMessage.Initiate(level, fragment, PaperMessage.Phase.FIND));
  }

  NodeFixture initiateFound(String from, int level, LinkWeight fragment) {
    return receive(from, new PaperMessage.Initiate(level, fragment, PaperMessage.Phase.FOUND));
  }

  NodeFixture test(String from, int level, LinkWeight fragment) {
    return receive(from, new PaperMessage.Test(level, fragment));
  }

  NodeFixture accept(String from) {
    return receive(from, new PaperMessage.Accept());
  }

  NodeFixture reject(String from) {
    return receive(from, new PaperMessage.Reject());
  }

  NodeFixture report(String from, LinkWeight minimumOutgoingEdge) {
    return receive(from, new PaperMessage.Report(minimumOutgoingEdge, List.of()));
  }

  NodeFixture reportNone(String from, LinkWeight... branches) {
    return receive(from, new PaperMessage.Report(null, List.of(branches)));
  }

  NodeFixture changeRoot(String from) {
    return receive(from, new PaperMessage.ChangeRoot());
  }

  private NodeFixture receive(String from, PaperMessage message) {
    node.receive(NodeId.of(from), message);
    return this;
  }

  /** The link between two nodes anywhere. */
  static LinkWeight link(String one, String other, long rttMicros) {
    return LinkWeight.between(NodeId.of(one), NodeId.of(other), rttMicros);
  }
}
