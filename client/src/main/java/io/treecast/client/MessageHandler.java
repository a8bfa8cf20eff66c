package io.treecast.client;

/**
 * Receives the messages of a subscription, one at a time, in order for each origin and topic. Until
 * it returns, the subscription takes nothing more from the agent: a slow handler slows its stream,
 * and does not fill memory.
 *
 * <p>A handler that throws ends its subscription, since to go on would skip a message: the error is
 * logged and completes {@link Subscription#done}.
 */
@FunctionalInterface
public interface MessageHandler extends ConnectionListener {

  /**
   * A message has arrived, whole.
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
   * Everything has come that the agent had when the subscription began, or was told to be missed;
   * what comes from now on is new. Comes again after each {@link #onResumed}.
   */
  default void onLive() {}

  /**
   * Messages will not come. What comes after them, comes.
   *
   * @param missed which, and why
   */
  default void onMissed(MissedMessages missed) {}
}
