package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Hears when the stream from the agent breaks or is refused, what keeps it from coming back, and
 * when it is in place again. The calls come on the handler's thread, in order with its events.
 */
public interface ConnectionListener {

  /**
   * The stream from the agent broke; the client reconnects until the subscription is closed. Then
   * messages go on after the last one that the handler has finished; what the agent's log does not
   * reach back to is told as missed. Logs a warning unless overridden.
   *
   * @param reason what happened, for a person
   */
  default void onInterrupted(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; reconnecting");
  }

  /**
   * The agent refuses the stream for now, because of one of its limits; the client asks again until
   * the subscription is closed. Called once for each reason. Logs a warning unless overridden.
   *
   * @param reason what the agent says, for a person
   */
  default void onRefused(String reason) {
    ReconnectingStream.LOG.log(Level.WARNING, reason + "; asking again");
  }

  /**
   * The stream is not in place, or not in place again, after 5 s; the client goes on trying until
   * the subscription is closed. Called once for each interruption, and again when there is another
   * reason. Logs a warning unless overridden.
   *
   * @param why what keeps it away, and what to do about it
   */
  default void onNotInPlace(TreecastException why) {
    ReconnectingStream.LOG.log(Level.WARNING, why.getMessage() + "; trying on");
  }

  /** The stream is in place again after {@link #onInterrupted}. Does nothing unless overridden. */
  default void onResumed() {}
}
