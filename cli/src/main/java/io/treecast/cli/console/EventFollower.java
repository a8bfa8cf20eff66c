package io.treecast.cli.console;

import io.treecast.client.ConnectionListener;
import io.treecast.client.Subscription;
import io.treecast.client.TreecastException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Follows a subscription until enough events are printed or it fails. Events arrive on the
 * subscription's thread; the command waits in {@link #follow}.
 */
public final class EventFollower implements ConnectionListener {
  /** Timeout for an event that is being printed when the command ends. */
  private static final long LAST_EVENT_SECONDS = 5;

  private final Console console;
  private final CompletableFuture<Void> enough = new CompletableFuture<>();

  // Used only on the subscription's thread.
  private long left;

  /**
   * Prepares to print events.
   *
   * @param count the number of events to print
   */
  public EventFollower(Console console, long count) {
    this.console = console;
    this.left = count;
  }

  /** Prints an event, unless enough were printed before. */
  public void event(Runnable print) {
    if (left > 0) {
      print.run();
      left--;
    }
    if (left == 0) {
      enough.complete(null);
    }
  }

  @Override
  public void onInterrupted(String reason) {
    console.note("interrupted: " + reason + "; reconnecting");
  }

  @Override
  public void onRefused(String reason) {
    console.note("refused: " + reason + "; retrying");
  }

  @Override
  public void onUnavailable(TreecastException why) {
    console.note(why.getMessage() + "; retrying");
  }

  @Override
  public void onResumed() {
    console.note("connected again");
  }

  /**
   * Waits for enough events, or for an interrupt of this thread.
   *
   * @param doing the activity at the agent, printed with the agent's name once the subscription is
   *     in place
   * @throws CommandFailure if the subscription fails
   */
  public int follow(Subscription subscription, String doing) {
    try {
      console.note(doing + " agent " + subscription.ready().get() + "; Ctrl-C ends");
      CompletableFuture.anyOf(enough, subscription.done()).get();
      end(subscription);
    } catch (InterruptedException e) {
      end(subscription);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TreecastException failure
          && failure.getCause() instanceof CommandFailure notPrinted) {
        throw notPrinted;
      }
      if (e.getCause() instanceof TreecastException failure
          && failure.getCause() instanceof UncheckedIOException notWritten) {
        throw CommandFailure.failed(String.valueOf(notWritten.getMessage()));
      }
      if (e.getCause() instanceof TreecastException failure) {
        throw CommandFailure.failed(String.valueOf(failure.getMessage()));
      }
      throw new IllegalStateException(doing + " the agent failed", e.getCause());
    }
    return ExitCode.OK;
  }

  /**
   * Closes the subscription and waits for its end, so that no event follows the last line of the
   * command, and no partial messages are left.
   */
  private static void end(Subscription subscription) {
    subscription.close();
    subscription
        .done()
        .exceptionally(failure -> null)
        .completeOnTimeout(null, LAST_EVENT_SECONDS, TimeUnit.SECONDS)
        .join();
  }
}
