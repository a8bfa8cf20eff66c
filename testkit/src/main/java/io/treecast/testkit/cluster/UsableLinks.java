package io.treecast.testkit.cluster;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the links that the agents of a cluster can use with those that they have up, by one
 * metric.
 *
 * <p>A link that is too slow for its opening handshake cannot be opened, but a link that became so
 * slow later may stay up; it counts if it is up at an end. In a large cluster, two members may
 * agree that they want no link; they must still be in one tree.
 */
final class UsableLinks {
  /** Round trip above which a link may be down. */
  private static final long LONGEST_RTT_MICROS = LinkLimits.DEFAULT.longestRttNanos() / 1_000;

  private final SortedMap<Integer, AgentSnapshot> unpaused;
  private final TreeMetric metric;

  /** Each node's view of its links, by peer. */
  private final Map<Integer, Map<Integer, LinkView>> views = new HashMap<>();

  private final List<Link> links = new ArrayList<>();
  private final List<Link> unwanted = new ArrayList<>();
  private final List<LinkWeight> agreed = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  UsableLinks(
      SortedMap<Integer, AgentSnapshot> unpaused, NetworkConditions network, TreeMetric metric) {
    this.unpaused = unpaused;
    this.metric = metric;
    unpaused.forEach((node, agent) -> views.put(node, byPeer(agent)));
    for (Link link : network.workingLinks(unpaused.keySet())) {
      compare(link);
    }
    unpaused.forEach((node, agent) -> findDead(node, agent, network));
  }

  private static Map<Integer, LinkView> byPeer(AgentSnapshot agent) {
    Map<Integer, LinkView> views = new HashMap<>();
    for (LinkView link : agent.links()) {
      views.put(Integer.parseInt(link.peer().id().toString()), link);
    }
    return views;
  }

  private void compare(Link link) {
    LinkWeight here = weight(link.low(), link.high());
    LinkWeight there = weight(link.high(), link.low());
    if (here != null && here.equals(there)) {
      links.add(link);
      agreed.add(here);
    } else if (state(link.low(), link.high()) == LinkState.UNLINKED
        && state(link.high(), link.low()) == LinkState.UNLINKED) {
      unwanted.add(link);
    } else if (link.rttMicros() <= LONGEST_RTT_MICROS || here != null || there != null) {
      links.add(link);
      problems.add(
          "the ends of link %s-%s do not agree on a weight: %s and %s"
              .formatted(
                  link.low(),
                  link.high(),
                  here == null ? "none" : here,
                  there == null ? "none" : there));
    }
  }

  private void findDead(int node, AgentSnapshot agent, NetworkConditions network) {
    for (LinkView link : agent.links()) {
      int peer = Integer.parseInt(link.peer().id().toString());
      if (link.state() == LinkState.UP
          && !(unpaused.containsKey(peer) && network.works(node, peer))) {
        problems.add("node " + node + " takes its link to " + peer + " for up");
      }
    }
  }

  private @Nullable LinkWeight weight(int node, int peer) {
    LinkView link = view(node, peer);
    if (link == null || link.state() != LinkState.UP) {
      return null;
    }
    return metric == TreeMetric.LATENCY ? link.weight() : link.bandwidthWeight();
  }

  private @Nullable LinkState state(int node, int peer) {
    LinkView link = view(node, peer);
    return link == null ? null : link.state();
  }

  private @Nullable LinkView view(int node, int peer) {
    Map<Integer, LinkView> own = views.get(node);
    return own == null ? null : own.get(peer);
  }

  /** Returns the links that agents can use, ordered by lower and then by higher end. */
  List<Link> links() {
    return links;
  }

  /** Returns the weights on which both ends agree. */
  List<LinkWeight> agreed() {
    return agreed;
  }

  /** Returns the differences between the agents' view and the network; empty if there are none. */
  List<String> problems() {
    return problems;
  }

  /** Returns the sets of nodes that can reach each other over usable links, wanted or not. */
  List<Set<Integer>> components() {
    List<Set<Integer>> components = new ArrayList<>();
    for (int node : unpaused.keySet()) {
      components.add(new TreeSet<>(Set.of(node)));
    }
    for (Link link : Stream.concat(links.stream(), unwanted.stream()).toList()) {
      Set<Integer> low = containing(components, link.low());
      Set<Integer> high = containing(components, link.high());
      if (low != high) {
        low.addAll(high);
        components.remove(high);
      }
    }
    components.sort((a, b) -> a.iterator().next() - b.iterator().next());
    return components;
  }

  private static Set<Integer> containing(List<Set<Integer>> components, int node) {
    for (Set<Integer> component : components) {
      if (component.contains(node)) {
        return component;
      }
    }
    throw new IllegalStateException("no component has node " + node);
  }
}
