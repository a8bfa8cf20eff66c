package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The site of each node of a network. Sites are numbered from 0 and have names. Immutable. */
public final class NodeSites {
  /**
   * The least ratio, in {@link #found}, of a round trip between sites to the longest one that joins
   * nodes of a site.
   */
  public static final int LEAST_RATIO = 3;

  private final int[] siteOf;
  private final List<String> names;

  private NodeSites(int[] siteOf, List<String> names) {
    this.siteOf = siteOf;
    this.names = List.copyOf(names);
  }

  /**
   * Returns sites of equal size: the site of a node is its number divided by the size.
   *
   * @throws IllegalArgumentException if the size is less than 1
   */
  public static NodeSites ofSize(int nodes, int siteSize) {
    if (siteSize < 1) {
      throw new IllegalArgumentException("site size " + siteSize + "; the least is 1");
    }
    int[] siteOf = new int[nodes];
    List<String> names = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      siteOf[node] = node / siteSize;
      if (siteOf[node] == names.size()) {
        names.add(Integer.toString(names.size()));
      }
    }
    return new NodeSites(siteOf, names);
  }

  /** Returns named sites, numbered in the order of their first nodes. */
  public static NodeSites named(List<String> siteOfEachNode) {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    List<String> names = new ArrayList<>();
    int[] siteOf = new int[siteOfEachNode.size()];
    for (int node = 0; node < siteOf.length; node++) {
      String name = siteOfEachNode.get(node);
      Integer known = numbers.putIfAbsent(name, names.size());
      if (known == null) {
        names.add(name);
      }
      siteOf[node] = known == null ? names.size() - 1 : known;
    }
    return new NodeSites(siteOf, names);
  }

  /**
   * Returns sites derived from round trips. Nodes are joined over increasingly long links, as in
   * the construction of a minimum spanning tree. Sites are the components before the largest
   * increase of the round trips by a factor of {@value #LEAST_RATIO} or more. Without such an
   * increase all nodes are one site.
   */
  public static NodeSites found(Topology network) {
    List<Link> links = new ArrayList<>(network.links());
    links.sort(Comparator.comparingLong(Link::rttMicros));
    List<Link> joining = new ArrayList<>();
    int[] part = singletons(network.nodes());
    for (Link link : links) {
      if (join(part, link)) {
        joining.add(link);
      }
    }
    int inside = joining.size();
    double widest = LEAST_RATIO;
    for (int i = 1; i < joining.size(); i++) {
      double ratio = (double) joining.get(i).rttMicros() / joining.get(i - 1).rttMicros();
      if (ratio >= widest) {
        widest = ratio;
        inside = i;
      }
    }
    int[] site = singletons(network.nodes());
    joining.subList(0, inside).forEach(link -> join(site, link));
    return numbered(site);
  }

  private static NodeSites numbered(int[] part) {
    Map<Integer, Integer> numbers = new TreeMap<>();
    List<String> names = new ArrayList<>();
    int[] siteOf = new int[part.length];
    for (int node = 0; node < part.length; node++) {
      int root = root(part, node);
      Integer known = numbers.putIfAbsent(root, names.size());
      if (known == null) {
        names.add(Integer.toString(names.size()));
      }
      siteOf[node] = known == null ? names.size() - 1 : known;
    }
    return new NodeSites(siteOf, names);
  }

  private static int[] singletons(int nodes) {
    int[] part = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      part[node] = node;
    }
    return part;
  }

  private static boolean join(int[] part, Link link) {
    int low = root(part, link.low());
    int high = root(part, link.high());
    part[high] = low;
    return low != high;
  }

  private static int root(int[] part, int node) {
    int root = node;
    while (part[root] != root) {
      part[root] = part[part[root]];
      root = part[root];
    }
    return root;
  }

  /** Returns the number of a node's site. */
  public int siteOf(int node) {
    return siteOf[node];
  }

  public String nameOf(int node) {
    return names.get(siteOf[node]);
  }

  /** Returns the number of sites. */
  public int count() {
    return names.size();
  }
}
