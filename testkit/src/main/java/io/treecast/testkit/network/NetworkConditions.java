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
 * The present state of a network: it begins as a topology, and then faults change it. Knows links,
 * not whether agents run at their ends. Thread-safe.
 */
public final class NetworkConditions {
  /** Round trip between a node that joins and the one that it joins beside. */
  public static final long JOINED_RTT_MICROS = 200;

  /** Most of a link's messages that can be lost: beyond that hardly any would get through. */
  public static final double MAX_LOSS = 0.99;

  /** The throughput of a link that has no limit, as all have at first. */
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

  /** One way of a link. */
  private record Way(int from, int to) {}

  /** By both ends; asked for with each message, so hashed. */
  private final Map<Integer, Map<Integer, Condition>> links = new HashMap<>();

  private final Set<Way> blocked = new HashSet<>();

  /** The uplink rate of each node that has a limit. */
  private final Map<Integer, Long> uplinkKbps = new HashMap<>();

  /** Ways on which data streams are held, and control streams are not. */
  /** Not even the opening of a stream passes. */
  private static final int NOTHING = -1;

  /** The largest message of a data stream that passes, in bytes, where not all do. */
  private final Map<Way, Integer> largestData = new HashMap<>();

  /** The links of the topology, all of which work. */
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
   * Checks that there is a link, whether it works or not.
   *
   * @throws IllegalArgumentException if there is no such node, or no link between the two
   */
  public synchronized void checkLink(int one, int other) {
    var unused = condition(one, other);
  }

  /** Returns all nodes, in their order. */
  public synchronized List<Integer> nodes() {
    return links.keySet().stream().sorted().toList();
  }

  /**
   * The nodes that a node has a link to, in their order, whether it works or not.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public synchronized List<Integer> neighbours(int node) {
    return ends(node).keySet().stream().sorted().toList();
  }

  /** Returns whether there is a link between two nodes, whether it works or not. */
  public synchronized boolean linked(int one, int other) {
    Map<Integer, Condition> ends = links.get(one);
    return ends != null && ends.containsKey(other);
  }

  /**
   * Returns the round trip of a link.
   *
   * @throws IllegalArgumentException if there is no such link; so for the methods below
   */
  public synchronized long rttMicros(int one, int other) {
    return condition(one, other).rttMicros;
  }

  /** Returns how long a message takes one way, when nothing holds it up. */
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

  /** The probability that a message has to be sent again. */
  public synchronized double loss(int one, int other) {
    return condition(one, other).loss;
  }

  /** Returns how much fits through it in each direction, in kilobits a second. */
  public synchronized long throughputKbps(int one, int other) {
    return condition(one, other).throughputKbps;
  }

  /** Returns whether what one node sends to the other arrives, and is not held. */
  public synchronized boolean passes(int from, int to) {
    return linked(from, to) && (blocked.isEmpty() || !blocked.contains(new Way(from, to)));
  }

  /** Returns whether a message of a data stream from one node to the other passes, too. */
  public synchronized boolean passesData(int from, int to, int bytes) {
    return passes(from, to)
        && (largestData.isEmpty()
            || bytes <= largestData.getOrDefault(new Way(from, to), Integer.MAX_VALUE));
  }

  /** Returns whether a link works both ways. */
  public synchronized boolean works(int one, int other) {
    return passes(one, other) && passes(other, one);
  }

  /** Returns the links between these nodes that work both ways, by lower and then by higher end. */
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

  /** From now on nothing passes either way. */
  public synchronized void cut(int one, int other) {
    oneWay(one, other);
    oneWay(other, one);
  }

  /** From now on what {@code from} sends to {@code to} does not pass. */
  public synchronized void oneWay(int from, int to) {
    condition(from, to);
    blocked.add(new Way(from, to));
  }

  /**
   * From now on the link is half dead: control streams pass, data streams do not, either way. The
   * simulator keeps to that; an emulated network has no such fault.
   */
  public synchronized void cutData(int one, int other) {
    dataOneWay(one, other);
    dataOneWay(other, one);
  }

  /** From now on the data streams of {@code from} to {@code to} do not pass. */
  public synchronized void dataOneWay(int from, int to) {
    condition(from, to);
    largestData.put(new Way(from, to), NOTHING);
  }

  /**
   * From now on the data streams of {@code from} to {@code to} pass up to a message that is larger,
   * as on a path that drops large packets.
   */
  public synchronized void largeDataOneWay(int from, int to, int largestBytes) {
    condition(from, to);
    largestData.put(new Way(from, to), largestBytes);
  }

  /** From now on everything passes, both ways, and nothing is lost. The round trip stays. */
  public synchronized void heal(int one, int other) {
    condition(one, other).loss = 0;
    blocked.remove(new Way(one, other));
    blocked.remove(new Way(other, one));
    largestData.remove(new Way(one, other));
    largestData.remove(new Way(other, one));
  }

  /** From now on everything passes everywhere, and nothing is lost. Round trips stay. */
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
   * The link has this round trip for what is sent from now on.
   *
   * @throws IllegalArgumentException if it is not 1 us to {@link Topology#MAX_RTT_MICROS}
   */
  public synchronized void rtt(int one, int other, long rttMicros) {
    if (rttMicros < 1 || rttMicros > Topology.MAX_RTT_MICROS) {
      throw new IllegalArgumentException(
          "a round trip of "
              + rttMicros
              + " us; allowed is 1 to "
              + Topology.MAX_RTT_MICROS
              + " us, which is an hour");
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

  /** How much a node can send to all its neighbours together, in kilobits a second. */
  public synchronized long uplinkKbps(int node) {
    return uplinkKbps.getOrDefault(node, UNLIMITED_KBPS);
  }

  /**
   * Limits the rate of all that the node sends from now on, over all its links together; small
   * messages do not wait for others. Only the simulator does this; an emulated network limits links
   * only.
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
          "a throughput of "
              + kbps
              + " kbit/s; allowed is 1 to "
              + Throughput.MAX_KBPS
              + ", and 0 for no limit");
    }
    return kbps;
  }

  /**
   * Each message sent from now on has to be sent again with this probability.
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
   * Another node, with a link to each neighbour of one that there is, of the same round trip, and
   * one of {@link #JOINED_RTT_MICROS} to that node itself.
   *
   * @throws IllegalArgumentException if there is such a node already, or its number is negative
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

  /** The nodes that can reach each other over working links, among these nodes. */
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
