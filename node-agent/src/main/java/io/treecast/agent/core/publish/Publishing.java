package io.treecast.agent.core.publish;

import io.treecast.agent.core.contract.PublishCounters;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.agent.core.publish.WaitingLine.Sending;
import io.treecast.agent.core.publish.WaitingLine.Waiting;
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
 * Broadcasts and uploads of local applications. They wait here until the agent is ready, and
 * broadcasts also for room, up to their deadline. They are sent in the order in which they came: no
 * broadcast overtakes another, neither of the same application, nor a smaller one a larger.
 * Requests whose callers have given up are not sent.
 *
 * <p>A waiting broadcast has not been logged, and a refused one will not be. A broadcast that waits
 * for replicas has been logged: it ends with an outcome, never with a refusal.
 */
public final class Publishing {
  private static final String SHUTTING_DOWN = "the agent is shutting down";
  private static final String GIVEN_UP = "nobody waits for it any more";

  /** An accepted broadcast that waits for replicas. */
  private record Replicating(PublishOutcome outcome, long treeVersion) {}

  private final BroadcastRelay relay;
  private final BroadcastLimits limits;
  private final RecentAttempts attempts = new RecentAttempts();
  private final WaitingLine broadcasts;
  private final PublishedTopics topics;

  /** Uploads wait for a tree only: their pieces wait for room. */
  private final WaitingLine uploads;

  /** Only looked up. */
  private final Map<MessageId, Replicating> replicating = new HashMap<>();

  private long refused;
  private boolean left;

  public Publishing(BroadcastRelay relay, BroadcastLimits limits) {
    this.relay = relay;
    this.limits = limits;
    this.topics = new PublishedTopics(relay, limits.topics());
    this.broadcasts = new WaitingLine(limits.publishBufferBytes());
    this.uploads = new WaitingLine(limits.publishBufferBytes());
  }

  /** Notes the start of the agent. */
  public void start(long nowNanos) {
    attempts.start(nowNanos);
  }

  /** Sends a broadcast, unless it was sent before, or queues it until there is a tree and room. */
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
      send(asked, 0, nowNanos); // To be refused.
    } else if (tree == null || !status.ready()) {
      line(broadcasts, asked, status::reason);
    } else if (hasToWait(asked, nowNanos) || !sentNow(asked, tree.version(), nowNanos)) {
      lineForRoom(asked, nowNanos);
    }
  }

  /** A retry of a waiting request may say that it can wait longer. */
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
    // The wait for replicas begins with the upload's end, and may last as long as the whole wait.
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
      line(uploads, asked, status::reason);
    } else {
      send(asked, tree.version(), nowNanos);
    }
  }

  /** Sends it if its topic has room for its client. */
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
   * Queues it if there is a place; if there is none, requests whose callers have given up are
   * removed.
   *
   * @param whatFor evaluated only for a refusal, since many requests wait while members are slow
   */
  private void line(WaitingLine line, Waiting asked, Supplier<String> whatFor) {
    if (!line.hasPlaceFor(asked)) {
      dropUnwanted(asked.sinceNanos());
    }
    if (line.hasPlaceFor(asked)) {
      line.add(asked);
    } else {
      refuse(asked, Reason.PUBLISH_BUFFER_FULL, line.whyFull(asked) + ": " + whatFor.get());
    }
  }

  private void lineForRoom(Waiting asked, long nowNanos) {
    if (asked.deadlineNanos() <= nowNanos) {
      refuse(asked, Reason.PUBLISH_BUFFER_FULL, whatIsFull(asked));
    } else {
      line(broadcasts, asked, () -> whatIsFull(asked));
    }
  }

  /** Returns why there is no room: the first request in the queue has none, or this one. */
  private String whatIsFull(Waiting asked) {
    Waiting first = broadcasts.first();
    return relay.publisher().whatIsFull(first == null ? asked.bytes() : first.bytes());
  }

  private void refuse(Waiting asked, Reason reason, String why) {
    refused += reason == Reason.PUBLISH_BUFFER_FULL ? 1 : 0;
    asked.outcome().refused(reason, why);
  }

  /** Returns whether it was sent, or refused for another reason than a lack of room. */
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

  /** Sends it, or returns the reason why not, which has not been reported. */
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

  /** Reports that this many members have a broadcast of this agent, or that the time is over. */
  public void replicated(MessageId message, int replicas) {
    Replicating known = replicating.remove(message);
    if (known != null) {
      known.outcome().accepted(message, known.treeVersion(), replicas);
    }
  }

  /** Returns whether requests wait. */
  public boolean isWaiting() {
    return !broadcasts.isEmpty() || !uploads.isEmpty();
  }

  /** Sends waiting requests after an event that may have made room. */
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
    return !first.outcome().isWanted() || relay.publisher().mayGoOn(first.bytes());
  }

  /** Drops requests whose callers have given up, which makes room for others. */
  public void dropUnwanted(long nowNanos) {
    refuseAll(asked -> !asked.outcome().isWanted(), Reason.NO_TREE, GIVEN_UP, nowNanos);
  }

  /** Refuses all waiting and future requests: the agent is shutting down. */
  public void leave(long nowNanos) {
    left = true;
    refuseAll(asked -> true, Reason.SHUTTING_DOWN, SHUTTING_DOWN, nowNanos);
  }

  private void refuseAll(Predicate<Waiting> which, Reason reason, String why, long nowNanos) {
    for (WaitingLine line : List.of(broadcasts, uploads)) {
      line.take(which, nowNanos).forEach(asked -> refuse(asked, reason, why));
    }
  }

  /** Refuses requests whose deadline has passed. */
  public void tick(TreeStatus status, long nowNanos) {
    Predicate<Waiting> isOver = asked -> asked.deadlineNanos() <= nowNanos;
    Waiting first = broadcasts.first();
    if (status.ready() && first != null) {
      String why = whatIsFull(first);
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
