package io.treecast.client;

import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.CommittedTree;
import io.treecast.proto.v1.Hop;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.TreeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts wire messages of the agent into this package's public types. */
final class FromWire {
  private FromWire() {}

  static MessageId messageId(io.treecast.proto.v1.MessageId id) {
    return new MessageId(
        id.getOrigin(), id.getIncarnation(), id.getTopic(), id.getLane(), id.getSequence());
  }

  /**
   * Returns the message with its place in a total order, if the event that completes it has one.
   */
  static Message placed(Message message, SubscriptionEvent event) {
    return event.hasPosition()
        ? new Message(
            message.messageId(),
            message.payload(),
            new OrderPosition(event.getPosition().getEpoch(), event.getPosition().getNumber()),
            message.publishedAt(),
            message.headers())
        : message;
  }

  /** Returns the tree; null if this client does not know its metric. */
  static @Nullable DisseminationTree disseminationTree(
      io.treecast.proto.v1.DisseminationTree tree) {
    return switch (tree.getMetric()) {
      case TREE_METRIC_UNSPECIFIED -> new DisseminationTree(TreeMetric.LATENCY, tree.getVersion());
      case TREE_METRIC_BANDWIDTH -> new DisseminationTree(TreeMetric.BANDWIDTH, tree.getVersion());
      case UNRECOGNIZED -> null;
    };
  }

  /** Returns the result of an accepted broadcast, without confirmations. */
  static BroadcastResult broadcastResult(
      BroadcastResponse response, @Nullable DisseminationTree tree) {
    return new BroadcastResult(
        messageId(response.getMessageId()),
        response.getTreeVersion(),
        tree,
        response.getReplicas(),
        null);
  }

  static Confirmation confirmation(AwaitConfirmationResponse response) {
    return new Confirmation(
        response.getTreeVersion(),
        response.getDeliveredList().stream().map(FromWire::hop).toList(),
        response.getFailedList(),
        response.getUnknownList());
  }

  private static Confirmation.Hop hop(Hop hop) {
    return new Confirmation.Hop(
        hop.getMember(),
        hop.getFrom().isEmpty() ? null : hop.getFrom(),
        hop.getAfterNanos(),
        hop.getErrorNanos(),
        !hop.getWithoutSubscriber());
  }

  static TreeView treeView(TreeStatus status) {
    CommittedTree tree = status.getTree();
    return new TreeView(
        status.getNodeId(),
        status.getReady(),
        status.getNotReadyReason(),
        tree.getVersion(),
        status.hasTree() ? tree.getRoot() : null,
        edges(tree.getEdgesList()),
        status.hasChange() ? change(status.getChange()) : null);
  }

  private static TreeChange change(io.treecast.proto.v1.TreeChange change) {
    return new TreeChange(
        change.getVersionBefore(),
        change.getCausesList(),
        edges(change.getRemovedList()),
        edges(change.getAddedList()),
        change.getDurationMicros(),
        change.getMessagesSent());
  }

  private static List<TreeEdge> edges(List<LinkWeight> edges) {
    return edges.stream()
        .map(edge -> new TreeEdge(edge.getLow(), edge.getHigh(), edge.getCost()))
        .toList();
  }

  static MissedMessages missed(io.treecast.proto.v1.MissedMessages missed) {
    return new MissedMessages(
        missed.getOrigin(),
        missed.getIncarnation(),
        missed.getTopic(),
        missed.getLane(),
        missed.getFirstSequence(),
        missed.getLastSequence(),
        reason(missed.getReason()));
  }

  private static MissedReason reason(io.treecast.proto.v1.MissedReason reason) {
    return switch (reason) {
      case MISSED_REASON_AGENT_AWAY -> MissedReason.AGENT_AWAY;
      case MISSED_REASON_NOT_RETAINED -> MissedReason.NOT_RETAINED;
      case MISSED_REASON_SKIPPED -> MissedReason.SKIPPED;
      case MISSED_REASON_UNSPECIFIED, UNRECOGNIZED -> MissedReason.UNKNOWN;
    };
  }
}
