package io.treecast.agent.core.publish;

import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.MessageId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that a broadcast is published once although its request is repeated. Remembers the latest
 * requests with a retry token, at most {@link #MAX_REMEMBERED}, and the time since which no request
 * was discarded. A request that was first sent before that time, or before this agent's start, is
 * never treated as new.
 */
final class RecentAttempts {
  /** The maximum number of remembered requests. */
  static final int MAX_REMEMBERED = 4_096;

  /**
   * The longest time in transit of a request. A request has its age at the time of sending, so it
   * may seem younger than it is by this time.
   */
  static final long UNDER_WAY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A remembered request, which reports its outcome to all its repetitions. */
  private final class Remembered implements PublishOutcome {
    private final String retryToken;
    private final String topic;
    private final int payloadBytes;
    private final int payloadHash;
    private final long arrivedNanos;
    private final List<PublishOutcome> waiting = new ArrayList<>();
    private @Nullable MessageId messageId;
    private long treeVersion;
    private int replicas;

    Remembered(String retryToken, Publication publication, long arrivedNanos) {
      this.retryToken = retryToken;
      this.topic = publication.topic();
      this.payloadBytes = publication.payload().remaining();
      this.payloadHash = publication.payload().hashCode();
      this.arrivedNanos = arrivedNanos;
    }

    /**
     * Returns whether the request is for the same broadcast. Compares topic, size and hash, since
     * the payload is not kept.
     */
    boolean isFor(Publication publication) {
      return topic.equals(publication.topic())
          && payloadBytes == publication.payload().remaining()
          && payloadHash == publication.payload().hashCode();
    }

    /**
     * Adds an observer, or notifies it if the outcome is known. Drops observers that no longer
     * wait.
     */
    void addObserver(PublishOutcome outcome) {
      if (messageId == null) {
        waiting.removeIf(earlier -> !earlier.isWanted());
        waiting.add(outcome);
      } else {
        outcome.accepted(messageId, treeVersion, replicas);
      }
    }

    @Override
    public boolean isWanted() {
      return waiting.stream().anyMatch(PublishOutcome::isWanted);
    }

    @Override
    public void accepted(MessageId id, long version, int haveIt) {
      messageId = id;
      treeVersion = version;
      replicas = haveIt;
      waiting.forEach(outcome -> outcome.accepted(id, version, haveIt));
      waiting.clear();
    }

    /** Forgets the request: it was not sent, so it may be repeated. */
    @Override
    public void refused(Reason reason, String text) {
      remembered.remove(retryToken, this);
      waiting.forEach(outcome -> outcome.refused(reason, text));
      waiting.clear();
    }
  }

  /** The remembered requests by token, oldest first. */
  private final LinkedHashMap<String, Remembered> remembered = new LinkedHashMap<>();

  /**
   * Requests that were first sent after this time are remembered if they have arrived. A start sets
   * it to the future: a repetition may be in transit for a while, and then seems to have been first
   * sent after the start.
   */
  private long sinceNanos;

  /** Notes the agent's start. Earlier requests are unknown. */
  void start(long nowNanos) {
    sinceNanos = nowNanos + UNDER_WAY_NANOS;
  }

  /**
   * Answers a request if it is, or may be, a repetition.
   *
   * @return the outcome to notify if the request is new; null if it was answered
   */
  @Nullable PublishOutcome firstOf(
      Publication publication, Attempt attempt, PublishOutcome outcome, long nowNanos) {
    Remembered earlier = remembered.get(attempt.retryToken());
    if (earlier != null) {
      if (earlier.isFor(publication)) {
        earlier.addObserver(outcome);
      } else {
        outcome.refused(
            Reason.TOKEN_REUSED,
            "retry token " + attempt.retryToken() + " was used for another broadcast");
      }
      return null;
    }
    // A request that is sent for the first time has an age of zero.
    if (attempt.firstNanos() < Math.min(sinceNanos, nowNanos)) {
      outcome.refused(
          Reason.MAY_BE_ACCEPTED,
          "this agent may have accepted the broadcast with retry token "
              + attempt.retryToken()
              + " before: it has restarted, or discarded requests, since the first attempt");
      return null;
    }
    Remembered first = new Remembered(attempt.retryToken(), publication, nowNanos);
    first.addObserver(outcome);
    remembered.put(attempt.retryToken(), first);
    if (remembered.size() > MAX_REMEMBERED) {
      forgetOldest(nowNanos);
    }
    return first;
  }

  /**
   * Returns the outcome of an earlier request for the same broadcast, if it is still undecided;
   * null otherwise.
   */
  @Nullable PublishOutcome undecided(Publication publication) {
    Attempt attempt = publication.attempt();
    Remembered earlier = attempt == null ? null : remembered.get(attempt.retryToken());
    return earlier != null && earlier.messageId == null && earlier.isFor(publication)
        ? earlier
        : null;
  }

  private void forgetOldest(long nowNanos) {
    Iterator<Remembered> oldestFirst = remembered.values().iterator();
    long arrivedNanos = oldestFirst.next().arrivedNanos;
    oldestFirst.remove();
    sinceNanos = Math.max(sinceNanos, Math.min(nowNanos, arrivedNanos + UNDER_WAY_NANOS));
  }
}
