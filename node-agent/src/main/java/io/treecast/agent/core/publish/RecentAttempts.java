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
 * Sees to it that a broadcast whose request is sent again is carried out once. Remembers the latest
 * requests that have a retry token, at most {@link #MAX_REMEMBERED}; and since when it remembers
 * all that were sent, so that it never takes one for new that was forgotten, be it with an earlier
 * start of this agent.
 */
final class RecentAttempts {
  /** How many requests are remembered. */
  static final int MAX_REMEMBERED = 4_096;

  /**
   * How much younger than it is a request may seem: it says how old it was when its client, which
   * is connected by then, sent it, and not for how long it was under way.
   */
  static final long UNDER_WAY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What became of a request; tells all that ask for it. */
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

    /** By topic, size and hash: the payload itself is not kept. */
    boolean isFor(Publication publication) {
      return topic.equals(publication.topic())
          && payloadBytes == publication.payload().remaining()
          && payloadHash == publication.payload().hashCode();
    }

    /** Of those that ask while it is open, the ones that have given up are not kept. */
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

    /** Nothing was sent, so it may be tried anew. */
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
   * All requests that say that they were first sent since are remembered if they came. In the
   * future after a start: a request that is sent again now may be under way for a while, and then
   * seem to be first sent after the start.
   */
  private long sinceNanos;

  /** The agent starts: what came before is not known. */
  void start(long nowNanos) {
    sinceNanos = nowNanos + UNDER_WAY_NANOS;
  }

  /**
   * Answers a request that came before, or cannot be told from one that did.
   *
   * @return whom to tell what becomes of it if it is new; null if it is not
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
    // One that is sent for the first time says so, and is as old as it seems: not at all.
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
   * Whom an earlier request for the same broadcast tells what becomes of it, while that is open.
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
