package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One {@linkplain Channel channel} of replication to one neighbour: whether this end sends, whether
 * the other end does, and what each needs for it. The channels of a neighbour share a data stream.
 *
 * <p><b>Sending.</b> While this end is <em>active</em>, what the log has and the neighbour lacks
 * waits in the outlet. An active end says {@link Attach} and its digest as soon as the data stream
 * is open, and sends once it has a digest of the neighbour, whether that is the answer or came with
 * the neighbour's own Attach. Ceasing to be active it says {@link Detach} and forgets that it has
 * the digest; so after the next Attach it waits for a fresh one. A digest that answers an Attach
 * from before a Detach may still come: it is only older, which costs duplicates, never a hole.
 *
 * <p><b>Receiving.</b> Items are taken between the neighbour's Attach and its Detach, whether or
 * not this end is active. Every Attach is answered by a digest. The neighbour is granted its window
 * when either end attaches; of uploads one chunk, and the rest when the first has come, so that
 * members that do not upload have their memory for messages. On a link that carries more in two
 * round trips than the window, that of uploads {@linkplain NeededWindow grows}, as far as there is
 * memory. A neighbour that has sent none for a while gives back the credit that is more than that
 * of one chunk.
 *
 * <p><b>Closing.</b> A stream on which neither end is attached, on any channel, is of no use: the
 * end that dialed it closes it. The other end's Attach may be under way then; so that end takes it
 * as no fault when a stream ends on which the dialing end is detached, and waits for the next
 * stream.
 */
public final class DataEdge {
  /** The life of the data stream: AWAITED to OPEN to CLOSED, to OPEN again. */
  public enum Stream {
    AWAITED,
    OPEN,
    /** What still comes is ignored. */
    CLOSED
  }

  private final NodeId neighbour;
  private final Channel channel;
  private final BroadcastLimits limits;
  private final Consumer<EdgeMessage> send;
  private final Supplier<List<Digest>> ownDigest;
  private final LongSupplier reservedBytes;
  private final LongSupplier nowNanos;
  private final EdgeInlet inlet;
  private final Outlet outlet;
  private final NeededWindow needed = new NeededWindow();

  private Stream stream = Stream.AWAITED;
  private boolean active;
  private boolean holding;
  private boolean peerAttached;
  private boolean peerDigestKnown;
  private boolean granted;

  /** Whether the whole window is needed. */
  private boolean used;

  private boolean credited;

  /** How much credit the outlet had taken when that was asked last. */
  private long takenBytes;

  /** How often this end has said Attach on the data stream. */
  private long attached;

  /** The digests that answered; one that comes with the neighbour's own Attach is no answer. */
  private long answered;

  /** Up to where in the log the neighbour was asked what it has; 0 if it was not. */
  private long askedUpTo;

  /** Which answer says that. */
  private long awaitedAnswer;

  /**
   * An edge that is not active, without data stream.
   *
   * @param ownDigest what this end has, in parts
   * @param reservedBytes how much may wait at all edges and channels of this end
   * @param nowNanos the time
   */
  DataEdge(
      NodeId neighbour,
      Channel channel,
      BroadcastLimits limits,
      Consumer<EdgeMessage> send,
      Supplier<List<Digest>> ownDigest,
      LongSupplier reservedBytes,
      LongSupplier nowNanos,
      Outlet outlet) {
    this.neighbour = neighbour;
    this.channel = channel;
    this.limits = limits;
    this.send = send;
    this.ownDigest = ownDigest;
    this.reservedBytes = reservedBytes;
    this.nowNanos = nowNanos;
    this.inlet =
        new EdgeInlet(
            limits, (bytes, windowBytes) -> send.accept(new Credit(channel, bytes, windowBytes)));
    this.outlet = outlet;
  }

  public NodeId neighbour() {
    return neighbour;
  }

  public Stream stream() {
    return stream;
  }

  public boolean isActive() {
    return active;
  }

  /** Whether the neighbour sends items on the open stream. */
  boolean isPeerAttached() {
    return peerAttached;
  }

  public EdgeInlet inlet() {
    return inlet;
  }

  public Outlet outlet() {
    return outlet;
  }

  // What the neighbour may send.

  /** Why the neighbour must not grant this now; null if it may. */
  @Nullable
  public String problemWith(Credit credit) {
    long bytes = credit.bytes();
    if (bytes < 1 || bytes > BroadcastLimits.MAX_BUFFER_BYTES - outlet.credit().bytes()) {
      return "credit of " + bytes + " bytes is out of range";
    }
    boolean first = !credited;
    credited = true;
    if (first && bytes < Chunk.cost(limits.chunkBytes())) {
      return "first credit of "
          + bytes
          + " bytes has no room for a chunk of limits.chunkBytes = "
          + limits.chunkBytes()
          + ", which must be the same on all agents";
    }
    return null;
  }

  /** Counts an item for the inlet; gives why the neighbour must not send it, null if it may. */
  @Nullable
  public String take(LogItem item) {
    if (item instanceof Chunk chunk && chunk.bytes() > limits.chunkBytes()) {
      return chunk
          + " is larger than limits.chunkBytes = "
          + limits.chunkBytes()
          + ", which must be the same on all agents";
    }
    if (!peerAttached) {
      return item + " came from a detached neighbour";
    }
    if (!inlet.take(item.cost())) {
      return item + " exceeds the credit granted of limits.edgeWindowBytes";
    }
    boolean needsMore =
        channel == Channel.UPLOADS && needed.took(item.cost(), nowNanos.getAsLong());
    if (!used || needsMore) {
      used = true;
      widen();
    }
    return null;
  }

  // This end.

  /**
   * Gives back credit of uploads, if none was used since the last call; keeps that of one chunk.
   */
  void giveBackUnusedCredit() {
    long before = takenBytes;
    takenBytes = outlet.credit().takenBytes();
    long spareBytes = outlet.credit().bytes() - Chunk.cost(limits.chunkBytes());
    if (channel == Channel.UPLOADS
        && stream == Stream.OPEN
        && before == takenBytes
        && spareBytes > 0) {
      outlet.credit().takeBack(-spareBytes);
      send.accept(new UnusedCredit(spareBytes));
    }
  }

  /** The neighbour gives back credit; gives why it must not, null if it may. */
  @Nullable String gaveBack(UnusedCredit credit) {
    used = false;
    needed.forget();
    return inlet.narrow(credit.bytes())
        ? null
        : "credit of " + credit.bytes() + " bytes is given back, which was not granted";
  }

  /** This end sends from now on. */
  void activate() {
    active = true;
    outlet.startFromLog();
    outlet.hold(holding);
    if (stream == Stream.OPEN) {
      attach();
    }
  }

  /** This end sends no more. */
  void deactivate() {
    active = false;
    outlet.stop();
    if (stream == Stream.OPEN) {
      peerDigestKnown = false;
      send.accept(new Detach(channel));
    }
  }

  private void attach() {
    grantOnce();
    sayAttach();
    if (peerDigestKnown) {
      outlet.open();
    }
  }

  private void sayAttach() {
    attached++;
    send.accept(new Attach(channel));
    sendDigest();
  }

  /**
   * Whether the neighbour has all that it lacked of what was logged before the entry of this
   * number. Asks it, once all of that was sent: an Attach more changes nothing, and the digest that
   * answers it comes behind what was sent. This end's digest follows it, as it does each Attach:
   * else the neighbour, if it leaves, too, would take the answer to its own question for that.
   */
  boolean hasTaken(long number) {
    if (stream != Stream.OPEN || outlet.hasMissed() || !outlet.hasPassedOn(number)) {
      askedUpTo = 0;
      return false;
    }
    if (askedUpTo < number) {
      sayAttach();
      askedUpTo = number;
      awaitedAnswer = attached;
    }
    return awaitedAnswer <= answered;
  }

  private void sendDigest() {
    ownDigest.get().forEach(send);
  }

  /** Whether the neighbour's slowness holds back others, while this end sends. */
  void hold(boolean shall) {
    holding = shall;
    outlet.hold(active && shall);
  }

  // The data stream.

  void opened() {
    stream = Stream.OPEN;
    credited = false;
    granted = false;
    used = channel == Channel.MESSAGES;
    needed.forget();
    attached = 0;
    answered = 0;
    askedUpTo = 0;
    if (active) {
      attach();
    }
  }

  private void grantOnce() {
    if (!granted) {
      granted = true;
      inlet.open(windowBytes());
    }
  }

  /** Others have left room: it is for this edge, too. */
  void widen() {
    if (stream == Stream.OPEN && granted) {
      inlet.widen(windowBytes());
    }
  }

  /** The round trip of the link to the neighbour. */
  void roundTrip(long nanos) {
    needed.roundTrip(nanos);
  }

  /**
   * The window that the link needs, if that is known to be more than the configured one, or half of
   * what the other edges leave of the memory for all, so that those to come have some of it; but
   * room for the largest chunk.
   */
  private long windowBytes() {
    if (!used) {
      return Chunk.cost(limits.chunkBytes());
    }
    long wantedBytes = Math.max(limits.edgeWindowBytes(), needed.bytes());
    long othersBytes = reservedBytes.getAsLong() - inlet.reservedBytes();
    long halfBytes = (limits.edgesBytes() - othersBytes) / 2;
    return Math.max(Chunk.cost(limits.chunkBytes()), Math.min(wantedBytes, halfBytes));
  }

  /** The stream has ended; what came by it is passed on still. */
  void closed() {
    stream = Stream.CLOSED;
    peerAttached = false;
    peerDigestKnown = false;
    inlet.close();
    outlet.stop();
    outlet.forgetOtherSide();
    if (active) {
      outlet.startFromLog();
      outlet.hold(holding);
    }
  }

  // The neighbour.

  public void peerAttached() {
    peerAttached = true;
    answered--; // The digest that follows is none.
    grantOnce();
    sendDigest();
  }

  public void peerHas(Digest digest) {
    digest.positions().forEach(position -> outlet.advance(position.stream(), position.next()));
    if (digest.last()) {
      answered++;
      peerDigestKnown = true;
      if (active) {
        outlet.open();
      }
    }
  }

  /** What the neighbour wants of topics has changed: it wants these too, and no longer those. */
  public void peerWants(List<String> added, List<String> removed) {
    outlet.unwant(removed);
    outlet.want(added, active);
  }

  public void peerDetached() {
    peerAttached = false;
  }

  /** Whether the neighbour lacks any of the stream, and is to get it from here. */
  private boolean owes(StreamLog forgettable) {
    return active && outlet.wants(forgettable) && outlet.lacks(forgettable, forgettable.next());
  }

  /** Whether the stream can be forgotten, and the neighbour be told what it misses then. */
  boolean mayLose(StreamLog forgettable) {
    return !owes(forgettable) || outlet.mayLose();
  }

  /** The stream was forgotten. */
  void forget(StreamLog forgotten) {
    outlet.forget(forgotten, owes(forgotten));
  }

  /** What the neighbour lacks of a stream that has nothing here, it does not get. */
  public void miss(StreamLog left) {
    if (active && outlet.wants(left)) {
      outlet.miss(left, Position.START, MissedReason.NOT_RETAINED);
    }
  }

  /** Whether either end sends. */
  boolean isAttached() {
    return active || peerAttached;
  }

  /** Whether nothing would be missed if this edge were forgotten. */
  boolean isIdle() {
    return !active && stream != Stream.OPEN && inlet.waitingBytes() == 0;
  }
}
