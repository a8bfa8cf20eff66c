package io.treecast.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Relays joined by ordered channels that lose nothing. Each method is one step of one of them, and
 * says whether there was anything to do; bounds are checked after every step. The test decides the
 * order.
 */
final class RelayNetwork {
  /** What goes over a channel: a chunk, or credit if that is null. */
  private record Frame(@Nullable Chunk chunk, long credit) {}

  private final BroadcastLimits limits;
  private final Map<NodeId, Node> nodes = new TreeMap<>();
  private long duplicates;
  private long refusedForRoom;

  RelayNetwork(BroadcastLimits limits) {
    this.limits = limits;
  }

  /** One node, which will commit the given tree. */
  final class Node implements BroadcastEffects {
    private final NodeId id;
    private final CommittedTree tree;
    private final BroadcastRelay relay;
    private final Map<NodeId, ArrayDeque<Frame>> channels = new TreeMap<>();
    private final Map<Long, Application> applications = new LinkedHashMap<>();
    private final List<byte[]> published = new ArrayList<>();
    private final List<NodeId> opened = new ArrayList<>();
    private boolean committed;

    Node(NodeId id, long incarnation, CommittedTree tree) {
      this.id = id;
      this.tree = tree;
      this.relay = new BroadcastRelay(id, incarnation, limits, this);
      tree.neighbours(id).forEach(neighbour -> channels.put(neighbour, new ArrayDeque<>()));
    }

    NodeId id() {
      return id;
    }

    Iterable<NodeId> neighbours() {
      return channels.keySet();
    }

    boolean commit() {
      if (committed) {
        return false;
      }
      committed = true;
      relay.treeCommitted(tree);
      return checked();
    }

    boolean open(NodeId neighbour) {
      if (opened.contains(neighbour)) {
        return false;
      }
      opened.add(neighbour);
      relay.edgeOpened(neighbour);
      return checked();
    }

    /** Hands the oldest frame from a neighbour to this node. */
    boolean receive(NodeId neighbour) {
      ArrayDeque<Frame> channel = node(neighbour).channel(id);
      if (channel.isEmpty() || !opened.contains(neighbour)) {
        return false;
      }
      Frame frame = channel.remove();
      if (frame.chunk() != null) {
        relay.received(neighbour, frame.chunk());
      } else {
        relay.granted(neighbour, frame.credit());
      }
      return checked();
    }

    boolean publish(byte[] payload) {
      try {
        MessageId message = relay.publish(ByteBuffer.wrap(payload));
        published.add(payload);
        assertThat(message.sequence()).isEqualTo(published.size());
        return checked();
      } catch (BroadcastRefusedException refusal) {
        if (refusal.reason() == BroadcastRefusedException.Reason.PUBLISH_BUFFER_FULL) {
          refusedForRoom++;
        } else {
          assertThat(committed).as("committed a tree, yet refused: %s", refusal).isFalse();
        }
        return false;
      }
    }

    Application subscribe(long name) throws BroadcastRefusedException {
      Map<NodeId, Integer> publishedBefore = new TreeMap<>();
      nodes.values().forEach(node -> publishedBefore.put(node.id, node.published.size()));
      Application application = new Application(this, name, publishedBefore);
      applications.put(name, application);
      relay.subscribe(name);
      return application;
    }

    BroadcastCounters counters() {
      return relay.counters();
    }

    @Override
    public void send(NodeId neighbour, Chunk chunk) {
      channel(neighbour).add(new Frame(chunk, 0));
    }

    @Override
    public void grant(NodeId neighbour, long bytes) {
      channel(neighbour).add(new Frame(null, bytes));
    }

    @Override
    public void deliver(long subscriber, Chunk chunk) {
      application(subscriber).deliver(chunk);
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      throw new AssertionError(id + " says that " + neighbour + " broke the protocol: " + reason);
    }

    private ArrayDeque<Frame> channel(NodeId neighbour) {
      return Objects.requireNonNull(channels.get(neighbour));
    }

    private Application application(long name) {
      return Objects.requireNonNull(applications.get(name));
    }

    /** The bound on memory that the relay promises. */
    private boolean checked() {
      long waiting = relay.counters().waitingBytes();
      long bound = limits.publishBufferBytes() + opened.size() * limits.edgeWindowBytes();
      if (waiting < 0 || waiting > bound) {
        throw new AssertionError(waiting + " bytes wait at " + id + "; the bound is " + bound);
      }
      return true;
    }
  }

  /** A subscriber: takes chunks when it is told to, and puts messages together. */
  final class Application {
    private final Node node;
    private final long name;
    private final Map<NodeId, Integer> publishedBefore;
    private final Map<NodeId, InboundMessages> inbound = new TreeMap<>();
    private final ArrayDeque<Chunk> unconsumed = new ArrayDeque<>();
    private long unconsumedBytes;

    Application(Node node, long name, Map<NodeId, Integer> publishedBefore) {
      this.node = node;
      this.name = name;
      this.publishedBefore = publishedBefore;
    }

    void deliver(Chunk chunk) {
      unconsumed.add(chunk);
      unconsumedBytes += chunk.cost();
      if (unconsumedBytes > limits.subscriberWindowBytes()) {
        throw new AssertionError(unconsumedBytes + " bytes are more than a subscriber's window");
      }
    }

    boolean consume() {
      Chunk chunk = unconsumed.poll();
      if (chunk == null) {
        return false;
      }
      unconsumedBytes -= chunk.cost();
      NodeId origin = chunk.messageId().origin();
      inbound.computeIfAbsent(origin, id -> new InboundMessages(node(id).published)).add(chunk);
      node.relay.consumed(name, chunk.cost());
      return node.checked();
    }

    /** Every message published after the subscription has come, from every origin. */
    void assertGotEverything() {
      publishedBefore.forEach(
          (origin, before) -> {
            InboundMessages messages = inbound.get(origin);
            int published = node(origin).published.size();
            if (messages == null) {
              assertThat(published)
                  .as("%s of %s got nothing of %s", name, node.id, origin)
                  .isEqualTo(before);
            } else {
              messages.assertComplete(before, published);
            }
          });
    }
  }

  /** The messages of one origin as one subscriber gets them. */
  private static final class InboundMessages {
    private final List<byte[]> published;
    private long first;
    private long sequence;
    private int index;
    private int offset;

    InboundMessages(List<byte[]> published) {
      this.published = published;
    }

    void add(Chunk chunk) {
      if (first == 0) {
        first = chunk.messageId().sequence();
        sequence = first;
      }
      if (chunk.messageId().sequence() != sequence || chunk.index() != index) {
        throw new AssertionError(chunk + " came instead of " + sequence + " chunk " + index);
      }
      byte[] payload = published.get((int) sequence - 1);
      ByteBuffer expected = ByteBuffer.wrap(payload, offset, chunk.bytes());
      if (!chunk.payload().equals(expected)) {
        throw new AssertionError(chunk + " has not the bytes that were published");
      }
      offset += chunk.bytes();
      index++;
      if (chunk.last() != (offset == payload.length)) {
        throw new AssertionError(chunk + " ends its message at the wrong place");
      }
      if (chunk.last()) {
        sequence++;
        index = 0;
        offset = 0;
      }
    }

    void assertComplete(int publishedBefore, int publishedInAll) {
      assertThat(first).isBetween(1L, publishedBefore + 1L);
      assertThat(sequence).isEqualTo(publishedInAll + 1L);
      assertThat(index).isZero();
    }
  }

  Node add(NodeId id, long incarnation, CommittedTree tree) {
    Node node = new Node(id, incarnation, tree);
    nodes.put(id, node);
    return node;
  }

  /** Nothing is left anywhere, and every subscriber has all that it should. */
  void assertDrained() {
    for (Node node : nodes.values()) {
      assertThat(node.counters().waitingBytes()).as("bytes waiting at %s", node.id).isZero();
      node.channels.forEach(
          (neighbour, channel) ->
              assertThat(channel).as("channel from %s to %s", node.id, neighbour).isEmpty());
      node.applications.values().forEach(Application::assertGotEverything);
      assertThat(node.counters().lostChunks()).isZero();
      duplicates += node.counters().duplicateChunks();
    }
  }

  /** Chunks that arrived twice at some node, once drained. */
  long duplicates() {
    return duplicates;
  }

  /** How often a publisher found no room. */
  long refusedForRoom() {
    return refusedForRoom;
  }

  private Node node(NodeId id) {
    return Objects.requireNonNull(nodes.get(id));
  }
}
