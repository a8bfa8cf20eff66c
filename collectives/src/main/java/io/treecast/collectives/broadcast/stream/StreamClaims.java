package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.log.LatestPositions;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the claims of neighbours and subscribers about streams: no peer can have content that was
 * never published, and an item must continue its stream. Changes nothing.
 */
public final class StreamClaims {
  private final Streams streams;
  private final ReplicationLog log;
  private final BroadcastLimits limits;

  StreamClaims(Streams streams, ReplicationLog log, BroadcastLimits limits) {
    this.streams = streams;
    this.log = log;
    this.limits = limits;
  }

  /** Returns how many streams named by a peer are remembered. */
  public int mostNamed() {
    return 2 * limits.origins();
  }

  /** Returns why a neighbour's digest is invalid; null if it is valid. */
  @Nullable
  public String problemWith(Digest digest) {
    for (StreamPosition position : digest.positions()) {
      if (position.stream().channel() != digest.channel()) {
        return position.stream() + " is not on the channel " + digest.channel();
      }
    }
    return problemWith(digest.positions());
  }

  /** Returns why a neighbour cannot have these positions; null if it can. */
  @Nullable
  public String problemWith(List<StreamPosition> positions) {
    for (StreamPosition position : positions) {
      StreamId id = position.stream();
      if (streams.isPublishedHere(id) && log.next(id).isBefore(position.next())) {
        return position.next() + " is claimed, but was never published here";
      }
    }
    return null;
  }

  /**
   * Returns why an item from a neighbour is invalid; null if it is valid.
   *
   * @param stream the stream of the item; null if there is none here yet
   * @param due the next place of that stream
   */
  @Nullable
  public String problemWith(LogItem item, @Nullable StreamLog stream, Position due) {
    if (streams.isOwn(item.stream())) {
      return item + " was never published here";
    }
    if (due.isBefore(item.from()) || (item instanceof Chunk && item.from().isBefore(due))) {
      return item + " arrived where " + due + " was expected";
    }
    if (stream != null && item.treeVersion() < stream.latestVersion()) {
      return "%s has tree version %s, but earlier content has version %s"
          .formatted(item, item.treeVersion(), stream.latestVersion());
    }
    return null;
  }

  /**
   * Returns whether the message was never published here.
   *
   * @param whole whether a message published in part counts as unpublished
   */
  public boolean isUnpublished(MessageId message, boolean whole) {
    long sequence = message.sequence();
    Position least = whole ? new Position(sequence + 1, 0) : new Position(sequence, 1);
    return streams.isOwn(message.stream()) && log.next(message.stream()).isBefore(least);
  }

  /**
   * Returns the options with the positions of at most as many streams as are remembered.
   *
   * @throws BroadcastRefusedException NOT_A_POSITION if the subscriber cannot have had one of them
   */
  public SubscribeOptions checked(SubscribeOptions options) throws BroadcastRefusedException {
    SubscribeOptions known = LatestPositions.within(options, mostNamed(), log);
    if (known.start() instanceof SubscriptionStart.After after) {
      for (MessageId message : after.messages()) {
        check(message);
      }
    }
    return known;
  }

  private void check(MessageId message) throws BroadcastRefusedException {
    Position next = log.next(message.stream());
    // An upload under way counts as begun: a subscription within it begins after it.
    if (streams.isPublishedHere(message.stream())
        && !new Position(message.sequence(), 0).isBefore(next)) {
      throw new BroadcastRefusedException(
          Reason.NOT_A_POSITION,
          "there is no message "
              + message
              + ": the last one published here is number "
              + (next.insideMessage() ? next.sequence() : next.sequence() - 1));
    }
  }
}
