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
 * A relay's part in telling publishers which members have their messages: that this member has one,
 * and what neighbours know, goes towards the origins ({@link ReplicaReports}), or counts for the
 * messages that were published here ({@link AwaitedReplicas}).
 *
 * <p>A member has a message when it has logged all its chunks; nobody need have subscribed there.
 */
public final class Replicas {
  private final Streams streams;
  private final ReplicaReports reports;
  private final AwaitedReplicas awaited;

  /** Of each stream, the message that has come whole so far and goes on. */
  private final TreeMap<StreamId, Long> begun = new TreeMap<>();

  /** Of the committed tree. */
  private SortedSet<NodeId> members = Collections.emptySortedSet();

  /**
   * For one relay.
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
        && !streams.hasLaterLife(replica.member(), replica.incarnation());
  }

  // Local publishers.

  /** Checks that a message may be published here that wants these. */
  public void check(WantedReplicas wanted) throws BroadcastRefusedException {
    if (!awaited.hasRoomFor(wanted)) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_CONFIRMATIONS, awaited.whatIsAwaited() + " already");
    }
  }

  /**
   * A message may be published here, of which nothing is yet.
   *
   * @param settled told how many members have it, when that is known: if any are wanted, and unless
   *     the message is abandoned
   */
  public void begins(MessageId message, WantedReplicas wanted, IntConsumer settled) {
    if (wanted.any()) {
      awaited.begins(message, wanted, settled);
    }
  }

  /** Nothing of that message was published here, nor will be. */
  public void abandons(MessageId message) {
    awaited.abandons(message);
  }

  /** No publisher is to wait any longer. */
  public void settleAll() {
    awaited.settleAll();
  }

  // What is logged, and what neighbours know.

  /**
   * This was logged, and passed on.
   *
   * @param from the neighbour that it came from; null if it was published here
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
   * What a neighbour knows. Of a message that was not published here to its end it is of no use;
   * the neighbour may have it from another one and pass it on in good faith, so its link lives on.
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

  /** This member has committed a tree. */
  public void treeCommitted(CommittedTree tree) {
    members = tree.members();
    reports.treeCommitted(tree);
    awaited.treeCommitted();
  }

  /** The data stream to a neighbour is open. */
  public void opened(NodeId neighbour) {
    reports.opened(neighbour);
  }

  public void forget(StreamId stream) {
    begun.remove(stream);
    reports.forget(stream);
  }

  /** Messages that were sent to neighbours. */
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
