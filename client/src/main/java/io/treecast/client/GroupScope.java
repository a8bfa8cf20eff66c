package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.GroupViewId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group's view as the participants of operations. The names of operations contain
 * the view, so that calls with different views are different operations. If a participant has a
 * later view and has not called, agents fail the operation for all, and each repeats the call with
 * its latest view. Safe for use by several threads.
 */
final class GroupScope implements OperationScope {
  /** The maximum size of an operation's name, in bytes. */
  private static final int MAX_BYTES = 200;

  private static final int MAX_BYTES_OF_LARGE = 160;

  private final GroupViews views;
  private final String path;
  private final String context;

  GroupScope(GroupViews views, String path, String context) {
    this.views = views;
    this.path = path;
    this.context = context;
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> run(
      CollectiveOperation operation,
      CollectiveOptions options,
      Duration wait,
      OperationAttempt<T> attempt) {
    if (!options.participants().isEmpty() || options.retryToken() != null) {
      throw new IllegalArgumentException(
          "an operation of a group is among its members, and has no retry token");
    }
    int bytes = name(operation.getName(), "0".repeat(16)).getBytes(StandardCharsets.UTF_8).length;
    int most = operation.hasStep() ? MAX_BYTES_OF_LARGE : MAX_BYTES;
    if (bytes > most) {
      throw new IllegalArgumentException(
          "the name of the operation has, with group and context, %s bytes; allowed are %s"
              .formatted(bytes, most));
    }
    Call<T> call = new Call<>(operation, attempt, System.nanoTime() + wait.toNanos());
    call.begin(null);
    return call.result;
  }

  private String name(String operation, String view) {
    return "group/" + path + "@" + view + "/" + context + "/" + operation;
  }

  private static String hash(GroupView view) {
    try {
      String text =
          view.treeVersion()
              + " "
              + view.root()
              + " "
              + view.rootIncarnation()
              + " "
              + view.number();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A call, which repeats the operation until all participants have the same view. */
  private final class Call<T extends @Nullable Object> {
    final CollectiveOperation operation;
    final OperationAttempt<T> attempt;
    final long deadlineNanos;
    final CompletableFuture<T> result = new CompletableFuture<>();

    Call(CollectiveOperation operation, OperationAttempt<T> attempt, long deadlineNanos) {
      this.operation = operation;
      this.attempt = attempt;
      this.deadlineNanos = deadlineNanos;
    }

    private long leftNanos() {
      return Math.max(0, deadlineNanos - System.nanoTime());
    }

    void begin(@Nullable GroupView before) {
      int fewest = Math.max(1, operation.getMinimum());
      CompletableFuture<GroupView> next =
          views.next(
              view -> view.members().size() >= fewest && (before == null || !before.isSame(view)));
      endWith(next);
      var unused =
          next.orTimeout(leftNanos(), TimeUnit.NANOSECONDS)
              .whenComplete(
                  (view, error) -> {
                    if (error == null) {
                      start(view);
                    } else {
                      result.completeExceptionally(
                          cause(error) instanceof TreecastException ended ? ended : noView(before));
                    }
                  });
    }

    private void endWith(CompletableFuture<?> step) {
      var unused = result.whenComplete((value, error) -> step.cancel(false));
    }

    private TreecastException noView(@Nullable GroupView before) {
      String what = "operation '" + operation.getName() + "' of group " + path;
      if (before != null) {
        return new TreecastException(
            Reason.VIEW_CHANGED,
            what
                + " was among members that have changed, and got no later view in time: call again"
                + " with a longer wait");
      }
      GroupView latest = views.latest();
      return latest == null
          ? new TreecastException(
              Reason.NO_TREE,
              what + " got no view with this member in time: bring the agents up, or wait longer")
          : new TreecastException(
              Reason.MEMBERS_MISSING,
              ("%s is of at least %s members, and the group has %s: let others join, or wait "
                      + "longer")
                  .formatted(what, operation.getMinimum(), latest.members()));
    }

    private void start(GroupView view) {
      if (!operation.getHub().isEmpty() && !view.members().contains(operation.getHub())) {
        result.completeExceptionally(
            new TreecastException(
                Reason.REFUSED,
                "%s is not a member of group %s: name one of %s"
                    .formatted(operation.getHub(), path, view.members())));
        return;
      }
      CompletableFuture<T> started =
          attempt.start(
              operation.toBuilder()
                  .setName(name(operation.getName(), hash(view)))
                  .clearParticipants()
                  .addAllParticipants(view.members())
                  .setView(
                      GroupViewId.newBuilder()
                          .setPath(path)
                          .setTreeVersion(view.treeVersion())
                          .setRoot(view.root())
                          .setRootIncarnation(view.rootIncarnation())
                          .setNumber(view.number()))
                  .build(),
              Duration.ofNanos(leftNanos()));
      endWith(started);
      var unused =
          started.whenComplete(
              (value, error) -> {
                if (error == null) {
                  result.complete(value);
                } else if (isOver(error)) {
                  begin(view);
                } else {
                  result.completeExceptionally(cause(error));
                }
              });
    }
  }

  private static boolean isOver(Throwable error) {
    return cause(error) instanceof TreecastException failure
        && failure.reason() == Reason.VIEW_CHANGED;
  }

  private static Throwable cause(Throwable error) {
    Throwable cause = error.getCause();
    return error instanceof CompletionException && cause != null ? cause : error;
  }
}
