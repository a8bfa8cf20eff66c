package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Receives the interruptions, refusals, absence and resumption of the stream from the agent. Calls
 * are made on the handler's thread, in order with its events.
 */
public interface ConnectionListener {

  /**
   * Reports that the stream from the agent was interrupted. The client reconnects until the
   * subscription is closed. Messages then continue after the last one that the handler has
   * finished; messages that the agent's log no longer has are reported as missed. Logs a warning
   * unless overridden.
   *
   * @param reason the cause, for people
   */
  default void onInterrupted(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; reconnecting");
  }

  /**
   * Reports that the agent refuses the stream for now, because of one of its limits. The client
   * repeats the request until the subscription is closed. Called once for each reason. Logs a
   * warning unless overridden.
   *
   * @param reason the agent's reason, for people
   */
  default void onRefused(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; asking again");
  }

  /**
   * Reports that the stream has been absent for 5 s, at its beginning or after an interruption. The
   * client keeps trying until the subscription is closed. Called once for each interruption, and
   * again when the reason changes. Logs a warning unless overridden.
   *
   * @param why the reason of the absence and its remedy
   */
  default void onUnavailable(TreecastException why) {
    ReconnectingStream.LOG.log(Level.WARNING, why.getMessage() + "; still trying");
  }

  /**
   * Reports that the stream is in place again after {@link #onInterrupted}. Does nothing unless
   * overridden.
   */
  default void onResumed() {}
}
