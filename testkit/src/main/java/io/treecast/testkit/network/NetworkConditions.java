package io.treecast.testkit.network;

import io.treecast.monitor.throughput.Throughput;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The present state of a network: a topology, changed by faults. It covers links alone, not the
 * agents at their ends. Thread-safe.
 */
public final class NetworkConditions {
  /** Round trip between a joining node and the node whose links it copies. */
  public static final long JOINED_RTT_MICROS = 200;

  /** Highest probability of loss; beyond it hardly any message would pass. */
  public static final double MAX_LOSS = 0.99;

  /** Throughput of a link without a limit, the initial state. */
  public static final long UNLIMITED_KBPS = 0;

  /** A link's condition. */
  private static final class Condition {
    long rttMicros;
    double loss;
    long throughputKbps = UNLIMITED_KBPS;

    Condition(long rttMicros) {
      this.rttMicros = rttMicros;
    }
  }

  /** One direction of a link. */
  private record Way(int from, int to) {}

  /** Links by both ends; hashed, as each message looks one up. */
  private final Map<Integer, Map<Integer, Condition>> links = new HashMap<>();

  private final Set<Way> blocked = new HashSet<>();

  /** The uplink rate of each node with a limit. */
  private final Map<Integer, Long> uplinkKbps = new HashMap<>();

  /** The limit of a direction that blocks data streams, including their opening. */
  private static final int NOTHING = -1;

  /**
   * The largest message of a data stream that passes, in bytes, for directions with such a limit.
   * Control streams are not limited.
   */
  private final Map<Way, Integer> largestData = new HashMap<>();

  /** Creates the links of a topology, all of them working. */
  public NetworkConditions(Topology topology) {
    for (int node = 0; node < topology.nodes(); node++) {
      links.put(node, new HashMap<>());
    }
    for (Link link : topology.links()) {
      connect(link.low(), link.high(), new Condition(link.rttMicros()));
    }
  }

  private void connect(int one, int other, Condition condition) {
    ends(one).put(other, condition);
    ends(other).put(one, condition);
  }

  private Map<Integer, Condition> ends(int node) {
    Map<Integer, Condition> ends = links.get(node);
    if (ends == null) {
      throw new IllegalArgumentException(
          "there is no node " + node + "; the highest is " + Collections.max(links.keySet()));
    }
    return ends;
  }

  private Condition condition(int one, int other) {
    Condition condition = ends(one).get(other);
    if (condition == null) {
      ends(other);
      throw new IllegalArgumentException("no link between nodes " + one + " and " + other);
    }
    return condition;
  }

  /**
   * Checks that a link exists, working or not.
   *
   * @throws IllegalArgumentException if there is no such node, or no link between the two
   */
  public synchronized void checkLink(int one, int other) {
    var unused = condition(one, other);
  }

  /** Returns all nodes in ascending order. */
  public synchronized List<Integer> nodes() {
    return links.keySet().stream().sorted().toList();
  }

  /**
   * Returns the nodes to which a node has a link, working or not, in ascending order.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public synchronized List<Integer> neighbours(int node) {
    return ends(node).keySet().stream().sorted().toList();
  }

  /** Returns whether two nodes have a link, working or not. */
  public synchronized boolean linked(int one, int other) {
    Map<Integer, Condition> ends = links.get(one);
    return ends != null && ends.containsKey(other);
  }

  /**
   * Returns the round trip of a link.
   *
   * @throws IllegalArgumentException if there is no such link; also thrown by the methods below
   */
  public synchronized long rttMicros(int one, int other) {
    return condition(one, other).rttMicros;
  }

  /** Returns the time of an undelayed message one way. */
  public synchronized long oneWayNanos(int from, int to) {
    return condition(from, to).rttMicros * 1_000 / 2;
  }

  /** Returns the longest round trip of any link. */
  public synchronized long longestRttMicros() {
    return links.values().stream()
        .flatMap(ends -> ends.values().stream())
        .mapToLong(condition -> condition.rttMicros)
        .max()
        .orElse(0);
  }

  /** Returns the probability that a message must be retransmitted. */
  public synchronized double loss(int one, int other) {
    return condition(one, other).loss;
  }

  /** Returns the throughput of a link in each direction, in kilobits per second. */
  public synchronized long throughputKbps(int one, int other) {
    return condition(one, other).throughputKbps;
  }

  /** Returns whether messages from one node to the other pass. */
  public synchronized boolean passes(int from, int to) {
    return linked(from, to) && (blocked.isEmpty() || !blocked.contains(new Way(from, to)));
  }

  /** Returns whether a message of a data stream from one node to the other passes. */
  public synchronized boolean passesData(int from, int to, int bytes) {
    return passes(from, to)
        && (largestData.isEmpty()
            || bytes <= largestData.getOrDefault(new Way(from, to), Integer.MAX_VALUE));
  }

  /** Returns whether a link works in both directions. */
  public synchronized boolean works(int one, int other) {
    return passes(one, other) && passes(other, one);
  }

  /**
   * Returns the links between these nodes that work in both directions, ordered by lower and then
   * by higher end.
   */
  public synchronized List<Link> workingLinks(Set<Integer> among) {
    List<Link> working = new ArrayList<>();
    for (int low : among.stream().filter(links::containsKey).sorted().toList()) {
      for (int high : neighbours(low)) {
        if (low < high && among.contains(high) && works(low, high)) {
          working.add(new Link(low, high, condition(low, high).rttMicros));
        }
      }
    }
    return working;
  }

  /** Blocks both directions of a link. */
  public synchronized void cut(int one, int other) {
    oneWay(one, other);
    oneWay(other, one);
  }

  /** Blocks messages from {@code from} to {@code to}. */
  public synchronized void oneWay(int from, int to) {
    condition(from, to);
    blocked.add(new Way(from, to));
  }

  /**
   * Blocks the data streams of a link in both directions; control streams pass. Only the simulator
   * has this fault; an emulated network does not.
   */
  public synchronized void cutData(int one, int other) {
    dataOneWay(one, other);
    dataOneWay(other, one);
  }

  /** Blocks the data streams from {@code from} to {@code to}. */
  public synchronized void dataOneWay(int from, int to) {
    condition(from, to);
    largestData.put(new Way(from, to), NOTHING);
  }

  /**
   * Blocks the data streams from {@code from} to {@code to} at the first message above a size, as
   * on a path that drops large packets.
   */
  public synchronized void largeDataOneWay(int from, int to, int largestBytes) {
    condition(from, to);
    largestData.put(new Way(from, to), largestBytes);
  }

  /** Unblocks both directions of a link and ends its loss. The round trip is unchanged. */
  public synchronized void heal(int one, int other) {
    condition(one, other).loss = 0;
    blocked.remove(new Way(one, other));
    blocked.remove(new Way(other, one));
    largestData.remove(new Way(one, other));
    largestData.remove(new Way(other, one));
  }

  /** Unblocks all links and ends all loss. Round trips are unchanged. */
  public synchronized void heal() {
    blocked.clear();
    largestData.clear();
    links.values().forEach(ends -> ends.values().forEach(condition -> condition.loss = 0));
  }

  /**
   * Cuts all links between nodes of different groups; nodes of no group keep their links.
   *
   * @throws IllegalArgumentException if there is no such node, or one is in two groups
   */
  public synchronized void partition(List<NodeGroup> groups) {
    Map<Integer, Integer> groupOf = new HashMap<>();
    for (int group = 0; group < groups.size(); group++) {
      for (int node : groups.get(group).nodes()) {
        ends(node);
        if (groupOf.put(node, group) != null) {
          throw new IllegalArgumentException("node " + node + " is on two sides of the partition");
        }
      }
    }
    groupOf.forEach(
        (node, group) -> {
          for (int neighbour : ends(node).keySet()) {
            if (!groupOf.getOrDefault(neighbour, group).equals(group)) {
              blocked.add(new Way(node, neighbour));
            }
          }
        });
  }

  /**
   * Sets the round trip of a link for messages sent from now on.
   *
   * @throws IllegalArgumentException if it is not 1 us to {@link Topology#MAX_RTT_MICROS}
   */
  public synchronized void rtt(int one, int other, long rttMicros) {
    if (rttMicros < 1 || rttMicros > Topology.MAX_RTT_MICROS) {
      throw new IllegalArgumentException(
          "a round trip of %s us; allowed is 1 to %s us, which is an hour"
              .formatted(rttMicros, Topology.MAX_RTT_MICROS));
    }
    condition(one, other).rttMicros = rttMicros;
  }

  /**
   * Limits the rate of messages in one direction from now on.
   *
   * @param kbps kilobits a second, {@link #UNLIMITED_KBPS} to {@link Throughput#MAX_KBPS}
   */
  public synchronized void throughput(int one, int other, long kbps) {
    condition(one, other).throughputKbps = checkedKbps(kbps);
  }

  /**
   * Returns the rate at which a node can send to all its neighbours together, in kilobits per
   * second.
   */
  public synchronized long uplinkKbps(int node) {
    return uplinkKbps.getOrDefault(node, UNLIMITED_KBPS);
  }

  /**
   * Limits the total rate at which a node sends over all its links from now on; small messages
   * overtake others. Only the simulator has this limit; an emulated network limits links alone.
   *
   * @param kbps kilobits a second, {@link #UNLIMITED_KBPS} to {@link Throughput#MAX_KBPS}
   * @throws IllegalArgumentException if there is no such node, or the rate is not allowed
   */
  public synchronized void uplink(int node, long kbps) {
    ends(node);
    uplinkKbps.put(node, checkedKbps(kbps));
  }

  private static long checkedKbps(long kbps) {
    if (kbps < UNLIMITED_KBPS || kbps > Throughput.MAX_KBPS) {
      throw new IllegalArgumentException(
          "a throughput of %s kbit/s; allowed is 1 to %s, and 0 for no limit"
              .formatted(kbps, Throughput.MAX_KBPS));
    }
    return kbps;
  }

  /**
   * Sets the probability with which each message sent from now on must be retransmitted.
   *
   * @throws IllegalArgumentException if it is not 0 to {@link #MAX_LOSS}
   */
  public synchronized void loss(int one, int other, double probability) {
    if (!(probability >= 0 && probability <= MAX_LOSS)) {
      throw new IllegalArgumentException(
          "a loss of " + probability + "; allowed is a probability of 0 to " + MAX_LOSS);
    }
    condition(one, other).loss = probability;
  }

  /**
   * Adds a node with a link to each neighbour of an existing node, with the same round trip, and a
   * link of {@link #JOINED_RTT_MICROS} to that node itself.
   *
   * @throws IllegalArgumentException if the node exists already, or its number is negative
   */
  public synchronized void join(int node, int like) {
    if (node < 0 || links.containsKey(node)) {
      throw new IllegalArgumentException("node " + node + " is there already");
    }
    Map<Integer, Condition> template = Map.copyOf(ends(like));
    links.put(node, new HashMap<>());
    template.forEach((peer, at) -> connect(node, peer, new Condition(at.rttMicros)));
    connect(node, like, new Condition(JOINED_RTT_MICROS));
  }

  /** Returns the sets of these nodes that can reach each other over working links. */
  public synchronized List<Set<Integer>> components(Set<Integer> among) {
    List<Set<Integer>> components = new ArrayList<>();
    Set<Integer> left = new TreeSet<>(among);
    while (!left.isEmpty()) {
      Set<Integer> component = new TreeSet<>();
      List<Integer> reached = new ArrayList<>(List.of(left.iterator().next()));
      for (int i = 0; i < reached.size(); i++) {
        int node = reached.get(i);
        if (component.add(node)) {
          left.remove(node);
          neighbours(node).stream()
              .filter(next -> among.contains(next) && works(node, next))
              .forEach(reached::add);
        }
      }
      components.add(component);
    }
    return components;
  }
}
