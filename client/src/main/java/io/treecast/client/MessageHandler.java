package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of a subscription, one at a time, in order for each origin and topic. The
 * subscription takes no more from the agent until the handler returns: a slow handler slows its
 * stream, and does not fill memory.
 *
 * <p>A handler that broadcasts and waits for the result can block itself: when logs are full, the
 * broadcast waits for room that is freed only by the handler's return, and fails with {@code
 * BUFFER_FULL} when its time is over. Broadcast without waiting, with a bound of your own; or
 * expect that failure; or subscribe with another policy than {@link WhenSlow#SLOW_PUBLISHER}.
 *
 * <p>A handler that throws ends its subscription, since continuing would skip a message: the error
 * is logged and completes {@link Subscription#done}.
 */
@FunctionalInterface
public interface MessageHandler extends ConnectionListener {

  /**
   * Handles a message that has arrived whole and whose checksum holds.
   *
   * @param message the message; the handler may keep it
   */
  void onMessage(Message message);

  /**
   * Reports where the subscription begins: messages up to these positions are not delivered. Called
   * once, before the first message, when the agent has a tree. Store these positions, together with
   * each later message, to start a later subscription {@link SubscriptionStart.After} them.
   *
   * @param positions the beginning of the subscription
   */
  default void onBegan(Positions positions) {}

  /**
   * Decides about a message that has begun to arrive and is too large to be held: it is larger than
   * {@link TreecastBuilder#maxMessageBytes}, or there is no room for it within {@link
   * TreecastBuilder#maxAssemblyBytes} beside others that arrive at the same time.
   *
   * @param messageId its name
   * @return the sink of its payload, chunk by chunk; null (the default) to skip it, which is
   *     reported by {@link #onMissed}
   */
  default @Nullable PayloadSink onLargeMessage(MessageId messageId) {
    return null;
  }

  /**
   * Reports that a message of which a part has arrived cannot be had: {@code INCOMPLETE} or {@code
   * CHECKSUM_MISMATCH}. Either no part of it was handed over, or its {@link PayloadSink} received
   * the same notice. If it is missed, {@link #onMissed} names it, too. Not called when the
   * connection is lost: then the message comes again, or is missed. Logs a warning unless
   * overridden, as {@link #onMissed} does.
   *
   * @param messageId its name
   * @param why the failure
   */
  default void onFailed(MessageId messageId, TreecastException why) {
    LossWarnings.current().failed(messageId, why);
  }

  /**
   * Reports that the subscription has caught up: all messages that the agent had when the
   * subscription began were delivered or reported as missed; later messages are new. Called again
   * after each {@link #onResumed}.
   */
  default void onLive() {}

  /**
   * Reports messages that will not come; later messages will. Logs a warning unless overridden: the
   * first loss at once, then one warning every ten seconds with the number of missed messages, for
   * each subscription.
   *
   * @param missed which messages, and why
   */
  default void onMissed(MissedMessages missed) {
    LossWarnings.current().missed(missed);
  }
}
