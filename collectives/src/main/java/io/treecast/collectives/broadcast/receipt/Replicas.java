package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Replica;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A relay's part in reporting replicas to publishers: this member's replicas, and those reported by
 * neighbours, go towards the origins ({@link ReplicaReports}), or count for the messages that were
 * published here ({@link AwaitedReplicas}).
 *
 * <p>A member has a message when it has logged all its chunks, with or without a subscriber.
 */
public final class Replicas {
  private final Streams streams;
  private final ReplicaReports reports;
  private final AwaitedReplicas awaited;

  /** The message in progress of each stream, if it is here from its beginning. */
  private final TreeMap<StreamId, Long> begun = new TreeMap<>();

  /** The members of the committed tree. */
  private SortedSet<NodeId> members = Collections.emptySortedSet();

  /**
   * Creates the replicas of one relay.
   *
   * @param isOpen whether there is a data stream to a neighbour
   */
  public Replicas(Streams streams, Predicate<NodeId> isOpen, BiConsumer<NodeId, EdgeMessage> send) {
    this.streams = streams;
    this.reports = new ReplicaReports(streams.self(), isOpen, send);
    this.awaited = new AwaitedReplicas(this::counts);
  }

  private boolean counts(Replica replica) {
    return members.contains(replica.member())
        && !replica.member().equals(streams.self())
        && !streams.hasLaterIncarnation(replica.member(), replica.incarnation());
  }

  // Local publishers.

  /** Checks that a message with these wanted replicas may be published here. */
  public void check(WantedReplicas wanted) throws BroadcastRefusedException {
    if (!awaited.hasRoomFor(wanted)) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_CONFIRMATIONS, awaited.describeAwaited() + " already");
    }
  }

  /**
   * Notes that a message is about to be published here.
   *
   * @param settled called with the number of members that have it, when that is known, if any are
   *     wanted and unless the message is abandoned
   */
  public void begins(MessageId message, WantedReplicas wanted, IntConsumer settled) {
    if (wanted.any()) {
      awaited.begins(message, wanted, settled);
    }
  }

  /** Notes that no chunk of that message was published here, or will be. */
  public void abandons(MessageId message) {
    awaited.abandons(message);
  }

  /** Ends the wait of all publishers. */
  public void settleAll() {
    awaited.settleAll();
  }

  // Logged items, and reports of neighbours.

  /**
   * Notes that an item was logged, and passed on.
   *
   * @param from the neighbour that sent it; null if it was published here
   */
  public void logged(LogItem item, @Nullable NodeId from) {
    if (!(item instanceof Chunk chunk) || !chunk.replicas().any()) {
      begun.remove(item.stream());
      return;
    }
    long sequence = chunk.messageId().sequence();
    if (chunk.index() == 0) {
      begun.put(chunk.stream(), sequence);
    }
    if (chunk.last()) {
      Long whole = begun.remove(chunk.stream());
      if (chunk.abandoned()) {
        awaited.abandons(chunk.messageId());
      } else if (from == null) {
        awaited.published(chunk.messageId());
      } else if (whole != null && whole == sequence) {
        Replica own = new Replica(streams.self(), streams.incarnation());
        reports.add(chunk.messageId(), chunk.replicas(), List.of(own));
      }
    }
  }

  /**
   * Handles a neighbour's report. A report about a message that was not published here to its end
   * is ignored, but is not a violation: the neighbour may have it from another member, and only
   * forward it.
   */
  public void received(Replicated replicated) {
    MessageId message = replicated.message();
    if (streams.claims().isUnpublished(message, true)) {
      return;
    }
    if (streams.isOwn(message.stream())) {
      awaited.add(message, replicated.replicas());
    } else if (!message.origin().equals(streams.self())) {
      reports.add(message, replicated.wanted(), replicated.replicas());
    }
  }

  /** Notes that this member has committed a tree. */
  public void treeCommitted(CommittedTree tree) {
    members = tree.members();
    reports.treeCommitted(tree);
    awaited.treeCommitted();
  }

  /** Notes that the data stream to a neighbour is open. */
  public void opened(NodeId neighbour) {
    reports.opened(neighbour);
  }

  public void forget(StreamId stream) {
    begun.remove(stream);
    reports.forget(stream);
  }

  /** Returns the number of messages that were sent to neighbours. */
  public long sentMessages() {
    return reports.sentMessages();
  }

  public long nextDeadlineNanos() {
    return awaited.nextDeadlineNanos();
  }

  public void tick(long now) {
    reports.tick(now);
    awaited.tick(now);
  }
}
