package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A relay's edges of both {@linkplain Channel channels}: the active ones, and others whose state is
 * still needed.
 *
 * <p>Operations on all edges of a channel follow the order of the neighbours' ids.
 *
 * <p><b>No deadlock.</b> Duplicates wait for nothing. Write u→v for the items of a channel that
 * came from u and are held at v. They wait only for v's subscribers and for room of the same
 * channel in v→w, for edges v–w other than u–v that v holds for: those of the tree that v has
 * committed. Active edges beside the tree keep no item waiting, so cycles of active edges do not
 * matter. Neither do cycles of the two channels' trees together, because a window belongs to one
 * channel. Following such waits is a walk that never turns back. If all have committed the same
 * tree, it visits no node twice and ends at subscribers. Room in a window is room for the head of
 * an outlet, because each window holds the largest item. So as long as subscribers consume,
 * everything moves. Nodes that have committed different trees may wait in a circle, at most until
 * the commits under way have reached them: those travel on other streams and wait for no data.
 */
public final class DataEdges {
  /** The interval between checks for unused credit. */
  public static final long UNUSED_NANOS = 10_000_000_000L;

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final BroadcastEffects effects;
  private final BiFunction<NodeId, Channel, List<Digest>> digest;
  private final EnumMap<Channel, Map<NodeId, DataEdge>> edges = new EnumMap<>(Channel.class);
  private final EnumMap<Channel, Collection<NodeId>> held = new EnumMap<>(Channel.class);

  /** The incarnation of each neighbour with an open data stream. */
  private final TreeMap<NodeId, Long> incarnations = new TreeMap<>();

  private long forwardedChunks;
  private long nextReviewNanos = Long.MIN_VALUE;
  private long nowNanos;

  /**
   * Creates an empty set of edges.
   *
   * @param digest returns the positions of this member in a channel's streams, as reported to
   *     neighbours
   */
  public DataEdges(
      BroadcastLimits limits,
      ReplicationLog log,
      BroadcastEffects effects,
      BiFunction<NodeId, Channel, List<Digest>> digest) {
    this.limits = limits;
    this.log = log;
    this.effects = effects;
    this.digest = digest;
    for (Channel channel : Channel.values()) {
      edges.put(channel, new TreeMap<>());
      held.put(channel, List.of());
    }
  }

  private Map<NodeId, DataEdge> of(Channel channel) {
    return Objects.requireNonNull(edges.get(channel));
  }

  @Nullable
  public DataEdge find(NodeId neighbour, Channel channel) {
    return of(channel).get(neighbour);
  }

  /** Returns the edge of a channel to a neighbour with a data stream, which has both channels. */
  public DataEdge of(NodeId neighbour, Channel channel) {
    return Objects.requireNonNull(find(neighbour, channel));
  }

  /** Returns whether the data stream to a neighbour is open. */
  public boolean isOpen(NodeId neighbour) {
    DataEdge edge = find(neighbour, Channel.MESSAGES);
    return edge != null && edge.stream() == DataEdge.Stream.OPEN;
  }

  /** Returns whether the neighbour sends items on the open data stream. */
  public boolean isPeerAttached(NodeId neighbour) {
    return to(neighbour).stream().anyMatch(DataEdge::isPeerAttached);
  }

  /** Returns whether the data stream to a neighbour is open, and neither end sends on it. */
  public boolean isDetached(NodeId neighbour) {
    return isOpen(neighbour) && to(neighbour).stream().noneMatch(DataEdge::isAttached);
  }

  /** The existing channels to a neighbour. */
  private List<DataEdge> to(NodeId neighbour) {
    List<DataEdge> found = new ArrayList<>();
    for (Map<NodeId, DataEdge> ofChannel : edges.values()) {
      DataEdge edge = ofChannel.get(neighbour);
      if (edge != null) {
        found.add(edge);
      }
    }
    return found;
  }

  private Stream<DataEdge> all() {
    return edges.values().stream().flatMap(ofChannel -> ofChannel.values().stream());
  }

  /** Returns the edges for messages, by neighbour. */
  public Map<NodeId, DataEdge> byNeighbour() {
    return Collections.unmodifiableMap(of(Channel.MESSAGES));
  }

  /**
   * Notes that the data stream to a neighbour is open.
   *
   * @param incarnation of the neighbour's agent
   * @throws IllegalStateException if it is open already
   */
  public void opened(NodeId neighbour, long incarnation) {
    if (isOpen(neighbour)) {
      throw new IllegalStateException("the data stream to " + neighbour + " is open already");
    }
    incarnations.put(neighbour, incarnation);
    for (Channel channel : Channel.values()) {
      to(neighbour, channel).opened();
    }
  }

  /** Notes that the data stream to a neighbour has ended. */
  public void closed(NodeId neighbour) {
    incarnations.remove(neighbour);
    to(neighbour).forEach(DataEdge::closed);
    all().forEach(DataEdge::widen);
  }

  /** Accepts credit that a neighbour returns; returns why it must not, null if it may. */
  @Nullable
  public String creditReturned(NodeId neighbour, UnusedCredit credit) {
    String problem = of(neighbour, Channel.UPLOADS).creditReturned(credit);
    all().forEach(DataEdge::widen);
    return problem;
  }

  /** Sets the round trip of the link to a neighbour, if it has a data stream. */
  public void roundTrip(NodeId neighbour, long nanos) {
    DataEdge edge = find(neighbour, Channel.UPLOADS);
    if (edge != null) {
      edge.roundTrip(nanos);
    }
  }

  public void tick(long now) {
    nowNanos = now;
    if (now >= nextReviewNanos) {
      nextReviewNanos = now + UNUSED_NANOS;
      of(Channel.UPLOADS).values().forEach(DataEdge::returnUnusedCredit);
    }
  }

  private DataEdge to(NodeId neighbour, Channel channel) {
    return of(channel).computeIfAbsent(neighbour, id -> newEdge(id, channel));
  }

  /**
   * Whether a neighbour publishes the stream itself, in the incarnation that opened the data
   * stream.
   */
  private boolean isOwn(NodeId neighbour, StreamId stream) {
    Long incarnation = incarnations.get(neighbour);
    return stream.origin().equals(neighbour)
        && incarnation != null
        && stream.incarnation() == incarnation;
  }

  private DataEdge newEdge(NodeId neighbour, Channel channel) {
    Consumer<LogItem> pass =
        item -> {
          forwardedChunks += item instanceof Chunk ? 1 : 0;
          effects.send(neighbour, new Data(item));
        };
    DataEdge edge =
        new DataEdge(
            neighbour,
            channel,
            limits,
            message -> effects.send(neighbour, message),
            () -> digest.apply(neighbour, channel),
            () -> all().mapToLong(e -> e.inlet().reservedBytes()).sum(),
            () -> nowNanos,
            new Outlet(
                log,
                new NeighbourExit(stream -> isOwn(neighbour, stream), pass),
                EnumSet.of(channel),
                Set.of(Topic.DEFAULT)));
    edge.hold(Objects.requireNonNull(held.get(channel)).contains(neighbour));
    return edge;
  }

  /** Holds items that wait for exactly these neighbours. */
  public void hold(Channel channel, Collection<NodeId> neighbours) {
    held.put(channel, neighbours);
    of(channel).values().forEach(edge -> edge.hold(neighbours.contains(edge.neighbour())));
  }

  /** Sends to exactly these neighbours. */
  public void activate(Channel channel, SortedSet<NodeId> neighbours) {
    for (DataEdge edge : of(channel).values()) {
      if (edge.isActive() && !neighbours.contains(edge.neighbour())) {
        edge.deactivate();
      }
    }
    removeIdle();
    for (NodeId neighbour : neighbours) {
      DataEdge edge = to(neighbour, channel);
      if (!edge.isActive()) {
        edge.activate();
      }
    }
  }

  public void removeIdle() {
    edges.values().forEach(ofChannel -> ofChannel.values().removeIf(DataEdge::isIdle));
  }

  /** Notes that a member has the item: if it is a neighbour, the item is not sent to it. */
  public void has(NodeId member, LogItem item) {
    if (isOpen(member)) {
      of(member, item.stream().channel()).outlet().advance(item.stream(), item.to());
    }
  }

  /** Returns whether the item would wait for no neighbour if it were logged. */
  public boolean passesImmediately(LogItem item) {
    return of(item.stream().channel()).values().stream()
        .allMatch(edge -> edge.outlet().passesImmediately(item));
  }

  /** Puts a logged entry on all edges. */
  public void put(LogEntry entry) {
    for (DataEdge edge : of(entry.stream().id().channel()).values()) {
      if (edge.isActive()) {
        edge.outlet().put(entry);
      }
    }
  }

  /**
   * Returns whether the active edges have passed on everything that was logged before the given
   * number.
   */
  public boolean haveSent(long number) {
    return all().filter(DataEdge::isActive).allMatch(edge -> edge.outlet().isDrainedBefore(number));
  }

  /**
   * Returns whether the neighbours on active edges have confirmed that they have everything that
   * was logged before the given number. Requests the confirmation from those that were sent all of
   * it.
   */
  public boolean haveTaken(long number) {
    boolean taken = true;
    for (DataEdge edge : all().filter(DataEdge::isActive).toList()) {
      taken &= edge.hasTaken(number);
    }
    return taken;
  }

  /** Returns whether any edge is active. */
  public boolean anyActive() {
    return all().anyMatch(DataEdge::isActive);
  }

  /** Notes that an entry is no longer in the log. */
  public void evicted(LogEntry entry) {
    // Frequent: runs for each message that becomes stable.
    for (Map<NodeId, DataEdge> ofChannel : edges.values()) {
      for (DataEdge edge : ofChannel.values()) {
        edge.outlet().evicted(entry);
      }
    }
  }

  /** Returns whether a stream can be forgotten, with at most a gap for each neighbour. */
  public boolean mayLose(StreamLog stream) {
    return of(stream.id().channel()).values().stream().allMatch(edge -> edge.mayLose(stream));
  }

  /** Notes that a stream was forgotten. */
  public void forget(StreamLog stream) {
    of(stream.id().channel()).values().forEach(edge -> edge.forget(stream));
  }

  /** Turns the parts that neighbours lack of a stream without content here into gaps. */
  public void miss(StreamLog left) {
    of(left.id().channel()).values().forEach(edge -> edge.miss(left));
  }

  /** Skips an item for which there is no room: the other neighbours miss it, too. */
  public void leaveOut(StreamLog left, NodeId from) {
    for (DataEdge edge : of(left.id().channel()).values()) {
      if (!edge.neighbour().equals(from)) {
        edge.miss(left);
      }
    }
  }

  /** Returns the cost of the items that arrived over these edges and wait. */
  public long waitingBytes() {
    return all().mapToLong(edge -> edge.inlet().waitingBytes()).sum();
  }

  /** Returns the number of chunks sent, counted once for each neighbour. */
  public long forwardedChunks() {
    return forwardedChunks;
  }
}
