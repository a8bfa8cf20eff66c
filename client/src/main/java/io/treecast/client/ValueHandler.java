package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Receives the values of a {@link Topic}, one at a time, under the rules of a {@link
 * MessageHandler}: a slow handler slows its stream, and a handler that throws ends its
 * subscription.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface ValueHandler<T> extends ConnectionListener {
  /**
   * Handles a value.
   *
   * @param value the decoded payload
   * @param message the message that brought it: its publisher, its number, its bytes
   */
  void onValue(T value, Message message);

  /**
   * Reports a message whose payload the codec cannot decode; the subscription continues with the
   * next one. Logs a warning unless overridden. A handler that throws here ends the subscription.
   *
   * @param message the message
   * @param why what the codec threw
   */
  default void onUndecodable(Message message, Exception why) {
    ReconnectingStream.LOG.log(
        Level.WARNING, "skipping message " + message + ", which the codec cannot decode", why);
  }

  /** Reports where the subscription begins, as {@link MessageHandler#onBegan}. */
  default void onBegan(Positions positions) {}

  /** Reports that the subscription has caught up, as {@link MessageHandler#onLive}. */
  default void onLive() {}

  /** Reports messages that will not come, as {@link MessageHandler#onMissed}. */
  default void onMissed(MissedMessages missed) {
    LossWarnings.current().missed(missed);
  }
}
