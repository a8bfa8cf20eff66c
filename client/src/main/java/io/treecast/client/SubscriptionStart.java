package io.treecast.client;

import java.util.Objects;

/** Where a subscription begins. */
public sealed interface SubscriptionStart {

  /** Begins with new messages. */
  record Now() implements SubscriptionStart {}

  /** Begins with the messages that the agent's log retains, then continues with new ones. */
  record Retained() implements SubscriptionStart {}

  /**
   * Resumes after positions, at the same agent or another: each later message comes once and in
   * order. Messages that the agent's log no longer has are reported by {@link
   * MessageHandler#onMissed}. A stream without a position begins with its first message.
   *
   * @param positions the last message of each stream that was handled before
   */
  record After(Positions positions) implements SubscriptionStart {
    /** Refuses null. */
    public After {
      Objects.requireNonNull(positions, "positions");
    }
  }
}
