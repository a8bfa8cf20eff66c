package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.edge.DataEdge;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.edge.Outlet;
import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.topic.Interests;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The total order of the topics whose order a subscriber at this member or behind it wants. A
 * neighbour that does not want the order of a topic receives no message about it. A topic whose
 * order no member wants has no order.
 */
public final class TotalOrder {
  /** The operations that total order needs from its relay. */
  public interface OrderContext {
    /**
     * Returns the interests of members in topics and {@linkplain Topic#orderOf orders} of topics.
     */
    Interests interests();

    /** Notes that more of the stream has a place, or was handed to a subscriber. */
    void advanced(StreamId stream);

    /** Notes that a subscriber is live. */
    void caughtUp();

    /** Returns {@link Stability#mayRejoinOthers}. */
    boolean mayRejoinOthers();
  }

  /** The number of places that may be undecided regardless of the size of the log. */
  private static final long UNDECIDED_AT_LEAST = 65_536;

  /**
   * The number of parts of a network that may meet at once; each may report as many messages as fit
   * in a log.
   */
  private static final long PARTS = 4;

  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final DataEdges edges;
  private final BroadcastEffects effects;
  private final OrderContext relay;
  private final TreeMap<String, TopicOrder> topics = new TreeMap<>();
  private @Nullable TreePlace place;

  private long decidedPlaces;

  /** The stream whose gap neighbours have just received; null if its content was here. */
  private @Nullable StreamId leftOut;

  public TotalOrder(
      BroadcastLimits limits,
      ReplicationLog log,
      DataEdges edges,
      BroadcastEffects effects,
      OrderContext relay) {
    this.limits = limits;
    this.log = log;
    this.edges = edges;
    this.effects = effects;
    this.relay = relay;
  }

  private TopicOrder order(String topic) {
    TopicOrder known = topics.get(topic);
    if (known == null) {
      known = new TopicOrder(topic, log, new TopicEvents());
      topics.put(topic, known);
      if (place != null) {
        known.treeCommitted(place);
      }
    }
    return known;
  }

  /** Uploads have no place in an order. */
  private @Nullable TopicOrder find(StreamId stream) {
    return stream.isOfUploads() ? null : topics.get(stream.topic());
  }

  private final class TopicEvents implements TopicOrder.TopicContext {
    @Override
    public InterestState orderInterest(NodeId child, String topic) {
      return relay.interests().interest(child, Topic.orderOf(topic));
    }

    @Override
    public boolean isOpen(NodeId neighbour) {
      return edges.isOpen(neighbour);
    }

    @Override
    public boolean mayRejoinOthers() {
      return relay.mayRejoinOthers();
    }

    @Override
    public void send(NodeId neighbour, OrderTail tail) {
      effects.send(neighbour, tail);
      missForgotten(neighbour, tail.entries());
    }

    @Override
    public void send(NodeId neighbour, OrderNext next) {
      effects.send(neighbour, next);
      missForgotten(neighbour, next.entries());
    }

    @Override
    public void advanced(StreamId stream) {
      decidedPlaces++;
      relay.advanced(stream);
    }
  }

  /** Returns the number of decided places of messages that are here, in all orders. */
  public long decidedPlaces() {
    return decidedPlaces;
  }

  /**
   * Returns the number of complete messages here that wait for their place or for an earlier one.
   */
  public long unorderedMessages() {
    return topics.isEmpty()
        ? 0 // The common case; streams may be many.
        : log.streams().stream().mapToLong(this::unorderedMessages).sum();
  }

  private long unorderedMessages(StreamLog stream) {
    TopicOrder order = find(stream.id());
    if (order == null) {
      return 0;
    }
    long first =
        Math.max(order.decided().end(stream.id()).sequence(), stream.retainedFrom().sequence());
    return Math.max(0, stream.next().sequence() - first);
  }

  /**
   * Marks ordered messages that the neighbour lacks and that are forgotten here as missed, so that
   * it does not wait for them.
   */
  private void missForgotten(NodeId neighbour, List<OrderEntry> entries) {
    DataEdge edge = edges.find(neighbour, Channel.MESSAGES);
    for (OrderEntry entry : entries) {
      StreamLog left = log.forgotten(entry.stream());
      if (edge != null
          && left != null
          && !left.id().equals(leftOut)
          && !left.next().isBefore(entry.end())) {
        edge.miss(left);
      }
    }
  }

  // Local subscribers.

  /** Returns a reader that hands a subscriber a topic in its order. */
  public OrderedReader read(String topic, boolean slowsPublishers, Outlet outlet, Runnable live) {
    TopicOrder order = order(topic);
    OrderedReader reader =
        new OrderedReader(
            order.decided(),
            log,
            outlet,
            slowsPublishers,
            new OrderedReader.Events() {
              @Override
              public void advanced(StreamId stream) {
                relay.advanced(stream);
              }

              @Override
              public void live() {
                live.run();
                relay.caughtUp();
              }
            });
    order.readers().add(reader);
    return reader;
  }

  public void remove(String topic, OrderedReader reader) {
    TopicOrder order = topics.get(topic);
    if (order != null) {
      order.readers().remove(reader);
      update();
      allAdvanced(topic);
    }
  }

  /** Notes that publishers no longer wait for a subscriber in total order. */
  public void fallBehind(String topic, OrderedReader reader) {
    reader.fallBehind();
    allAdvanced(topic);
  }

  private void allAdvanced(String topic) {
    log.streams().stream()
        .map(StreamLog::id)
        .filter(stream -> stream.topic().equals(topic))
        .forEach(relay::advanced);
  }

  /**
   * Returns the position up to which a stream counts as received by this member, although more may
   * be here: content for a total order stays in the logs until it is decided and, if a subscriber
   * slows publishers, handed over.
   */
  public Position had(StreamId stream, Position here) {
    TopicOrder order = find(stream);
    return order == null ? here : order.had(stream, here);
  }

  // The tree and its neighbours.

  /** Notes that this member has committed a tree. */
  public void treeCommitted(NodeId self, CommittedTree tree) {
    TreePlace next = TreePlace.of(self, tree);
    place = next;
    topics.values().forEach(order -> order.treeCommitted(next));
    update();
  }

  /** Notes that a neighbour, or a subscriber, wants other orders than before. */
  public void update() {
    for (NodeId child : place == null ? List.<NodeId>of() : place.children()) {
      for (String wanted : new TreeSet<>(relay.interests().reportedTopics(child))) {
        if (Topic.isOrder(wanted)) {
          order(Topic.ofOrder(wanted));
        }
      }
    }
    topics.values().removeIf(order -> !order.isNeeded());
    topics.values().forEach(TopicOrder::update);
  }

  /** Notes that the data stream to a neighbour is open. */
  public void opened(NodeId neighbour) {
    topics.values().forEach(order -> order.opened(neighbour));
  }

  /** Notes that the data stream to a neighbour has ended. */
  public void closed(NodeId neighbour) {
    topics.values().forEach(order -> order.closed(neighbour));
  }

  /** Handles a neighbour's tail; returns why it is invalid, null if it is valid. */
  @Nullable
  public String received(NodeId neighbour, OrderTail tail) {
    if (place != null && tail.treeVersion() < place.treeVersion()) {
      return null;
    }
    if (!topics.containsKey(tail.topic()) && topics.size() >= limits.origins()) {
      return "the neighbour orders more topics than limits.origins = " + limits.origins();
    }
    for (TreeEpoch epoch : tail.epochs()) {
      if (epoch.treeVersion() > tail.treeVersion()) {
        return "epoch " + epoch + " does not precede version " + tail.treeVersion();
      }
    }
    String problem = problemWith(tail.topic(), tail.entries(), tail.treeVersion());
    if (problem == null) {
      order(tail.topic()).received(neighbour, tail);
    }
    return problem;
  }

  /** Handles a neighbour's entries; returns why they are invalid, null if they are valid. */
  @Nullable
  public String received(NodeId neighbour, OrderNext next) {
    String problem = problemWith(next.topic(), next.entries(), next.treeVersion());
    TopicOrder order = topics.get(next.topic());
    if (problem == null && order != null) {
      order.received(neighbour, next);
    }
    return problem;
  }

  /**
   * Returns why entries are invalid; null if they are valid. An epoch after the sender's tree is
   * invalid, because it would precede the order of all later trees.
   */
  private @Nullable String problemWith(String topic, List<OrderEntry> entries, long treeVersion) {
    for (OrderEntry entry : entries) {
      if (entry.position().epoch() > treeVersion) {
        return entry + " belongs to an epoch after version " + treeVersion;
      }
      if (entry.stream().isOfUploads() || !entry.stream().topic().equals(topic)) {
        return entry + " does not belong to the order of topic '" + topic + "'";
      }
    }
    long undecided =
        entries.size() + topics.values().stream().mapToLong(TopicOrder::undecided).sum();
    long most = UNDECIDED_AT_LEAST + PARTS * limits.logBytes() / Chunk.OVERHEAD_BYTES;
    return undecided > most
        ? "%s places of messages are known and undecided; limits.logBytes = %s allows %s"
            .formatted(undecided, limits.logBytes(), most)
        : null;
  }

  // The log.

  /** Notes that an entry was logged, and put on the outlets. */
  public void logged(LogEntry content) {
    TopicOrder order = find(content.stream().id());
    if (order != null) {
      order.logged(content);
    }
  }

  /** Notes that an entry is no longer in the log. */
  public void evicted(LogEntry content) {
    TopicOrder order = find(content.stream().id());
    if (order != null) {
      order.evicted(content);
    }
  }

  /**
   * Notes that the content of a stream is missed here.
   *
   * @param byNeighbours whether neighbours received the gap
   */
  public void missed(StreamLog left, boolean byNeighbours) {
    TopicOrder order = find(left.id());
    if (order != null) {
      leftOut = byNeighbours ? left.id() : null;
      order.missed(left);
      leftOut = null;
    }
  }

  /** Notes that a forgotten stream is here again. */
  public void recalled(StreamId stream) {
    TopicOrder order = find(stream);
    if (order != null) {
      order.recalled(stream);
    }
  }

  public void forget(StreamId stream) {
    TopicOrder order = find(stream);
    if (order != null) {
      order.forget(stream);
    }
  }
}
