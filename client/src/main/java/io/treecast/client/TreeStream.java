package io.treecast.client;

import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A subscription to the tree; its first view confirms it. */
final class TreeStream extends ReconnectingStream<WatchTreeRequest, WatchTreeResponse> {
  private final TreeHandler handler;

  TreeStream(
      AgentConnection connection,
      ClientSettings settings,
      TreeHandler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        TreecastServiceGrpc.getWatchTreeMethod(),
        handler,
        executor,
        connection.newBackoff(),
        onEnd);
    this.handler = handler;
  }

  @Override
  WatchTreeRequest request() {
    return WatchTreeRequest.getDefaultInstance();
  }

  @Override
  TreecastException unanswered(String asked, @Nullable String moreTime) {
    return silent(asked, moreTime); // An agent answers at once, even without a tree.
  }

  @Override
  void accept(WatchTreeResponse event) {
    TreeView tree = FromWire.treeView(event.getStatus());
    confirmed(tree.nodeId());
    callHandler(() -> handler.onTree(tree));
  }

  @Override
  void callLost(String what) {}
}
