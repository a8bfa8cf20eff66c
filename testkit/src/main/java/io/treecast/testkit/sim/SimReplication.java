package io.treecast.testkit.sim;

import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import org.jspecify.annotations.Nullable;

/** The outcome of a broadcast with replicas. Single-threaded. */
final class SimReplication implements PublishOutcome {
  private final int wanted;
  private final @Nullable String retryToken;
  private @Nullable MessageId message;
  private int replicas;
  private BroadcastRefusedException.@Nullable Reason refusal;

  /** Creates the outcome of a broadcast without retries. */
  SimReplication(int wanted) {
    this(wanted, null);
  }

  /**
   * Creates the outcome of one of several attempts.
   *
   * @param retryToken the token of all attempts; null without retries
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

  /** Returns whether the outcome is known. */
  boolean isKnown() {
    return message != null || refusal != null;
  }

  /** Returns the id of the broadcast; null if it is not known to be accepted. */
  @Nullable MessageId message() {
    return message;
  }

  /** Returns the number of replicas in the answer. */
  int replicas() {
    return replicas;
  }

  /** Returns whether the wanted number of replicas was reached. */
  boolean isReplicated() {
    return message != null && replicas >= wanted;
  }

  @Override
  public void accepted(MessageId messageId, long treeVersion, int haveIt) {
    if (isKnown()) {
      throw new AssertionError("a second outcome of " + messageId);
    }
    message = messageId;
    replicas = haveIt;
  }

  @Override
  public void refused(BroadcastRefusedException.Reason reason, String text) {
    if (isKnown()) {
      throw new AssertionError("a second outcome of " + message + ": " + text);
    }
    refusal = reason;
  }
}
