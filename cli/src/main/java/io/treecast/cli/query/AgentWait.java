package io.treecast.cli.query;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.Console;
import io.treecast.cli.console.WaitingNote;
import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of a command's {@code --wait}, from construction on: first for the agent's first
 * answer, and the rest for the request. Used on the command's thread.
 */
public final class AgentWait {
  /** Least remaining time, below which even a good connection would seem to fail. */
  private static final long LEAST_MILLIS = 50;

  private final int seconds;
  private final long startNanos = System.nanoTime();

  /** Starts the time limit. */
  public AgentWait(int seconds) {
    this.seconds = seconds;
  }

  /**
   * Waits until the agent answers. Fails at once if it is down, whereas the client would wait for
   * it.
   *
   * @return the agent's report; null if its permissions do not allow it to this command
   * @throws CommandFailure if it does not answer, or cannot be reached
   */
  public @Nullable AgentReport forAnswer(AgentInquiry agents, Console console) {
    return WaitingNote.on(
            console,
            () ->
                "treecast: waiting for an answer of agent %s, at most %s s (--wait)"
                    .formatted(agents.agent(), seconds))
        .during(() -> agents.reportIfPermitted(Duration.ofSeconds(seconds)));
  }

  /**
   * Returns the remaining time for a question to the agent, which has answered.
   *
   * @throws CommandFailure if it is too short for another connection
   */
  public Duration left(AgentInquiry agents) {
    long spentNanos = System.nanoTime() - startNanos;
    Duration left = Duration.ofSeconds(seconds).minusNanos(spentNanos);
    if (left.toMillis() < LEAST_MILLIS) {
      throw CommandFailure.failed(
          Reason.AGENT_UNREACHABLE
              + ": agent "
              + agents.agent()
              + ": it took "
              + TimeUnit.NANOSECONDS.toMillis(spentNanos)
              + " ms to answer, of the "
              + seconds
              + " s of --wait, so no request was sent: it may be busy; wait longer (--wait)");
    }
    return left;
  }
}
