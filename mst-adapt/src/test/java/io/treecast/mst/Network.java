package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, named by their index, and the links between them. Faults happen at once; the nodes learn
 * of them when the medium delivers the news. After each delivery the network checks the invariants.
 */
final class Network implements RestingState.OperationState {
  private final int size;
  private final Medium medium;
  private final BranchWatch branches;
  private final List<NodeId> ids = new ArrayList<>();
  private final Map<NodeId, Integer> indexes = new HashMap<>();
  private final List<AdaptiveTree> nodes = new ArrayList<>();
  private final boolean[] alive;
  private final boolean[] started;

  /** The packets that arrived before the start of a node, by node. */
  private final List<List<Packet>> held = new ArrayList<>();

  private final int[] incarnations;
  private final LastTrees lastTrees;

  /** The links that are up, by {@link #key}. */
  private final TreeMap<Integer, LiveLink> links = new TreeMap<>();

  /** The session in which a node believes, by node and neighbour. */
  private final List<Map<Integer, Long>> sessions = new ArrayList<>();

  private @Nullable Consumer<String> log;
  private @Nullable Observer observer;
  private long sessionsOpened;
  private long lastCommitAt;

  /** Observes the run. */
  interface Observer {
    void received(Packet packet);

    /** A packet was lost, with its session or its receiver. */
    void lost(Packet packet);

    void committed(int node, CommittedTree tree);
  }

  /** The true state of a link, whatever its ends believe. */
  record LiveLink(long session, LinkWeight weight) {}

  Network(int size, Medium medium, Coverage coverage) {
    this.size = size;
    this.medium = medium;
    this.branches = new BranchWatch(coverage);
    this.alive = new boolean[size];
    this.started = new boolean[size];
    this.incarnations = new int[size];
    this.lastTrees = new LastTrees(size);
    for (int i = 0; i < size; i++) {
      ids.add(NodeId.of(String.valueOf(i)));
      indexes.put(ids.get(i), i);
      sessions.add(new HashMap<>());
      held.add(new ArrayList<>());
      alive[i] = true;
    }
    for (int i = 0; i < size; i++) {
      nodes.add(newNode(i));
    }
  }

  /** Logs all further events. */
  void logTo(Consumer<String> lines) {
    log = lines;
  }

  void observe(Observer by) {
    observer = by;
  }

  private void countLost(Packet packet) {
    branches.lost(packet);
    if (observer != null) {
      observer.lost(packet);
    }
  }

  /** Composes the line only if there is a log. */
  private void log(Object... parts) {
    if (log != null) {
      StringBuilder line = new StringBuilder();
      for (Object part : parts) {
        line.append(part);
      }
      log.accept(line.toString());
    }
  }

  private AdaptiveTree newNode(int index) {
    lastTrees.forget(index);
    int incarnation = incarnations[index];
    return new AdaptiveTree(
        ids.get(index),
        incarnation,
        new AdaptiveTree.Effects() {
          @Override
          public void send(NodeId peer, TreeMessage message) {
            Network.this.send(index, indexOf(peer), message);
          }

          @Override
          public void committed(CommittedTree tree, Set<ChangeCause> causes) {
            lastTrees.committed(index, ids.get(index), tree, aliveNodes());
            lastCommitAt = medium.now();
            if (observer != null) {
              observer.committed(index, tree);
            }
            log("    ", index, " commits ", tree, " ", causes);
          }
        });
  }

  /** Adds a link that is up before any node starts. */
  void linkFromTheStart(int one, int other, long rttMicros) {
    LiveLink link = open(one, other, rttMicros);
    for (int end : List.of(one, other)) {
      int peer = end == one ? other : one;
      sessions.get(end).put(peer, link.session);
      nodes.get(end).linkUp(ids.get(peer), link.session, link.weight);
    }
  }

  void startAll() {
    for (int i = 0; i < size; i++) {
      start(i);
    }
  }

  /** Starts a node, and delivers the packets that were held for it. */
  void start(int index) {
    log("EVENT start ", index);
    started[index] = true;
    nodes.get(index).start();
    List<Packet> early = List.copyOf(held.get(index));
    held.get(index).clear();
    early.forEach(this::receive);
  }

  boolean isStarted(int index) {
    return started[index];
  }

  boolean isQuiet() {
    return medium.isEmpty();
  }

  // Changes of the network.

  void linkUp(int one, int other, long rttMicros) {
    linkUp(one, other, rttMicros, 0, 0);
  }

  /** Brings a link up. The drivers of its ends hand it over after these times. */
  void linkUp(int one, int other, long rttMicros, long dwellOfOne, long dwellOfOther) {
    if (isUp(one, other) || !alive[one] || !alive[other]) {
      return;
    }
    LiveLink link = open(one, other, rttMicros);
    log("EVENT up ", link);
    medium.put(new Packet(one, other, link.session, new Packet.Up(link.weight, dwellOfOther)));
    medium.put(new Packet(other, one, link.session, new Packet.Up(link.weight, dwellOfOne)));
  }

  void linkDown(int one, int other) {
    linkDown(one, other, false);
  }

  /**
   * Takes a link down.
   *
   * @param looksDead whether the drivers consider the other ends dead
   */
  void linkDown(int one, int other, boolean looksDead) {
    LiveLink link = links.remove(key(one, other));
    if (link == null) {
      return;
    }
    log("EVENT down ", link);
    medium.breakSession(one, other).forEach(this::countLost);
    medium.put(new Packet(one, other, link.session, new Packet.Down(looksDead)));
    medium.put(new Packet(other, one, link.session, new Packet.Down(looksDead)));
  }

  void reweigh(int one, int other, long rttMicros) {
    LiveLink link = links.get(key(one, other));
    if (link == null) {
      return;
    }
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    LinkWeight weight = LinkWeight.between(ids.get(low), ids.get(high), rttMicros);
    links.put(key(one, other), new LiveLink(link.session, weight));
    log("EVENT weight ", weight);
    medium.put(new Packet(high, low, link.session, new Packet.WeightMeasured(weight)));
  }

  void crash(int index) {
    crash(index, true);
  }

  /**
   * Kills a node.
   *
   * @param looksDead whether its neighbours notice its death, and not only its silence
   */
  void crash(int index, boolean looksDead) {
    log("EVENT crash ", index);
    if (isMerging()) {
      branches.crashedWithinARepair();
    }
    alive[index] = false;
    for (int peer = 0; peer < size; peer++) {
      if (peer != index) {
        linkDown(index, peer, looksDead);
      }
    }
    medium.clearTo(index).forEach(this::countLost);
    sessions.get(index).clear();
    held.get(index).clear();
  }

  void restart(int index) {
    log("EVENT restart ", index);
    if (isMerging()) {
      branches.restartedWithinARepair();
    }
    alive[index] = true;
    incarnations[index]++;
    nodes.set(index, newNode(index));
    start(index);
  }

  private boolean isMerging() {
    for (int i = 0; i < size; i++) {
      if (alive[i] && nodes.get(i).phase() != NodePhase.COMMITTED) {
        return true;
      }
    }
    return false;
  }

  // Actions of the nodes.

  private void send(int from, int to, TreeMessage message) {
    branches.sent(nodes.get(from), message, nodes.get(to));
    put(from, to, new Packet.Protocol(message));
  }

  /** Drops messages that a node sends in a session that is over. */
  private void put(int from, int to, Packet.Content content) {
    Long session = sessions.get(from).get(to);
    LiveLink link = links.get(key(from, to));
    checkThat(session != null, from + " sends to " + to + " without a link");
    if (link != null && session != null && link.session == session) {
      medium.put(new Packet(from, to, session, content));
    }
  }

  /** Delivers one packet and checks the invariants. */
  void step() {
    Packet packet = medium.take();
    int to = packet.to();
    if (!alive[to]) {
      return;
    }
    if (!started[to] && packet.content().isOnTheWire()) {
      held.get(to).add(packet);
      return;
    }
    receive(packet);
  }

  private void receive(Packet packet) {
    int to = packet.to();
    log(packet);
    AdaptiveTree node = nodes.get(to);
    Rank rankBefore = node.rank();
    NodeId parentBefore = node.parent();
    deliver(packet, node);
    checkThat(node.rank().compareTo(rankBefore) >= 0, "the rank fell at " + to);
    NodeId parent = node.parent();
    if (parent != null && !Objects.equals(parentBefore, parent)) {
      checkNoCycleAbove(to);
    }
  }

  private void deliver(Packet packet, AdaptiveTree node) {
    int from = packet.from();
    NodeId peer = ids.get(from);
    Map<Integer, Long> known = sessions.get(packet.to());
    if (packet.content() instanceof Packet.Up up) {
      checkThat(!known.containsKey(from), "a session opened within another: " + packet);
      known.put(from, packet.session());
      node.linkUp(peer, packet.session(), up.weight());
      return;
    }
    Long session = known.get(from);
    if (session == null || session != packet.session()) {
      return;
    }
    if (observer != null) {
      observer.received(packet);
    }
    if (packet.content() instanceof Packet.Down down) {
      known.remove(from);
      if (down.hasDied()) {
        node.neighbourDied(peer);
      } else {
        node.linkDown(peer);
      }
    } else if (packet.content() instanceof Packet.WeightMeasured measured) {
      put(packet.to(), from, new Packet.WeightUpdate(measured.weight()));
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

  /**
   * Follows live sessions only: a node behind a dead session is not an ancestor. Two nodes that
   * point at each other while the root moves between them are one edge.
   */
  private void checkNoCycleAbove(int start) {
    Set<Integer> seen = new HashSet<>();
    int at = start;
    while (seen.add(at)) {
      int parent = liveParent(at);
      if (parent < 0 || liveParent(parent) == at) {
        return;
      }
      at = parent;
    }
    throw new AssertionError("parent pointers close a cycle through " + at + ": " + nodes);
  }

  private int liveParent(int index) {
    NodeId parent = nodes.get(index).parent();
    if (parent == null) {
      return -1;
    }
    int peer = indexOf(parent);
    LiveLink link = links.get(key(index, peer));
    Long session = sessions.get(index).get(peer);
    boolean isLive = alive[peer] && link != null && session != null && link.session == session;
    return isLive ? peer : -1;
  }

  private static void checkThat(boolean holds, String breach) {
    if (!holds) {
      throw new AssertionError(breach);
    }
  }

  // How it stands.

  private LiveLink open(int one, int other, long rttMicros) {
    sessionsOpened++;
    LinkWeight weight = LinkWeight.between(ids.get(one), ids.get(other), rttMicros);
    LiveLink link = new LiveLink(sessionsOpened, weight);
    links.put(key(one, other), link);
    return link;
  }

  private int indexOf(NodeId id) {
    return Objects.requireNonNull(indexes.get(id));
  }

  private int key(int one, int other) {
    return Math.min(one, other) * size + Math.max(one, other);
  }

  boolean isUp(int one, int other) {
    return links.containsKey(key(one, other));
  }

  /** The ends of each link that is up, the lower one first, in order. */
  List<int[]> linkEnds() {
    return links.keySet().stream().map(key -> new int[] {key / size, key % size}).toList();
  }

  @Override
  public List<LinkWeight> weights() {
    return links.values().stream().map(LiveLink::weight).toList();
  }

  @Nullable LinkWeight weight(NodeId one, NodeId other) {
    LiveLink link = links.get(key(indexOf(one), indexOf(other)));
    return link == null ? null : link.weight;
  }

  boolean isAlive(int index) {
    return alive[index];
  }

  AdaptiveTree node(int index) {
    return nodes.get(index);
  }

  @Override
  public AdaptiveTree node(NodeId id) {
    return nodes.get(indexOf(id));
  }

  @Override
  public List<AdaptiveTree> aliveNodes() {
    List<AdaptiveTree> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (alive[i]) {
        all.add(nodes.get(i));
      }
    }
    return all;
  }

  int size() {
    return size;
  }

  /** The time of the last commit, by the medium's clock. */
  long lastCommitAt() {
    return lastCommitAt;
  }
}
