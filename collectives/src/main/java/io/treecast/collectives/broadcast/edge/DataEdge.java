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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One {@linkplain Channel channel} of replication to one neighbour: whether each end sends, and the
 * digests and credit that it needs for that. The channels of a neighbour share a data stream.
 *
 * <p><b>Sending.</b> While this end is <em>active</em>, content of the log that the neighbour lacks
 * waits in the outlet. An active end sends {@link Attach} and its digest as soon as the data stream
 * is open. It sends items once it has a digest of the neighbour, whether that is the answer or
 * arrived with the neighbour's own Attach. When it stops being active it sends {@link Detach} and
 * forgets that it has the digest, so after the next Attach it waits for a fresh one. A digest that
 * answers an Attach from before a Detach may still arrive: it is merely older, which costs
 * duplicates, never a hole.
 *
 * <p><b>Receiving.</b> Items are accepted between the neighbour's Attach and its Detach, whether or
 * not this end is active. Every Attach is answered by a digest. The neighbour receives its window
 * when either end attaches. For uploads the window is one chunk at first, and the rest is granted
 * when that chunk has arrived, so that members that do not upload have their memory for messages.
 * The window for uploads {@linkplain NeededWindow grows} where the link carries more in two round
 * trips and there is memory. A sender that has sent no upload for a while returns the credit beyond
 * one chunk.
 *
 * <p><b>Closing.</b> A stream on which neither end is attached, on any channel, is useless: the end
 * that dialed it closes it. The other end's Attach may be under way at that time. That end
 * therefore does not treat the end of a stream on which the dialing end is detached as a fault, and
 * waits for the next stream.
 */
public final class DataEdge {
  /** The state of the data stream: AWAITED to OPEN to CLOSED, to OPEN again. */
  public enum Stream {
    AWAITED,
    OPEN,
    /** Messages that still arrive are ignored. */
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

  /** Whether the neighbour has used the channel, so that the whole window is needed. */
  private boolean used;

  private boolean credited;

  /** The credit that the outlet had taken at the last check for unused credit. */
  private long takenBytes;

  /** The number of times that this end has sent Attach on the data stream. */
  private long attached;

  /**
   * The number of answering digests; one that follows the neighbour's own Attach is not an answer.
   */
  private long answered;

  /**
   * The log number up to which the neighbour was asked for its positions; 0 if it was not asked.
   */
  private long askedUpTo;

  /** The number of the answer that states them. */
  private long awaitedAnswer;

  /**
   * Creates an inactive edge without a data stream.
   *
   * @param ownDigest returns the positions of this end, in parts
   * @param reservedBytes returns how much may wait at all edges and channels of this end
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

  /** Returns whether the neighbour sends items on the open stream. */
  boolean isPeerAttached() {
    return peerAttached;
  }

  public EdgeInlet inlet() {
    return inlet;
  }

  public Outlet outlet() {
    return outlet;
  }

  // Content from the neighbour.

  /** Returns why the neighbour must not grant this credit now; null if it may. */
  @Nullable
  public String problemWith(Credit credit) {
    long bytes = credit.bytes();
    if (bytes < 1 || bytes > BroadcastLimits.MAX_BUFFER_BYTES - outlet.credit().bytes()) {
      return "credit of " + bytes + " bytes is out of range";
    }
    boolean first = !credited;
    credited = true;
    if (first && bytes < Chunk.cost(limits.chunkBytes())) {
      return ("first credit of %s bytes has no room for a chunk of limits.chunkBytes = %s, "
              + "which must be the same on all agents")
          .formatted(bytes, limits.chunkBytes());
    }
    return null;
  }

  /** Counts an item for the inlet; returns why the neighbour must not send it, null if it may. */
  @Nullable
  public String take(LogItem item) {
    if (item instanceof Chunk chunk && chunk.bytes() > limits.chunkBytes()) {
      return "%s is larger than limits.chunkBytes = %s, which must be the same on all agents"
          .formatted(chunk, limits.chunkBytes());
    }
    if (!peerAttached) {
      return item + " arrived from a detached neighbour";
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

  /** Returns credit of uploads that was not used since the last call; keeps that of one chunk. */
  void returnUnusedCredit() {
    long before = takenBytes;
    takenBytes = outlet.credit().takenBytes();
    long spareBytes = outlet.credit().bytes() - Chunk.cost(limits.chunkBytes());
    if (channel == Channel.UPLOADS
        && stream == Stream.OPEN
        && before == takenBytes
        && spareBytes > 0) {
      outlet.credit().reclaim(-spareBytes);
      send.accept(new UnusedCredit(spareBytes));
    }
  }

  /**
   * Accepts credit that the neighbour returns; returns why it must not return it, null if it may.
   */
  @Nullable String creditReturned(UnusedCredit credit) {
    used = false;
    needed.forget();
    return inlet.narrow(credit.bytes())
        ? null
        : credit.bytes() + " bytes of credit are returned, which were not granted";
  }

  /** Starts sending. */
  void activate() {
    active = true;
    outlet.startFromLog();
    outlet.hold(holding);
    if (stream == Stream.OPEN) {
      attach();
    }
  }

  /** Stops sending. */
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
    sendAttach();
    if (peerDigestKnown) {
      outlet.open();
    }
  }

  private void sendAttach() {
    attached++;
    send.accept(new Attach(channel));
    sendDigest();
  }

  /**
   * Returns whether the neighbour has everything that it lacked among the entries logged before the
   * given number. Once all of that was sent, requests the neighbour's positions by one more Attach,
   * which changes nothing else: the digest that answers it arrives behind the sent items. This
   * end's digest follows each Attach. Without it, a neighbour that is leaving as well would mistake
   * the answer to its own Attach for that digest.
   */
  boolean hasTaken(long number) {
    if (stream != Stream.OPEN || outlet.hasMissed() || !outlet.isDrainedBefore(number)) {
      askedUpTo = 0;
      return false;
    }
    if (askedUpTo < number) {
      sendAttach();
      askedUpTo = number;
      awaitedAnswer = attached;
    }
    return awaitedAnswer <= answered;
  }

  private void sendDigest() {
    ownDigest.get().forEach(send);
  }

  /** Sets whether a slow neighbour holds back others while this end sends. */
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

  /** Enlarges the window, because other edges have left room. */
  void widen() {
    if (stream == Stream.OPEN && granted) {
      inlet.widen(windowBytes());
    }
  }

  /** Sets the round trip of the link to the neighbour. */
  void roundTrip(long nanos) {
    needed.roundTrip(nanos);
  }

  /**
   * The window that the link needs, at least the configured one, but at most half of the memory
   * that the other edges leave, so that future edges get some of it. At least the largest chunk.
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

  /** Handles the end of the stream; items that arrived on it are still passed on. */
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
    answered--; // The digest that follows is not an answer.
    grantOnce();
    sendDigest();
  }

  public void digestReceived(Digest digest) {
    digest.positions().forEach(position -> outlet.advance(position.stream(), position.next()));
    if (digest.last()) {
      answered++;
      peerDigestKnown = true;
      if (active) {
        outlet.open();
      }
    }
  }

  /** Applies a change of the topics that the neighbour wants. */
  public void topicsChanged(List<String> added, List<String> removed) {
    outlet.removeTopics(removed);
    outlet.addTopics(added, active);
  }

  /** Sets the selections with receivers on the neighbour's side. */
  public void selectionsChanged(Set<String> selections) {
    outlet.setSelections(selections, active);
  }

  public void peerDetached() {
    peerAttached = false;
  }

  /** Whether the neighbour lacks some of the stream and must get it from here. */
  private boolean owes(StreamLog forgettable) {
    return active && outlet.accepts(forgettable) && outlet.lacks(forgettable, forgettable.next());
  }

  /** Returns whether the stream can be forgotten, with at most a gap for the neighbour. */
  boolean mayLose(StreamLog forgettable) {
    return !owes(forgettable) || outlet.mayLose();
  }

  /** Notes that the stream was forgotten. */
  void forget(StreamLog forgotten) {
    outlet.forget(forgotten, owes(forgotten));
  }

  /** Turns the part that the neighbour lacks of a stream without content here into a gap. */
  public void miss(StreamLog left) {
    if (active && outlet.accepts(left)) {
      outlet.miss(left, Position.START, MissedReason.NOT_RETAINED);
    }
  }

  /** Returns whether either end sends. */
  boolean isAttached() {
    return active || peerAttached;
  }

  /** Returns whether the edge can be removed without a loss of state. */
  boolean isIdle() {
    return !active && stream != Stream.OPEN && inlet.waitingBytes() == 0;
  }
}
