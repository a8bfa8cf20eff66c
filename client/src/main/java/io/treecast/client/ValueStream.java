package io.treecast.client;

import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WatchValuesResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch of shared values. After each interruption the agent sends all entries again. Unchanged
 * ones are not reported again, and missing ones are reported as removed.
 */
final class ValueStream extends ReconnectingStream<WatchValuesRequest, WatchValuesResponse> {
  /** Receives encoded entries. */
  abstract static class Handler {
    final ConnectionListener listener;

    Handler(ConnectionListener listener) {
      this.listener = listener;
    }

    abstract void changed(ValueChange change);

    abstract void removed(String key);

    abstract void live();
  }

  private final WatchValuesRequest request;
  private final Handler handler;

  // For the handler's thread.
  private final Map<String, ValueChange> present = new HashMap<>();
  private final Set<String> sentAgain = new HashSet<>();
  private boolean isLive;

  ValueStream(
      AgentConnection connection,
      WatchValuesRequest request,
      Handler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        ValuesServiceGrpc.getWatchValuesMethod(),
        handler.listener,
        executor,
        connection.newBackoff(),
        onEnd);
    this.request = request;
    this.handler = handler;
  }

  @Override
  WatchValuesRequest request() {
    return request;
  }

  @Override
  TreecastException unanswered(String asked, @Nullable String moreTime) {
    return silent(asked, moreTime);
  }

  @Override
  void accept(WatchValuesResponse event) {
    confirmed(event.getNodeId());
    event.getChangesList().forEach(this::accept);
    if (event.getLive() && !isLive) {
      isLive = true;
      Set<String> missing = new HashSet<>(present.keySet());
      missing.removeAll(sentAgain);
      sentAgain.clear();
      missing.forEach(this::remove);
      callHandler(handler::live);
    }
  }

  private void accept(ValueChange change) {
    String key = change.getKey();
    if (change.getDeleted()) {
      remove(key);
      return;
    }
    if (!isLive) {
      sentAgain.add(key);
    }
    if (!change.equals(present.put(key, change))) {
      callHandler(() -> handler.changed(change));
    }
  }

  private void remove(String key) {
    if (present.remove(key) != null) {
      callHandler(() -> handler.removed(key));
    }
  }

  @Override
  void callLost(String what) {
    isLive = false;
    sentAgain.clear();
  }
}
