package io.treecast.collectives;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A local subscriber: which items are for it, and which messages it has in part. Relay's thread.
 *
 * <p>It gets messages that were published under the member's first committed tree or a later one,
 * each from its first chunk on. So it skips the rest of a message that had begun before it
 * subscribed, or that a gap ends in.
 */
final class Subscriber implements Outlet.Exit {
  private final long name;
  private final BroadcastEffects effects;
  private final LongSupplier firstVersion;
  private final Outlet outlet;

  /** By stream, the chunk that the message which it has in part goes on with. */
  private final Map<StreamId, Position> inProgress = new HashMap<>();

  /** By stream, the end of what there is of a message that it is then told not to wait for. */
  private final Map<StreamId, Position> toAbandon = new HashMap<>();

  /** By stream, the begin of the message that it was told not to wait for. */
  private final Map<StreamId, Position> abandoned = new HashMap<>();

  private long deliveredMessages;
  private long missedMessages;
  private long abandonedMessages;

  /**
   * A subscriber that gets what is logged from now on.
   *
   * @param firstVersion of the member's first committed tree; that of no tree before
   */
  Subscriber(long name, BroadcastEffects effects, LongSupplier firstVersion, ReplicationLog log) {
    this.name = name;
    this.effects = effects;
    this.firstVersion = firstVersion;
    this.outlet = new Outlet(log, this);
    log.streams().forEach(stream -> outlet.advance(stream.id(), stream.next()));
  }

  Outlet outlet() {
    return outlet;
  }

  long deliveredMessages() {
    return deliveredMessages;
  }

  long missedMessages() {
    return missedMessages;
  }

  long abandonedMessages() {
    return abandonedMessages;
  }

  @Override
  public boolean wants(LogItem item) {
    return item.treeVersion() >= firstVersion.getAsLong()
        && (item instanceof Gap
            || !item.from().insideMessage()
            || item.from().equals(inProgress.get(item.stream())));
  }

  @Override
  public void pass(LogItem item) {
    StreamId stream = item.stream();
    if (item instanceof Gap gap) {
      inProgress.remove(stream);
      missedMessages += gap.lastMissed() - gap.firstMissed() + 1;
      effects.missed(name, gap);
    } else if (item instanceof Chunk chunk) {
      if (chunk.last()) {
        inProgress.remove(stream);
        deliveredMessages++;
      } else {
        inProgress.put(stream, chunk.to());
      }
      effects.deliver(name, chunk);
    }
    if (item.to().equals(toAbandon.get(stream))) {
      abandon(stream, item.to());
    }
  }

  /** Nobody within reach has more of the stream than up to here, which is inside a message. */
  void abandon(StreamId stream, Position end) {
    if (!end.equals(inProgress.get(stream))) {
      toAbandon.put(stream, end);
      return;
    }
    toAbandon.remove(stream);
    inProgress.remove(stream);
    abandoned.put(stream, new Position(end.sequence(), 0));
    abandonedMessages++;
    effects.abandoned(name, new MessageId(stream.origin(), stream.incarnation(), end.sequence()));
  }

  /** There is more of the stream after all: what it was told not to wait for, it gets anew. */
  void goOn(StreamLog stream) {
    toAbandon.remove(stream.id());
    Position begin = abandoned.remove(stream.id());
    if (begin != null) {
      outlet.replay(stream, begin);
    }
  }

  /** The stream was forgotten. */
  void forget(StreamLog stream) {
    outlet.forget(stream);
    inProgress.remove(stream.id());
    toAbandon.remove(stream.id());
    abandoned.remove(stream.id());
  }
}
