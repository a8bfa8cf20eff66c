package io.treecast.agent.runtime.application;

import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.proto.v1.ListGroupsResponse;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The queries of the admin pages about groups. Each gets one answer, and ends with it or after
 * {@value #PATIENCE_MILLIS} ms. The state belongs to the agent's loop; any thread may query.
 */
public final class GroupQueries {
  private static final int MAX_WAITING = 100;
  private static final long PATIENCE_MILLIS = 1_500;

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final GroupCalls calls;

  /** A query for the view of a group. */
  private static final class Query {
    final GroupPath path;
    final CompletableFuture<GroupView> answer = new CompletableFuture<>();

    Query(GroupPath path) {
      this.path = path;
    }
  }

  private final Set<Query> waiting = new LinkedHashSet<>();

  GroupQueries(Supplier<AgentCore> core, EventLoop loop, GroupCalls calls) {
    this.core = core;
    this.loop = loop;
    this.calls = calls;
  }

  /**
   * Queries the root for all groups. Without an answer, the future fails with an {@link
   * IOException}.
   */
  public CompletableFuture<ListGroupsResponse> list() {
    CompletableFuture<ListGroupsResponse> answer = new CompletableFuture<>();
    Listed listed = new Listed(answer);
    loop.offer(() -> calls.list(listed), () -> refuse(answer));
    return limited(answer, () -> calls.forget(listed));
  }

  /**
   * Queries the root for the present view of a group. Without an answer, the future fails with an
   * {@link IOException}.
   */
  public CompletableFuture<GroupView> view(GroupPath path) {
    Query query = new Query(path);
    loop.offer(() -> begin(query), () -> refuse(query.answer));
    return limited(query.answer, () -> end(query));
  }

  private void begin(Query query) {
    if (waiting.size() == MAX_WAITING) {
      refuse(query.answer);
      return;
    }
    // The first view may arrive within this call.
    waiting.add(query);
    core.get()
        .group(
            groups -> {
              GroupView known = groups.view(query.path);
              if (!groups.watch(query.path)) {
                waiting.remove(query);
                refuse(query.answer);
              } else if (known != null) {
                query.answer.complete(known);
              }
            },
            loop.nowNanos());
  }

  private void end(Query query) {
    if (waiting.remove(query)) {
      core.get().group(groups -> groups.unwatch(query.path), loop.nowNanos());
    }
  }

  /** Answers the queries for the group of this view. */
  public void changed(GroupView view) {
    for (Query query : waiting) {
      if (query.path.equals(view.id().path())) {
        query.answer.complete(view);
      }
    }
  }

  private static void refuse(CompletableFuture<?> answer) {
    answer.completeExceptionally(
        new IOException("the agent has no room for more questions about groups; ask again later"));
  }

  private <T> CompletableFuture<T> limited(CompletableFuture<T> answer, Runnable end) {
    var unused =
        answer
            .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
            .whenComplete((value, failure) -> loop.execute(end));
    return answer.exceptionally(
        failure -> {
          throw new CompletionException(
              failure instanceof TimeoutException
                  ? new IOException(
                      "the root of the tree has not answered about groups within "
                          + PATIENCE_MILLIS
                          + " ms; see whether the agent is ready")
                  : failure);
        });
  }

  private record Listed(CompletableFuture<ListGroupsResponse> answer)
      implements StreamObserver<ListGroupsResponse> {
    @Override
    public void onNext(ListGroupsResponse list) {
      answer.complete(list);
    }

    @Override
    public void onError(Throwable failure) {
      answer.completeExceptionally(new IOException(failure.getMessage()));
    }

    @Override
    public void onCompleted() {
      // The answer has arrived already.
    }
  }
}
