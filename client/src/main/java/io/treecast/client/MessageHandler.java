package io.treecast.client;

/**
 * Receives the messages of a subscription, one at a time, in order for each origin. Until it
 * returns, the subscription takes nothing more from the agent: a slow handler slows its stream, and
 * does not fill memory.
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
   * Messages will not come: the agent was away from the others for longer than they retain what was
   * broadcast. What comes after them, comes.
   *
   * @param missed which
   */
  default void onMissed(MissedMessages missed) {}
}
