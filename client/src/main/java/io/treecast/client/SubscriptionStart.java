package io.treecast.client;

import java.util.Objects;

/** The beginning of a subscription. */
public sealed interface SubscriptionStart {

  /** Begins with new messages. */
  record Now() implements SubscriptionStart {}

  /** Begins with the messages that the agent's log retains, then continues with new ones. */
  record Retained() implements SubscriptionStart {}

  /**
   * Resumes after positions, at the same agent or another: each later message arrives once and in
   * order. Messages that the agent's log no longer has are reported to {@link
   * MessageHandler#onMissed}. A stream without a position begins with its first message.
   *
   * @param positions the last handled message of each stream
   */
  record After(Positions positions) implements SubscriptionStart {
    /** Rejects null. */
    public After {
      Objects.requireNonNull(positions, "positions");
    }
  }
}
