package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of a subscription, one at a time, in order for each origin and topic. Until
 * it returns, the subscription takes nothing more from the agent: a slow handler slows its stream,
 * and does not fill memory.
 *
 * <p>A handler that broadcasts and waits for the result may wait for itself: when logs are full,
 * the broadcast waits for room that only the handler's return makes, and fails with {@code
 * BUFFER_FULL} when its time is over. Rather broadcast without waiting, with a bound of your own,
 * or expect that failure, or subscribe with another policy than {@link WhenSlow#SLOW_PUBLISHER}.
 *
 * <p>A handler that throws ends its subscription, since to go on would skip a message: the error is
 * logged and completes {@link Subscription#done}.
 */
@FunctionalInterface
public interface MessageHandler extends ConnectionListener {

  /**
   * A message has arrived, whole, and its checksum holds.
   *
   * @param message the message; the handler may keep it
   */
  void onMessage(Message message);

  /**
   * The subscription begins after these: what comes before is not due. Comes once, before the first
   * message, when the agent has a tree. Together with each message that came since they are what to
   * store for a later subscription {@link SubscriptionStart.After} them.
   *
   * @param positions where it begins
   */
  default void onBegan(Positions positions) {}

  /**
   * A message has begun to arrive that is not to be held: it is larger than {@link
   * TreecastBuilder#maxMessageBytes}, or there is no room for it within {@link
   * TreecastBuilder#maxAssemblyBytes} beside others that arrive at the same time.
   *
   * @param messageId its name
   * @return where its payload goes, chunk by chunk; null to skip it, which {@link #onMissed} then
   *     tells, as it does unless this method is overridden
   */
  default @Nullable PayloadSink onLargeMessage(MessageId messageId) {
    return null;
  }

  /**
   * A message of which a part has arrived cannot be had: {@code INCOMPLETE} or {@code
   * CHECKSUM_MISMATCH}. Nothing of it was handed over, or its {@link PayloadSink} was told the
   * same. If it is missed, {@link #onMissed} names it, too. Not called when the connection is lost:
   * then the message comes anew, or is missed. Logs a warning unless overridden, as {@link
   * #onMissed} does.
   *
   * @param messageId its name
   * @param why what became of it
   */
  default void onFailed(MessageId messageId, TreecastException why) {
    LossWarnings.current().failed(messageId, why);
  }

  /**
   * Everything has come that the agent had when the subscription began, or was told to be missed;
   * what comes from now on is new. Comes again after each {@link #onResumed}.
   */
  default void onLive() {}

  /**
   * Messages will not come. What comes after them, comes. Logs a warning unless overridden: of the
   * first at once, then one every ten seconds with how many there were, for each subscription.
   *
   * @param missed which, and why
   */
  default void onMissed(MissedMessages missed) {
    LossWarnings.current().missed(missed);
  }
}
