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
 * What neighbours and subscribers may say of streams: nobody has what was never published, and what
 * comes of a stream is what follows. Changes nothing.
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

  /** How many streams are remembered of those that somebody else names. */
  public int mostNamed() {
    return 2 * limits.origins();
  }

  /** Why a neighbour cannot say this; null if it can. */
  @Nullable
  public String problemWith(Digest digest) {
    for (StreamPosition position : digest.positions()) {
      if (position.stream().channel() != digest.channel()) {
        return position.stream() + " is not on the channel " + digest.channel();
      }
    }
    return problemWith(digest.positions());
  }

  /** Why a neighbour cannot have this; null if it can. */
  @Nullable
  public String problemWith(List<StreamPosition> positions) {
    for (StreamPosition position : positions) {
      StreamId id = position.stream();
      if (streams.isPublishedHere(id) && log.next(id).isBefore(position.next())) {
        return position.next() + " is claimed, which was never published here";
      }
    }
    return null;
  }

  /**
   * Why an item cannot come from a neighbour; null if it can.
   *
   * @param stream that it is of; null if there is none here yet
   * @param due what comes next in it
   */
  @Nullable
  public String problemWith(LogItem item, @Nullable StreamLog stream, Position due) {
    if (streams.isOwn(item.stream())) {
      return item + " was never published here";
    }
    if (due.isBefore(item.from()) || (item instanceof Chunk && item.from().isBefore(due))) {
      return item + " came where " + due + " was due";
    }
    if (stream != null && item.treeVersion() < stream.latestVersion()) {
      return item
          + " has tree version "
          + item.treeVersion()
          + ", behind one of "
          + stream.latestVersion();
    }
    return null;
  }

  /**
   * Whether the message is one that was never published here.
   *
   * @param whole whether all of it has to be
   */
  public boolean isUnpublished(MessageId message, boolean whole) {
    long sequence = message.sequence();
    Position least = whole ? new Position(sequence + 1, 0) : new Position(sequence, 1);
    return streams.isOwn(message.stream()) && log.next(message.stream()).isBefore(least);
  }

  /**
   * The same, after the positions of no more streams than are remembered.
   *
   * @throws BroadcastRefusedException NOT_A_POSITION if a subscriber cannot have had one of them
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
    // One that is being uploaded has begun: who came in its middle begins after it.
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
