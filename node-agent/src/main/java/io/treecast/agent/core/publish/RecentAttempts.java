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
 * Ensures that a broadcast whose request is repeated is carried out once. Remembers the latest
 * requests that have a retry token, at most {@link #MAX_REMEMBERED}, and the time since which it
 * remembers all: a request from before then, or from before this agent's start, is never taken for
 * a new one.
 */
final class RecentAttempts {
  /** How many requests are remembered. */
  static final int MAX_REMEMBERED = 4_096;

  /**
   * By how much a request may seem younger than it is: it says how old it was when its client sent
   * it, and not how long it was under way.
   */
  static final long UNDER_WAY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The outcome of a request, for all that ask for it. */
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

    /** Compared by topic, size and hash: the payload itself is not kept. */
    boolean isFor(Publication publication) {
      return topic.equals(publication.topic())
          && payloadBytes == publication.payload().remaining()
          && payloadHash == publication.payload().hashCode();
    }

    /** While it is open, observers that have given up are not kept. */
    void tell(PublishOutcome outcome) {
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

    /** It was not sent, so it may be tried again. */
    @Override
    public void refused(Reason reason, String text) {
      remembered.remove(retryToken, this);
      waiting.forEach(outcome -> outcome.refused(reason, text));
      waiting.clear();
    }
  }

  /** By token, oldest first. */
  private final LinkedHashMap<String, Remembered> remembered = new LinkedHashMap<>();

  /**
   * All requests that claim to have been first sent since then are remembered if they came. Set to
   * the future at a start: a request that is repeated now may be under way for a while, and then
   * seem to be first sent after the start.
   */
  private long sinceNanos;

  /** Notes the agent's start: earlier requests are not known. */
  void start(long nowNanos) {
    sinceNanos = nowNanos + UNDER_WAY_NANOS;
  }

  /**
   * Answers a repeated request, or one that may be a repetition.
   *
   * @return the outcome to notify of a new request; null if it was answered
   */
  @Nullable PublishOutcome firstOf(
      Publication publication, Attempt attempt, PublishOutcome outcome, long nowNanos) {
    Remembered earlier = remembered.get(attempt.retryToken());
    if (earlier != null) {
      if (earlier.isFor(publication)) {
        earlier.tell(outcome);
      } else {
        outcome.refused(
            Reason.TOKEN_REUSED,
            "retry token " + attempt.retryToken() + " is that of another broadcast");
      }
      return null;
    }
    // A request that is sent for the first time says so, with an age of zero.
    if (attempt.firstNanos() < Math.min(sinceNanos, nowNanos)) {
      outcome.refused(
          Reason.MAY_BE_ACCEPTED,
          "this agent may have accepted the broadcast with retry token "
              + attempt.retryToken()
              + " before: it has started, or forgotten requests, since the first attempt");
      return null;
    }
    Remembered first = new Remembered(attempt.retryToken(), publication, nowNanos);
    first.tell(outcome);
    remembered.put(attempt.retryToken(), first);
    if (remembered.size() > MAX_REMEMBERED) {
      forgetOldest(nowNanos);
    }
    return first;
  }

  /**
   * Returns the outcome that an earlier request for the same broadcast reports to, while that is
   * open.
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
