package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.mst.WorldStep.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One state of a few nodes, of the packets in flight, and of the events that may still happen. A
 * step leads to another state and leaves this one unchanged. The network is that of {@link
 * Network}: faults happen at once, and the news of them queues behind the packets that survive the
 * session.
 */
final class SmallWorld implements RestingState.OperationState {
  private static final List<NodeId> IDS = Stream.of("0", "1", "2", "3").map(NodeId::of).toList();

  private final int size;
  private final StateDigest digest;
  private final Budget budget;
  private final @Nullable AdaptiveTree[] nodes;
  private final long[][] tokens;
  private final Sent[][] queues;

  /** The session in which a node believes, by from * size + to; 0 if none. */
  private final long[] believed;

  /** The session that is up, by low * size + high; 0 if none. */
  private final long[] live;

  private final long[] rttMicros;
  private final int[] opened;
  private final int[] incarnations;
  private final LastTrees lastTrees;

  /** A packet in flight, and its part of the digest. */
  private static final class Sent {
    private final Packet packet;
    private final long[] tokens;

    Sent(Packet packet, long[] tokens) {
      this.packet = packet;
      this.tokens = tokens;
    }
  }

  /**
   * The events that may still happen.
   *
   * @param downs links that go down
   * @param crashes nodes that crash
   * @param ups links that come up, or nodes that restart with all their links
   * @param weights changes of weight, each to one of these weights
   */
  record Budget(int downs, int crashes, int ups, int weights, List<Long> rttMicros) {}

  /**
   * The state in which all nodes have started, with these weights of links by low * size + high.
   */
  SmallWorld(int size, long[] rttMicros, Budget budget, StateDigest digest) {
    this.size = size;
    this.digest = digest;
    this.budget = budget;
    this.nodes = new AdaptiveTree[size];
    this.tokens = new long[size][];
    this.queues = new Sent[size * size][];
    Arrays.fill(queues, new Sent[0]);
    this.believed = new long[size * size];
    this.live = new long[size * size];
    this.rttMicros = rttMicros.clone();
    this.opened = new int[size * size];
    this.incarnations = new int[size];
    this.lastTrees = new LastTrees(size);
    for (int i = 0; i < size; i++) {
      nodes[i] = newNode(i);
    }
    for (int low = 0; low < size; low++) {
      for (int high = low + 1; high < size; high++) {
        if (rttMicros[link(low, high)] > 0) {
          open(low, high);
          for (int end : new int[] {low, high}) {
            int peer = low + high - end;
            believed[end * size + peer] = live[link(low, high)];
            node(end).linkUp(id(peer), live[link(low, high)], weight(low, high));
          }
        }
      }
    }
    for (int i = 0; i < size; i++) {
      node(i).start();
      tokens[i] = digest.tokensOf(node(i));
    }
  }

  private SmallWorld(SmallWorld before, Budget left) {
    size = before.size;
    digest = before.digest;
    budget = left;
    nodes = before.nodes.clone();
    tokens = before.tokens.clone();
    queues = before.queues.clone();
    believed = before.believed.clone();
    live = before.live.clone();
    rttMicros = before.rttMicros.clone();
    opened = before.opened.clone();
    incarnations = before.incarnations.clone();
    lastTrees = before.lastTrees.copy();
  }

  private static NodeId id(int index) {
    return IDS.get(index);
  }

  private static int index(NodeId id) {
    return id.toString().charAt(0) - '0';
  }

  private int link(int one, int other) {
    return Math.min(one, other) * size + Math.max(one, other);
  }

  private LinkWeight weight(int low, int high) {
    return LinkWeight.between(id(low), id(high), rttMicros[link(low, high)]);
  }

  private AdaptiveTree node(int index) {
    return Objects.requireNonNull(nodes[index]);
  }

  private AdaptiveTree newNode(int index) {
    return new AdaptiveTree(
        id(index),
        incarnations[index],
        new AdaptiveTree.Effects() {
          @Override
          public void send(NodeId peer, TreeMessage message) {
            SmallWorld.this.send(index, index(peer), new Packet.Protocol(message));
          }

          @Override
          public void committed(CommittedTree tree, Set<ChangeCause> causes) {
            lastTrees.committed(index, id(index), tree, aliveNodes());
          }
        });
  }

  private static void check(boolean holds, String breach) {
    if (!holds) {
      throw new AssertionError(breach);
    }
  }

  private void open(int low, int high) {
    int link = link(low, high);
    opened[link]++;
    live[link] = opened[link] * 100L + link;
  }

  private void send(int from, int to, Packet.Content content) {
    long session = believed[from * size + to];
    check(session != 0, from + " sends to " + to + " without a link");
    if (session == live[link(from, to)]) {
      put(new Packet(from, to, session, content));
    }
  }

  private void put(Packet packet) {
    int queue = packet.from() * size + packet.to();
    Sent[] longer = Arrays.copyOf(queues[queue], queues[queue].length + 1);
    longer[longer.length - 1] = new Sent(packet, digest.tokensOf(packet.content()));
    queues[queue] = longer;
  }

  /** All steps that can happen next. */
  List<WorldStep> steps() {
    List<WorldStep> steps = new ArrayList<>();
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) {
        if (queues[from * size + to].length > 0) {
          steps.add(WorldStep.of(Kind.DELIVER, from, to, 0));
        }
      }
    }
    for (int low = 0; low < size; low++) {
      for (int high = low + 1; high < size; high++) {
        addStepsOfLink(low, high, steps);
      }
      addStepsOfNode(low, steps);
    }
    return steps;
  }

  private void addStepsOfLink(int low, int high, List<WorldStep> steps) {
    boolean isUp = live[link(low, high)] != 0;
    for (int down = 0; isUp && budget.downs > 0 && down <= onTheWire(low, high); down++) {
      for (int up = 0; up <= onTheWire(high, low); up++) {
        steps.add(new WorldStep(Kind.DOWN, low, high, down, up, 0, false));
        steps.add(new WorldStep(Kind.DOWN, low, high, down, up, 0, true));
      }
    }
    if (!isUp && budget.ups > 0 && nodes[low] != null && nodes[high] != null) {
      steps.add(WorldStep.of(Kind.UP, low, high, 0));
    }
    for (long rtt : budget.rttMicros) {
      if (isUp && budget.weights > 0 && rtt != rttMicros[link(low, high)]) {
        steps.add(WorldStep.of(Kind.WEIGHT, low, high, rtt));
      }
    }
  }

  private void addStepsOfNode(int index, List<WorldStep> steps) {
    if (nodes[index] == null) {
      if (budget.ups > 0) {
        steps.add(WorldStep.of(Kind.RESTART, index, index, 0));
      }
    } else if (budget.crashes > 0) {
      int most = 0;
      for (int peer = 0; peer < size; peer++) {
        most = Math.max(most, onTheWire(index, peer));
      }
      for (int kept = 0; kept <= most; kept++) {
        steps.add(new WorldStep(Kind.CRASH, index, index, kept, 0, 0, false));
        steps.add(new WorldStep(Kind.CRASH, index, index, kept, 0, 0, true));
      }
    }
  }

  private int onTheWire(int from, int to) {
    int count = 0;
    for (Sent sent : queues[from * size + to]) {
      count += sent.packet.content().isOnTheWire() ? 1 : 0;
    }
    return count;
  }

  /** The state after a step. Checks the invariants, which must hold after every step. */
  SmallWorld after(WorldStep step) {
    Budget left =
        new Budget(
            budget.downs - (step.kind() == Kind.DOWN ? 1 : 0),
            budget.crashes - (step.kind() == Kind.CRASH ? 1 : 0),
            budget.ups - (step.kind() == Kind.UP || step.kind() == Kind.RESTART ? 1 : 0),
            budget.weights - (step.kind() == Kind.WEIGHT ? 1 : 0),
            budget.rttMicros);
    SmallWorld next = new SmallWorld(this, left);
    switch (step.kind()) {
      case DELIVER -> next.deliver(step.a() * size + step.b());
      case DOWN ->
          next.linkDown(step.a(), step.b(), step.keptDown(), step.keptUp(), step.looksDead());
      case UP -> next.linkUp(step.a(), step.b());
      case WEIGHT -> next.reweigh(step.a(), step.b(), step.rttMicros());
      case CRASH -> next.crash(step.a(), step.keptDown(), step.looksDead());
      case RESTART -> next.restart(step.a());
    }
    return next;
  }

  private void linkDown(int one, int other, int keptThere, int keptBack, boolean looksDead) {
    long session = live[link(one, other)];
    live[link(one, other)] = 0;
    loseAllBut(one * size + other, keptThere);
    loseAllBut(other * size + one, keptBack);
    put(new Packet(one, other, session, new Packet.Down(looksDead)));
    put(new Packet(other, one, session, new Packet.Down(looksDead)));
  }

  private void loseAllBut(int queue, int kept) {
    List<Sent> survivors = new ArrayList<>();
    int onTheWire = 0;
    for (Sent sent : queues[queue]) {
      if (!sent.packet.content().isOnTheWire() || onTheWire++ < kept) {
        survivors.add(sent);
      }
    }
    queues[queue] = survivors.toArray(new Sent[0]);
  }

  private void linkUp(int one, int other) {
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    open(low, high);
    long session = live[link(low, high)];
    if (rttMicros[link(low, high)] == 0) {
      rttMicros[link(low, high)] = budget.rttMicros.get(0);
    }
    LinkWeight weight = weight(low, high);
    put(new Packet(low, high, session, new Packet.Up(weight, 0)));
    put(new Packet(high, low, session, new Packet.Up(weight, 0)));
  }

  private void reweigh(int low, int high, long rtt) {
    rttMicros[link(low, high)] = rtt;
    put(new Packet(high, low, live[link(low, high)], new Packet.WeightMeasured(weight(low, high))));
  }

  private void crash(int index, int kept, boolean looksDead) {
    for (int peer = 0; peer < size; peer++) {
      if (peer != index && live[link(index, peer)] != 0) {
        linkDown(index, peer, kept, 0, looksDead);
      }
      queues[peer * size + index] = new Sent[0];
      believed[index * size + peer] = 0;
    }
    nodes[index] = null;
    tokens[index] = new long[0];
  }

  private void restart(int index) {
    incarnations[index]++;
    lastTrees.forget(index);
    nodes[index] = newNode(index);
    node(index).start();
    tokens[index] = digest.tokensOf(node(index));
    for (int peer = 0; peer < size; peer++) {
      if (peer != index && nodes[peer] != null) {
        linkUp(index, peer);
      }
    }
  }

  private void deliver(int queue) {
    Packet packet = queues[queue][0].packet;
    queues[queue] = Arrays.copyOfRange(queues[queue], 1, queues[queue].length);
    int to = packet.to();
    boolean isUp = packet.content() instanceof Packet.Up;
    if (!isUp && believed[to * size + packet.from()] != packet.session()) {
      return;
    }
    AdaptiveTree before = node(to);
    AdaptiveTree node = newNode(to);
    try {
      NodeCopy.copy(before, node);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    nodes[to] = node;
    handle(packet, node);
    tokens[to] = digest.tokensOf(node);
    check(node.rank().compareTo(before.rank()) >= 0, "the rank fell at " + to);
    if (node.parent() != null && !Objects.equals(before.parent(), node.parent())) {
      checkNoCycleAbove(to);
    }
  }

  private void handle(Packet packet, AdaptiveTree node) {
    int to = packet.to();
    int from = packet.from();
    NodeId peer = id(from);
    if (packet.content() instanceof Packet.Up up) {
      check(believed[to * size + from] == 0, "a session opened within another: " + packet);
      believed[to * size + from] = packet.session();
      node.linkUp(peer, packet.session(), up.weight());
    } else if (packet.content() instanceof Packet.Down down) {
      believed[to * size + from] = 0;
      if (down.hasDied()) {
        node.neighbourDied(peer);
      } else {
        node.linkDown(peer);
      }
    } else if (packet.content() instanceof Packet.WeightMeasured measured) {
      send(to, from, new Packet.WeightUpdate(measured.weight()));
      node.weightChanged(peer, measured.weight());
    } else if (packet.content() instanceof Packet.WeightUpdate update) {
      node.weightChanged(peer, update.weight());
    } else if (packet.content() instanceof Packet.Protocol protocol) {
      try {
        node.receive(peer, protocol.message());
      } catch (TreeViolation violation) {
        throw new AssertionError(packet + " was taken for a violation", violation);
      }
    }
  }

  private void checkNoCycleAbove(int start) {
    int at = start;
    for (int hops = 0; hops <= size; hops++) {
      int parent = liveParent(at);
      if (parent < 0 || liveParent(parent) == at) {
        return;
      }
      at = parent;
    }
    throw new AssertionError("parent pointers close a cycle through " + start);
  }

  private int liveParent(int index) {
    AdaptiveTree node = nodes[index];
    NodeId parent = node == null ? null : node.parent();
    if (parent == null) {
      return -1;
    }
    int peer = index(parent);
    long session = believed[index * size + peer];
    return nodes[peer] != null && session != 0 && session == live[link(index, peer)] ? peer : -1;
  }

  boolean isQuiet() {
    return Arrays.stream(queues).allMatch(queue -> queue.length == 0);
  }

  /** Computes the digest of this state. */
  void computeDigest() {
    List<long[]> sequences = new ArrayList<>(List.of(tokens));
    for (Sent[] queue : queues) {
      for (Sent sent : queue) {
        sequences.add(new long[] {sent.packet.session()});
        sequences.add(sent.tokens);
      }
      sequences.add(new long[0]);
    }
    sequences.add(believed);
    sequences.add(live);
    sequences.add(rttMicros);
    sequences.add(new long[] {budget.downs, budget.crashes, budget.ups, budget.weights});
    digest.digest(sequences);
  }

  @Override
  public List<AdaptiveTree> aliveNodes() {
    List<AdaptiveTree> alive = new ArrayList<>();
    for (AdaptiveTree node : nodes) {
      if (node != null) {
        alive.add(node);
      }
    }
    return alive;
  }

  @Override
  public AdaptiveTree node(NodeId id) {
    return node(index(id));
  }

  @Override
  public List<LinkWeight> weights() {
    List<LinkWeight> weights = new ArrayList<>();
    for (int low = 0; low < size; low++) {
      for (int high = low + 1; high < size; high++) {
        if (live[link(low, high)] != 0) {
          weights.add(weight(low, high));
        }
      }
    }
    return weights;
  }
}
