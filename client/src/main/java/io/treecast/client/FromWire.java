package io.treecast.client;

import io.treecast.proto.v1.CommittedTree;
import io.treecast.proto.v1.TreeStatus;

/** Turns what the agent sends into this package's public types. */
final class FromWire {
  private FromWire() {}

  static MessageId messageId(io.treecast.proto.v1.MessageId id) {
    return new MessageId(id.getOrigin(), id.getIncarnation(), id.getSequence());
  }

  static TreeView treeView(TreeStatus status) {
    CommittedTree tree = status.getTree();
    return new TreeView(
        status.getNodeId(),
        status.getReady(),
        status.getNotReadyReason(),
        tree.getVersion(),
        status.hasTree() ? tree.getRoot() : null,
        tree.getEdgesList().stream()
            .map(edge -> new TreeEdge(edge.getLow(), edge.getHigh(), edge.getRttMicros()))
            .toList(),
        status.getBuildMillis());
  }
}
