package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Receives notice when the stream from the agent breaks or is refused, why it stays away, and when
 * it is in place again. The calls come on the handler's thread, in order with its events.
 */
public interface ConnectionListener {

  /**
   * Reports that the stream from the agent broke. The client reconnects until the subscription is
   * closed; then messages continue after the last one that the handler has finished, and messages
   * that the agent's log no longer has are reported as missed. Logs a warning unless overridden.
   *
   * @param reason what happened, for people
   */
  default void onInterrupted(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; reconnecting");
  }

  /**
   * Reports that the agent refuses the stream for now, because of one of its limits; the client
   * asks again until the subscription is closed. Called once for each reason. Logs a warning unless
   * overridden.
   *
   * @param reason the agent's reason, for people
   */
  default void onRefused(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; asking again");
  }

  /**
   * Reports that the stream is not in place, or not in place again, after 5 s; the client keeps
   * trying until the subscription is closed. Called once for each interruption, and again when the
   * reason changes. Logs a warning unless overridden.
   *
   * @param why why the stream is absent, and what to do about it
   */
  default void onNotInPlace(TreecastException why) {
    ReconnectingStream.LOG.log(Level.WARNING, why.getMessage() + "; trying on");
  }

  /**
   * Reports that the stream is in place again after {@link #onInterrupted}. Does nothing unless
   * overridden.
   */
  default void onResumed() {}
}
