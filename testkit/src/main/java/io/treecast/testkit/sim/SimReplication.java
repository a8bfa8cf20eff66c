package io.treecast.testkit.sim;

import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import org.jspecify.annotations.Nullable;

/** The answers to the publisher of a broadcast with replicas. One thread. */
final class SimReplication implements PublishOutcome {
  private final int wanted;
  private final @Nullable String retryToken;
  private @Nullable MessageId message;
  private int replicas;
  private BroadcastRefusedException.@Nullable Reason refusal;

  /** Creates one for a broadcast that is sent once. */
  SimReplication(int wanted) {
    this(wanted, null);
  }

  /**
   * Creates one for one of several attempts.
   *
   * @param retryToken the same in all of them; null if there is one
   */
  SimReplication(int wanted, @Nullable String retryToken) {
    this.wanted = wanted;
    this.retryToken = retryToken;
  }

  int wanted() {
    return wanted;
  }

  @Nullable Attempt attempt(long nowNanos) {
    return retryToken == null ? null : new Attempt(retryToken, nowNanos);
  }

  /** Returns whether there is an answer. */
  boolean isKnown() {
    return message != null || refusal != null;
  }

  /** Returns the broadcast; null if it was not accepted, as far as is known. */
  @Nullable MessageId message() {
    return message;
  }

  /** Returns how many other members had it when that was told. */
  int replicas() {
    return replicas;
  }

  /** Returns whether as many have it as were wanted. */
  boolean isReplicated() {
    return message != null && replicas >= wanted;
  }

  @Override
  public void accepted(MessageId messageId, long treeVersion, int haveIt) {
    if (isKnown()) {
      throw new AssertionError("the publisher of " + messageId + " is told twice");
    }
    message = messageId;
    replicas = haveIt;
  }

  @Override
  public void refused(BroadcastRefusedException.Reason reason, String text) {
    if (isKnown()) {
      throw new AssertionError("the publisher of " + message + " is told twice: " + text);
    }
    refusal = reason;
  }
}
