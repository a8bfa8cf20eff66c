package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.proto.v1.TreeStatus;
import io.treecast.proto.v1.WatchTreeResponse;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that watch this agent's tree. Each receives the present status and each change;
 * a slow reader skips to the latest.
 */
public final class TreeWatchers {
  /** The limit of watchers. */
  static final int MAX_WATCHERS = 1_024;

  private static final class Watcher {
    final Caller caller;
    @Nullable TreeStatus unsent;

    Watcher(Caller caller) {
      this.caller = caller;
    }
  }

  private final Supplier<TreeStatus> current;
  private final OpenCalls<WatchTreeResponse, Watcher> watchers =
      new OpenCalls<>("watches of the tree", MAX_WATCHERS);

  private @Nullable StatusException ended;

  TreeWatchers(Supplier<TreeStatus> current) {
    this.current = current;
  }

  void add(Caller caller, String client, ServerCallStreamObserver<WatchTreeResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return;
    }
    if (endedAsForbidden(caller, out)) {
      return;
    }
    StatusException refusal = watchers.refusal(client);
    if (refusal != null) {
      out.onError(refusal);
      return;
    }
    Watcher watcher = new Watcher(caller);
    watcher.unsent = current.get();
    watchers.add(client, out, watcher);
    ready(out);
  }

  void remove(ServerCallStreamObserver<WatchTreeResponse> out) {
    var unused = watchers.remove(out);
  }

  private static boolean endedAsForbidden(
      Caller caller, ServerCallStreamObserver<WatchTreeResponse> out) {
    try {
      Refusals.requirePermission(caller, Action.ADMINISTRATE, List.of(""));
      return false;
    } catch (StatusException refusal) {
      out.onError(refusal);
      return true;
    }
  }

  /** Ends the streams that are no longer permitted. */
  void permissionsChanged() {
    watchers.forEach(
        (out, watcher) -> {
          if (endedAsForbidden(watcher.caller, out)) {
            remove(out);
          }
        });
  }

  /** Ends all streams because the agent shuts down; later calls are refused. */
  void end() {
    ended = Refusals.shuttingDown();
    watchers.end(ended);
  }

  public void changed(TreeStatus status) {
    watchers.forEach(
        (out, watcher) -> {
          watcher.unsent = status;
          ready(out);
        });
  }

  /** Notes that the stream may have room again. */
  void ready(ServerCallStreamObserver<WatchTreeResponse> out) {
    Watcher watcher = watchers.get(out);
    if (watcher != null && watcher.unsent != null && out.isReady()) {
      out.onNext(WatchTreeResponse.newBuilder().setStatus(watcher.unsent).build());
      watcher.unsent = null;
    }
  }
}
