package io.treecast.agent.core.publish;

import io.treecast.agent.core.contract.PublishCounters;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.agent.core.publish.PublishQueue.Sending;
import io.treecast.agent.core.publish.PublishQueue.Waiting;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.mst.CommittedTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes broadcasts and uploads of local applications. Both are queued until the agent is ready,
 * and broadcasts also until there is room, at most until their deadline. Broadcasts are sent in the
 * order of their arrival, regardless of their size and application. Requests whose callers no
 * longer wait are not sent.
 *
 * <p>Queued and refused broadcasts are not in the log. A broadcast that waits for replicas is in
 * the log, so it is reported as accepted and never as refused.
 */
public final class Publishing {
  private static final String SHUTTING_DOWN = "the agent is shutting down";
  private static final String GIVEN_UP = "the caller no longer waits";

  /** An accepted broadcast that waits for replicas. */
  private record Replicating(PublishOutcome outcome, long treeVersion) {}

  private final BroadcastRelay relay;
  private final BroadcastLimits limits;
  private final RecentAttempts attempts = new RecentAttempts();
  private final PublishQueue broadcasts;
  private final PublishedTopics topics;

  /** The queue of uploads, which wait for a tree only. Their pieces wait for room later. */
  private final PublishQueue uploads;

  /** The accepted broadcasts that wait for replicas. Never iterated. */
  private final Map<MessageId, Replicating> replicating = new HashMap<>();

  private long refused;
  private boolean left;

  public Publishing(BroadcastRelay relay, BroadcastLimits limits) {
    this.relay = relay;
    this.limits = limits;
    this.topics = new PublishedTopics(relay, limits.topics());
    this.broadcasts = new PublishQueue(limits.publishBufferBytes());
    this.uploads = new PublishQueue(limits.publishBufferBytes());
  }

  /** Notes the start of the agent. */
  public void start(long nowNanos) {
    attempts.start(nowNanos);
  }

  /**
   * Sends a broadcast, or queues it until there is a tree and room. A repeated request is not sent
   * again.
   */
  public void publish(
      Publication publication, TreeStatus status, PublishOutcome outcome, long nowNanos) {
    Attempt attempt = publication.attempt();
    PublishOutcome first =
        attempt == null ? outcome : attempts.firstOf(publication, attempt, outcome, nowNanos);
    if (first == null) {
      waitLonger(publication);
      return;
    }
    Sending sending =
        sentNanos ->
            sendOn(
                publication,
                at ->
                    relay.publish(
                        publication.topic(),
                        publication.payload(),
                        publication.receiptMillis(),
                        publication.crc32c(),
                        publication.wantedReplicas(at),
                        publication.headers()),
                sentNanos);
    Waiting asked = waiting(publication, sending, publication.replicas() > 0, first, nowNanos);
    CommittedTree tree = status.tree();
    if (left) {
      first.refused(Reason.SHUTTING_DOWN, SHUTTING_DOWN);
    } else if (asked.bytes() > limits.payloadBytes()) {
      send(asked, 0, nowNanos); // The relay refuses it with its reason.
    } else if (tree == null || !status.ready()) {
      enqueue(broadcasts, asked, status::reason);
    } else if (hasToWait(asked, nowNanos) || !sentNow(asked, tree.version(), nowNanos)) {
      lineForRoom(asked, nowNanos);
    }
  }

  /** Extends the deadline of a queued request if its retry has a later one. */
  private void waitLonger(Publication retry) {
    PublishOutcome first = attempts.undecided(retry);
    if (first != null) {
      broadcasts.waitUntil(retry.deadlineNanos(), first);
    }
  }

  private boolean hasToWait(Waiting asked, long nowNanos) {
    boolean mayWait = asked.deadlineNanos() > nowNanos;
    return !broadcasts.isEmpty() || (mayWait && relay.publisher().isTurnOfUploads());
  }

  /** Begins an upload, or queues it until there is a tree. */
  public void beginUpload(
      long upload, Publication begun, TreeStatus status, PublishOutcome outcome, long nowNanos) {
    // The wait for replicas begins at the upload's end, and may take the whole time again.
    WantedReplicas wanted = begun.wantedReplicas(nowNanos);
    Sending sending =
        sentNanos ->
            sendOn(
                begun,
                at -> relay.uploads().begin(upload, begun.topic(), begun.receiptMillis(), wanted),
                sentNanos);
    Waiting asked = waiting(begun, sending, false, outcome, nowNanos);
    CommittedTree tree = status.tree();
    if (left) {
      outcome.refused(Reason.SHUTTING_DOWN, SHUTTING_DOWN);
    } else if (tree == null || !status.ready()) {
      enqueue(uploads, asked, status::reason);
    } else {
      send(asked, tree.version(), nowNanos);
    }
  }

  /** Sends a request, if its client may publish on its topic. */
  private MessageId sendOn(Publication publication, Sending sending, long nowNanos)
      throws BroadcastRefusedException {
    topics.check(publication.client(), publication.topic());
    MessageId sent = sending.send(nowNanos);
    topics.published(publication.client(), publication.topic());
    return sent;
  }

  private static Waiting waiting(
      Publication publication,
      Sending sending,
      boolean untilReplicated,
      PublishOutcome outcome,
      long nowNanos) {
    return new Waiting(
        publication.client(),
        publication.bytes(),
        nowNanos,
        publication.deadlineNanos(),
        sending,
        untilReplicated,
        outcome);
  }

  /**
   * Queues a request, or refuses it if the queue is full. A full queue first drops the requests
   * whose callers no longer wait.
   *
   * @param whatFor supplies the reason for waiting; evaluated only for a refusal, since many
   *     requests wait while members are slow
   */
  private void enqueue(PublishQueue queue, Waiting asked, Supplier<String> whatFor) {
    if (!queue.hasPlaceFor(asked)) {
      dropUnwanted(asked.sinceNanos());
    }
    if (queue.hasPlaceFor(asked)) {
      queue.add(asked);
    } else {
      refuse(asked, Reason.PUBLISH_BUFFER_FULL, queue.fullReason(asked) + ": " + whatFor.get());
    }
  }

  private void lineForRoom(Waiting asked, long nowNanos) {
    if (asked.deadlineNanos() <= nowNanos) {
      refuse(asked, Reason.PUBLISH_BUFFER_FULL, fullReason(asked));
    } else {
      enqueue(broadcasts, asked, () -> fullReason(asked));
    }
  }

  /**
   * Returns why there is no room for the first request in the queue, or for this one if the queue
   * is empty.
   */
  private String fullReason(Waiting asked) {
    Waiting first = broadcasts.first();
    return relay.publisher().fullReason(first == null ? asked.bytes() : first.bytes());
  }

  private void refuse(Waiting asked, Reason reason, String why) {
    refused += reason == Reason.PUBLISH_BUFFER_FULL ? 1 : 0;
    asked.outcome().refused(reason, why);
  }

  /** Sends or refuses a request now; returns false if it may wait for room instead. */
  private boolean sentNow(Waiting asked, long treeVersion, long nowNanos) {
    BroadcastRefusedException refusal = attempt(asked, treeVersion, nowNanos);
    boolean mayWait = asked.deadlineNanos() > nowNanos;
    if (refusal != null && refusal.reason() == Reason.PUBLISH_BUFFER_FULL && mayWait) {
      return false;
    }
    refuse(asked, refusal);
    return true;
  }

  private void send(Waiting asked, long treeVersion, long nowNanos) {
    refuse(asked, attempt(asked, treeVersion, nowNanos));
  }

  private void refuse(Waiting asked, @Nullable BroadcastRefusedException refusal) {
    if (refusal != null) {
      refuse(asked, refusal.reason(), String.valueOf(refusal.getMessage()));
    }
  }

  /**
   * Sends a request, unless its caller no longer waits. Returns a refusal of the relay, which the
   * caller of this method must report; null if there is none.
   */
  private @Nullable BroadcastRefusedException attempt(
      Waiting asked, long treeVersion, long nowNanos) {
    if (!asked.outcome().isWanted()) {
      refuse(asked, Reason.NO_TREE, GIVEN_UP);
      return null;
    }
    try {
      MessageId message = asked.sending().send(nowNanos);
      if (asked.untilReplicated()) {
        replicating.put(message, new Replicating(asked.outcome(), treeVersion));
      } else {
        asked.outcome().accepted(message, treeVersion, 0);
      }
      return null;
    } catch (BroadcastRefusedException refusal) {
      return refusal;
    }
  }

  /**
   * Reports the number of other members that have a broadcast, when it suffices or at the deadline.
   */
  public void replicated(MessageId message, int replicas) {
    Replicating known = replicating.remove(message);
    if (known != null) {
      known.outcome().accepted(message, known.treeVersion(), replicas);
    }
  }

  /** Returns whether requests are queued. */
  public boolean isWaiting() {
    return !broadcasts.isEmpty() || !uploads.isEmpty();
  }

  /** Sends queued requests after an event that may have made room. */
  public void proceed(TreeStatus status, long nowNanos) {
    CommittedTree tree = status.tree();
    if (tree == null || !status.ready()) {
      return;
    }
    uploads.take(all -> true, nowNanos).forEach(begun -> send(begun, tree.version(), nowNanos));
    Waiting first = broadcasts.first();
    while (first != null && canLeave(first)) {
      broadcasts.removeFirst(nowNanos);
      send(first, tree.version(), nowNanos);
      first = broadcasts.first();
    }
  }

  private boolean canLeave(Waiting first) {
    return !first.outcome().isWanted() || relay.publisher().canPublish(first.bytes());
  }

  /** Drops queued requests whose callers no longer wait. */
  public void dropUnwanted(long nowNanos) {
    refuseAll(asked -> !asked.outcome().isWanted(), Reason.NO_TREE, GIVEN_UP, nowNanos);
  }

  /** Refuses all queued and future requests, since the agent is shutting down. */
  public void leave(long nowNanos) {
    left = true;
    refuseAll(asked -> true, Reason.SHUTTING_DOWN, SHUTTING_DOWN, nowNanos);
  }

  private void refuseAll(Predicate<Waiting> which, Reason reason, String why, long nowNanos) {
    for (PublishQueue queue : List.of(broadcasts, uploads)) {
      queue.take(which, nowNanos).forEach(asked -> refuse(asked, reason, why));
    }
  }

  /** Refuses requests whose deadline has passed. */
  public void tick(TreeStatus status, long nowNanos) {
    Predicate<Waiting> isOver = asked -> asked.deadlineNanos() <= nowNanos;
    Waiting first = broadcasts.first();
    if (status.ready() && first != null) {
      String why = fullReason(first);
      broadcasts
          .take(isOver, nowNanos)
          .forEach(
              asked ->
                  refuse(asked, Reason.PUBLISH_BUFFER_FULL, waitedText(asked, nowNanos) + why));
    } else {
      refuseAll(isOver, Reason.NO_TREE, status.reason(), nowNanos);
    }
  }

  private static String waitedText(Waiting asked, long nowNanos) {
    long waitedMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - asked.sinceNanos());
    return "waited " + waitedMillis + " ms for room: ";
  }

  public long nextDeadlineNanos() {
    return Math.min(broadcasts.nextDeadlineNanos(), uploads.nextDeadlineNanos());
  }

  public PublishCounters counters() {
    return new PublishCounters(
        broadcasts.size() + uploads.size(),
        broadcasts.waits() + uploads.waits(),
        broadcasts.waitedNanos() + uploads.waitedNanos(),
        refused);
  }
}
