package io.treecast.client;

import java.util.Objects;

/** What a subscription begins with. */
public sealed interface SubscriptionStart {

  /** What is broadcast from now on. */
  record Now() implements SubscriptionStart {}

  /** What the agent's log retains, then what is broadcast from now on. */
  record Retained() implements SubscriptionStart {}

  /**
   * Everything that comes after what was had before, at this agent or another, once and in order.
   * What the agent's log does not reach back to is named by {@link MessageHandler#onMissed}. A
   * stream that the positions do not name has nothing that was had: it begins with its first
   * message.
   *
   * @param positions what was had
   */
  record After(Positions positions) implements SubscriptionStart {
    /** Refuses null. */
    public After {
      Objects.requireNonNull(positions, "positions");
    }
  }
}
