package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Relays of members in a line, each linked with the next; together, or apart. Their messages arrive
 * at once, and their subscribers take everything.
 */
final class LineOfRelays {
  /** How long streams whose origins are gone are remembered. */
  static final int FORGET_SECONDS = 2_000;

  private static final long SECOND = 1_000_000_000L;

  /** An incarnation of a member. */
  private final class Member implements BroadcastEffects, ApplicationEffects {
    final NodeId self;
    final BroadcastRelay relay;

    Member(NodeId self, long incarnation) {
      this.self = self;
      this.relay =
          new BroadcastRelay(self, incarnation, FORGET_SECONDS * SECOND, limits, this, this);
      this.relay.tick(nanos);
    }

    @Override
    public void send(NodeId neighbour, EdgeMessage message) {
      wire.add(() -> at(neighbour).received(self, message));
    }

    @Override
    public void began(long subscriber, List<MessageId> after) {
      told.add("s" + subscriber + " begins after " + after);
    }

    @Override
    public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
      told.add("s" + subscriber + " got " + chunk.messageId());
      wire.add(() -> relay.consumed(subscriber, chunk.cost()));
    }

    @Override
    public void missed(long subscriber, Gap gap, MissedReason reason) {
      String which = gap.stream() + "/" + gap.firstMissed() + " to " + gap.lastMissed();
      told.add("s" + subscriber + " missed " + which + " " + reason);
      wire.add(() -> relay.consumed(subscriber, gap.cost()));
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      throw new AssertionError(self + " says that " + neighbour + " broke the protocol: " + reason);
    }

    @Override
    public void maySendByShortcut(Chunk message) {}

    @Override
    public void live(long subscriber) {}

    @Override
    public void fellBehind(long subscriber) {}

    @Override
    public void abandoned(long subscriber, MessageId message) {}

    @Override
    public void confirmed(Confirmation confirmation) {}

    @Override
    public void uploadTaken(long upload, int pieces) {}

    @Override
    public void replicated(MessageId message, int replicas) {}

    @Override
    public void uploadEnded(long upload, int replicas) {}

    @Override
    public void dropped(NodeId neighbour, LogItem item) {}
  }

  private final BroadcastLimits limits;
  private final List<NodeId> line;
  private final Map<NodeId, Member> members = new TreeMap<>();
  private final ArrayDeque<Runnable> wire = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private boolean together;
  private long nanos;
  private long starts;
  private long version;

  LineOfRelays(BroadcastLimits limits, NodeId... line) {
    this.limits = limits;
    this.line = List.of(line);
    this.line.forEach(this::start);
    meet();
  }

  BroadcastRelay at(NodeId id) {
    return Objects.requireNonNull(members.get(id)).relay;
  }

  private void start(NodeId id) {
    members.put(id, new Member(id, ++starts));
  }

  /** Returns the stream of whole messages of a member's first incarnation on a topic. */
  StreamId stream(NodeId id, String topic) {
    return stream(id, topic, 0);
  }

  /**
   * Returns that stream after topics were forgotten.
   *
   * @param times how often the member has forgotten topics before
   */
  StreamId stream(NodeId id, String topic, int times) {
    return new StreamId(id, 1 + line.indexOf(id), topic, times * StreamId.LANES);
  }

  /** Links all members, and commits one tree. */
  void meet() {
    CommittedTree tree = tree(line);
    line.forEach(id -> commit(id, tree));
    together = true;
    for (int i = 1; i < line.size(); i++) {
      at(line.get(i - 1)).streamOpened(line.get(i), 0);
      at(line.get(i)).streamOpened(line.get(i - 1), 0);
    }
    pass(3);
  }

  /** Separates all members; the given ones notice it, and each commits a tree of itself. */
  void part(NodeId... aware) {
    wire.clear();
    together = false;
    for (int i = 1; i < line.size(); i++) {
      at(line.get(i - 1)).streamClosed(line.get(i));
      at(line.get(i)).streamClosed(line.get(i - 1));
    }
    for (NodeId id : aware) {
      commit(id, tree(List.of(id)));
    }
    pass(1);
  }

  private CommittedTree tree(List<NodeId> some) {
    List<LinkWeight> links = new ArrayList<>();
    for (int i = 1; i < some.size(); i++) {
      links.add(LinkWeight.between(some.get(i - 1), some.get(i), 1_000));
    }
    return new CommittedTree(++version, some.get(0), links);
  }

  private void commit(NodeId id, CommittedTree tree) {
    TreeSet<NodeId> neighbours = new TreeSet<>(tree.neighbours(id));
    at(id).treeCommitted(tree);
    at(id).activeEdges(neighbours);
    at(id).uploadEdges(neighbours, neighbours);
  }

  /** Restarts the member, among the others. */
  void restart(NodeId id) {
    part();
    start(id);
    meet();
  }

  void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos += SECOND;
      members.values().forEach(member -> member.relay.tick(nanos));
      settle();
    }
  }

  private void settle() {
    while (together && !wire.isEmpty()) {
      wire.remove().run();
    }
  }

  void publish(NodeId origin, String topic, int messages) throws BroadcastRefusedException {
    for (int i = 0; i < messages; i++) {
      at(origin).publish(topic, Examples.bytes("x"), 0, null);
      settle();
    }
  }

  void subscribe(NodeId id, long name, String topic, SubscriptionStart start)
      throws BroadcastRefusedException {
    at(id).subscribe(name, SubscribeOptions.defaults().withTopics(Set.of(topic)).withStart(start));
    settle();
  }

  void unsubscribe(NodeId id, long name) {
    at(id).unsubscribe(name);
    settle();
  }

  /** Returns the events of subscribers since the last call. */
  List<String> takeTold() {
    List<String> taken = List.copyOf(told);
    told.clear();
    return taken;
  }
}
