package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of a subscription, one at a time, in order for each origin and topic. The
 * subscription takes no more from the agent until the handler returns: a slow handler slows its
 * stream, and does not fill memory.
 *
 * <p>A handler that broadcasts and waits for the result can block itself. When logs are full, the
 * broadcast waits for room that only the handler's return frees, and then fails with {@code
 * BUFFER_FULL}. So broadcast without waiting, and limit the number of such broadcasts; or handle
 * that failure; or subscribe with another policy than {@link WhenSlow#SLOW_PUBLISHER}.
 *
 * <p>An exception from a handler ends its subscription, since continuing would skip a message. The
 * exception is logged and completes {@link Subscription#done}.
 */
@FunctionalInterface
public interface MessageHandler extends ConnectionListener {

  /**
   * Handles a message that has arrived completely and with a valid checksum.
   *
   * @param message the message; the handler may keep it
   */
  void onMessage(Message message);

  /**
   * Reports the beginning of the subscription: messages up to these positions are not delivered.
   * Called once, before the first message, when the agent has a tree. Store these positions,
   * together with each later message, to start a later subscription {@link SubscriptionStart.After}
   * them.
   *
   * @param positions the beginning of the subscription
   */
  default void onBegan(Positions positions) {}

  /**
   * Selects a sink for a message that has begun to arrive and is too large to be held: it exceeds
   * {@link TreecastBuilder#maxMessageBytes}, or has no room within {@link
   * TreecastBuilder#maxAssemblyBytes} beside others that arrive at the same time.
   *
   * @param messageId its id
   * @return the sink of its payload, chunk by chunk; null (the default) to skip it, which is
   *     reported to {@link #onMissed}
   */
  default @Nullable PayloadSink onLargeMessage(MessageId messageId) {
    return null;
  }

  /**
   * Reports that a message of which a part has arrived has failed: {@code INCOMPLETE} or {@code
   * CHECKSUM_MISMATCH}. Either no part of it was delivered, or its {@link PayloadSink} has received
   * the same notice. If the message is missed, {@link #onMissed} reports it, too. Not called when
   * the connection is lost, because the message then arrives again, or is missed. Logs a warning
   * unless overridden, as {@link #onMissed} does.
   *
   * @param messageId its id
   * @param why the failure
   */
  default void onFailed(MessageId messageId, TreecastException why) {
    LossWarnings.current().failed(messageId, why);
  }

  /**
   * Reports that the subscription has caught up: all messages that the agent had at the beginning
   * of the subscription were delivered or reported as missed; later messages are new. Called again
   * after each {@link #onResumed}.
   */
  default void onLive() {}

  /**
   * Reports messages that will not be delivered; later messages will be. Logs a warning unless
   * overridden: the first loss at once, then one warning every ten seconds with the number of
   * missed messages, for each subscription.
   *
   * @param missed the messages, and the reason
   */
  default void onMissed(MissedMessages missed) {
    LossWarnings.current().missed(missed);
  }
}
