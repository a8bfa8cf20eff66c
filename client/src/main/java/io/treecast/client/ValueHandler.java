package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Receives the values of a {@link Topic}, one at a time, under the rules of a {@link
 * MessageHandler}: a slow handler slows its stream, and an exception from it ends its subscription.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface ValueHandler<T> extends ConnectionListener {
  /**
   * Handles a value.
   *
   * @param value the decoded payload
   * @param message the message that has carried it: its publisher, its number, its bytes
   */
  void onValue(T value, Message message);

  /**
   * Reports a message whose payload the codec cannot decode; the subscription continues with the
   * next one. Logs a warning unless overridden. An exception from this method ends the
   * subscription.
   *
   * @param message the message
   * @param why the exception of the codec
   */
  default void onUndecodable(Message message, Exception why) {
    ReconnectingStream.LOG.log(
        Level.WARNING, "skipping message " + message + ", which the codec cannot decode", why);
  }

  /** Reports the beginning of the subscription, as {@link MessageHandler#onBegan}. */
  default void onBegan(Positions positions) {}

  /** Reports that the subscription has caught up, as {@link MessageHandler#onLive}. */
  default void onLive() {}

  /** Reports missed messages, as {@link MessageHandler#onMissed}. */
  default void onMissed(MissedMessages missed) {
    LossWarnings.current().missed(missed);
  }
}
