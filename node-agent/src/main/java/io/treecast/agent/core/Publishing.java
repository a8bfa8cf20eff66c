package io.treecast.agent.core;

import io.treecast.agent.core.Publication.Attempt;
import io.treecast.collectives.BroadcastLimits;
import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.BroadcastRefusedException.Reason;
import io.treecast.collectives.BroadcastRelay;
import io.treecast.collectives.MessageId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Broadcasts and uploads that local applications ask for: those that come before there is a tree
 * wait here, up to their deadline, or until nobody waits for the outcome and the room is needed.
 *
 * <p>Owned by the agent's thread.
 */
final class Publishing {
  /** Broadcasts that may wait for a tree at once. */
  static final int MAX_WAITING = 1_024;

  private static final String SHUTTING_DOWN = "the agent is shutting down";
  private static final String GIVEN_UP = "nobody waits for it any more";

  /** What is to happen once there is a tree. */
  private interface Sending {
    MessageId send() throws BroadcastRefusedException;
  }

  private record Waiting(int bytes, long deadlineNanos, Sending sending, PublishOutcome outcome) {}

  private final BroadcastRelay relay;
  private final BroadcastLimits limits;
  private final RecentAttempts attempts = new RecentAttempts();
  private final List<Waiting> waiting = new ArrayList<>();
  private long waitingBytes;
  private boolean left;

  Publishing(BroadcastRelay relay, BroadcastLimits limits) {
    this.relay = relay;
    this.limits = limits;
  }

  /** The agent starts. */
  void start(long nowNanos) {
    attempts.start(nowNanos);
  }

  /**
   * Sends it, unless it was sent before, or keeps it until there is a tree.
   *
   * @param explanation why there is no tree now
   */
  void publish(
      Publication publication,
      TreeStatus status,
      String explanation,
      PublishOutcome outcome,
      long nowNanos) {
    Attempt attempt = publication.attempt();
    PublishOutcome first =
        attempt == null ? outcome : attempts.firstOf(publication, attempt, outcome, nowNanos);
    if (first != null) {
      publish(publication, status, explanation, first);
    }
  }

  private void publish(
      Publication publication, TreeStatus status, String explanation, PublishOutcome outcome) {
    int bytes = publication.payload().remaining();
    Sending sending =
        () ->
            relay.publish(
                publication.topic(),
                publication.payload(),
                publication.receiptMillis(),
                publication.crc32c());
    if (bytes > limits.payloadBytes()) {
      send(sending, 0, outcome); // To be refused.
    } else {
      whenReady(
          new Waiting(bytes, publication.deadlineNanos(), sending, outcome), status, explanation);
    }
  }

  /**
   * Begins an upload, or keeps it until there is a tree.
   *
   * @param explanation why there is no tree now
   */
  void beginUpload(
      long upload,
      Publication begun,
      TreeStatus status,
      String explanation,
      PublishOutcome outcome) {
    Sending sending = () -> relay.uploads().begin(upload, begun.topic(), begun.receiptMillis());
    whenReady(new Waiting(0, begun.deadlineNanos(), sending, outcome), status, explanation);
  }

  private void whenReady(Waiting asked, TreeStatus status, String explanation) {
    CommittedTree tree = status.tree();
    PublishOutcome outcome = asked.outcome();
    if (left) {
      outcome.refused(Reason.NO_TREE, SHUTTING_DOWN);
    } else if (status.ready() && tree != null) {
      send(asked.sending(), tree.version(), outcome);
    } else if (isFull(asked) && isFullOfWanted(asked)) {
      outcome.refused(
          Reason.PUBLISH_BUFFER_FULL,
          waiting.size()
              + " broadcasts wait for a tree already ("
              + explanation
              + "); limits.publishBufferBytes is "
              + limits.publishBufferBytes());
    } else {
      waiting.add(asked);
      waitingBytes += asked.bytes();
    }
  }

  private boolean isFull(Waiting asked) {
    return waiting.size() >= MAX_WAITING
        || waitingBytes + asked.bytes() > limits.publishBufferBytes();
  }

  private boolean isFullOfWanted(Waiting asked) {
    refuse(w -> !w.outcome().isWanted(), GIVEN_UP);
    return isFull(asked);
  }

  private static void send(Sending sending, long treeVersion, PublishOutcome outcome) {
    if (!outcome.isWanted()) {
      outcome.refused(Reason.NO_TREE, GIVEN_UP);
      return;
    }
    try {
      outcome.accepted(sending.send(), treeVersion);
    } catch (BroadcastRefusedException refused) {
      outcome.refused(refused.reason(), String.valueOf(refused.getMessage()));
    }
  }

  /** The tree's phase changed. */
  void treeChanged(TreeStatus status, String explanation) {
    CommittedTree tree = status.tree();
    if (status.ready() && tree != null) {
      takeAll().forEach(w -> send(w.sending(), tree.version(), w.outcome()));
    }
  }

  /** The agent is shutting down: refuses whatever waits, and whatever comes. */
  void leave() {
    left = true;
    takeAll().forEach(w -> w.outcome().refused(Reason.NO_TREE, SHUTTING_DOWN));
  }

  private List<Waiting> takeAll() {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    waitingBytes = 0;
    return all;
  }

  /** Gives up on those whose deadline has passed. */
  void tick(long nowNanos, String explanation) {
    refuse(w -> w.deadlineNanos() <= nowNanos, explanation);
  }

  private void refuse(Predicate<Waiting> which, String why) {
    for (Waiting w : List.copyOf(waiting)) {
      if (which.test(w)) {
        waiting.remove(w);
        waitingBytes -= w.bytes();
        w.outcome().refused(Reason.NO_TREE, why);
      }
    }
  }

  long nextDeadlineNanos() {
    // Asked for after each event, and hardly ever is there one.
    return waiting.isEmpty()
        ? Long.MAX_VALUE
        : waiting.stream().mapToLong(Waiting::deadlineNanos).min().orElse(Long.MAX_VALUE);
  }
}
