package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * The tree along which a broadcast is forwarded from its source. Immutable.
 *
 * <p>A hop between nodes without a link is routed over other nodes, which the shape does not
 * determine.
 */
public final class BroadcastShape {
  private static final int NOT_REACHED = -1;

  private final int[] sender;

  /** The reached nodes, each after its sender, the source first. */
  private final int[] reached;

  private BroadcastShape(int[] sender, int[] reached) {
    this.sender = sender;
    this.reached = reached;
  }

  /**
   * Returns the shape along the edges of a tree, or of the source's tree in a forest.
   *
   * @param nodes the number of nodes in the network
   * @param edges the edges in any order; their times are not used
   * @param source the origin of the broadcast
   * @throws IllegalArgumentException if the edges that are reached form a cycle
   */
  public static BroadcastShape alongTree(int nodes, Collection<Link> edges, int source) {
    Topology tree = Topology.of(nodes, edges);
    int[] sender = noSenders(nodes);
    List<Integer> reached = new ArrayList<>(List.of(source));
    sender[source] = source;
    for (int i = 0; i < reached.size(); i++) {
      int node = reached.get(i);
      tree.forEachNeighbour(
          node,
          (neighbour, rttMicros) -> {
            if (neighbour == sender[node]) {
              return;
            }
            if (sender[neighbour] != NOT_REACHED) {
              throw new IllegalArgumentException(
                  "edge " + node + "-" + neighbour + " closes a cycle: not a tree");
            }
            sender[neighbour] = node;
            reached.add(neighbour);
          });
    }
    return new BroadcastShape(sender, reached.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns the star: the source sends to each node that it can reach. */
  public static BroadcastShape star(Topology network, int source) {
    int[] sender = noSenders(network.nodes());
    List<Integer> members = network.component(source);
    int[] reached = new int[members.size()];
    int count = 0;
    reached[count++] = source;
    for (int member : members) {
      sender[member] = source;
      if (member != source) {
        reached[count++] = member;
      }
    }
    return new BroadcastShape(sender, reached);
  }

  /**
   * Returns the binomial tree by rank, as message-passing libraries use it without knowledge of the
   * network. The rank of a node is its position among the nodes that the source can reach, in their
   * cyclic order from the source. The sender to rank r is r without its lowest set bit: 8 sends to
   * 12, and the source to 8. A node's copies leave at the same time.
   */
  public static BroadcastShape binomial(Topology network, int source) {
    int[] sender = noSenders(network.nodes());
    List<Integer> members = network.component(source);
    int sourceRank = members.indexOf(source);
    int[] reached = new int[members.size()];
    for (int rank = 0; rank < reached.length; rank++) {
      reached[rank] = members.get((sourceRank + rank) % reached.length);
      int senderRank = rank - Integer.lowestOneBit(rank);
      sender[reached[rank]] = reached[senderRank];
    }
    return new BroadcastShape(sender, reached);
  }

  /**
   * Returns the tree of two levels by site. The source sends to the other nodes of its own site and
   * to the coordinator of each other site, its lowest node, which sends to the others of its site.
   * A node's copies leave at the same time.
   *
   * @param siteOf the number of a node's site
   */
  public static BroadcastShape twoLevel(Topology network, IntUnaryOperator siteOf, int source) {
    int[] sender = noSenders(network.nodes());
    Map<Integer, Integer> coordinators = new TreeMap<>();
    coordinators.put(siteOf.applyAsInt(source), source);
    List<Integer> members = network.component(source);
    List<Integer> reached = new ArrayList<>();
    for (int member : members) {
      coordinators.putIfAbsent(siteOf.applyAsInt(member), member);
    }
    reached.add(source);
    sender[source] = source;
    for (int coordinator : coordinators.values()) {
      if (coordinator != source) {
        sender[coordinator] = source;
        reached.add(coordinator);
      }
    }
    for (int member : members) {
      if (sender[member] == NOT_REACHED) {
        sender[member] =
            Objects.requireNonNull(coordinators.get(siteOf.applyAsInt(member)), "coordinator");
        reached.add(member);
      }
    }
    return new BroadcastShape(sender, reached.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns the origin of the broadcast. */
  public int source() {
    return reached[0];
  }

  /** Returns the number of nodes that the broadcast reaches, including the source. */
  public int reachedCount() {
    return reached.length;
  }

  /**
   * Returns the sender to a node; the source sends to itself.
   *
   * @throws IllegalArgumentException if the broadcast does not reach that node
   */
  public int sender(int node) {
    if (sender[node] == NOT_REACHED) {
      throw new IllegalArgumentException(
          "a broadcast from " + source() + " does not reach " + node);
    }
    return sender[node];
  }

  /**
   * Returns the number of hops between different sites.
   *
   * @param siteSize the nodes of a site, at least 1; the site of a node is its number divided by
   *     this
   */
  public int copiesBetweenSites(int siteSize) {
    if (siteSize < 1) {
      throw new IllegalArgumentException("site size " + siteSize + "; the least is 1");
    }
    return copiesBetweenSites(node -> node / siteSize);
  }

  /**
   * Returns the number of hops between different sites.
   *
   * @param siteOf the number of a node's site
   */
  public int copiesBetweenSites(IntUnaryOperator siteOf) {
    return (int)
        Arrays.stream(reached)
            .filter(node -> siteOf.applyAsInt(node) != siteOf.applyAsInt(sender[node]))
            .count();
  }

  /** Returns all reached nodes, each after its sender; the source first. */
  public List<Integer> nodesInOrder() {
    return Arrays.stream(reached).boxed().toList();
  }

  /** Returns all reached nodes, each after its sender; the source first. Not to be changed. */
  int[] reached() {
    return reached;
  }

  int nodes() {
    return sender.length;
  }

  private static int[] noSenders(int nodes) {
    int[] sender = new int[nodes];
    Arrays.fill(sender, NOT_REACHED);
    return sender;
  }
}
