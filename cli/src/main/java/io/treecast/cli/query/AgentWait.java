package io.treecast.cli.query;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.Console;
import io.treecast.cli.console.WaitingNote;
import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of a command's {@code --wait}, from when this is made: first for the agent to answer,
 * and what is left for what is asked of it. On the command's thread.
 */
public final class AgentWait {
  /** With less, a connection that is in order would be called none. */
  private static final long LEAST_MILLIS = 50;

  private final int seconds;
  private final long startNanos = System.nanoTime();

  /** Begins now. */
  public AgentWait(int seconds) {
    this.seconds = seconds;
  }

  /**
   * Waits until the agent that the command is about answers. The client would wait for one that is
   * down; a person wants to know at once.
   *
   * @return the agent's report; null if its permissions do not allow it to this command
   * @throws CommandFailure if it does not, or nothing listens there
   */
  public @Nullable AgentReport forAnswer(AgentInquiry agents, Console console) {
    return WaitingNote.on(
            console,
            () ->
                "treecast: waiting for an answer of agent "
                    + agents.agent()
                    + ", at most "
                    + seconds
                    + " s (--wait)")
        .during(() -> agents.reportIfPermitted(Duration.ofSeconds(seconds)));
  }

  /**
   * Returns the remaining time for a question to the agent, which has answered.
   *
   * @throws CommandFailure if it is not enough to connect once more
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
