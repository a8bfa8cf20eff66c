package io.treecast.ghs;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The links of one node that are up, in the order of the neighbours. */
final class LinkTable {
  private final NodeId self;
  private final TreeMap<NodeId, Link> links = new TreeMap<>();

  LinkTable(NodeId self) {
    this.self = self;
  }

  /**
   * Adds a link.
   *
   * @throws IllegalArgumentException if the weight belongs to other ends
   * @throws IllegalStateException if the link is up already
   */
  void add(NodeId peer, long session, LinkWeight weight) {
    checkEnds(peer, weight);
    if (links.putIfAbsent(peer, Link.of(peer, session, weight)) != null) {
      throw new IllegalStateException(
          "the link from " + self + " to " + peer + " came up twice; it must go down in between");
    }
  }

  /**
   * Removes a link.
   *
   * @throws IllegalStateException if it is not up
   */
  void remove(NodeId peer) {
    get(peer);
    links.remove(peer);
  }

  void reweigh(NodeId peer, LinkWeight weight) {
    checkEnds(peer, weight);
    links.put(peer, get(peer).withWeight(weight));
  }

  boolean has(NodeId peer) {
    return links.containsKey(peer);
  }

  /** The link to that neighbour, or null if it is not up. */
  @Nullable Link find(NodeId peer) {
    return links.get(peer);
  }

  /**
   * The link to that neighbour.
   *
   * @throws IllegalStateException if it is not up
   */
  Link get(NodeId peer) {
    Link link = links.get(peer);
    if (link == null) {
      throw new IllegalStateException("the link from " + self + " to " + peer + " is not up");
    }
    return link;
  }

  LinkWeight weight(NodeId peer) {
    return get(peer).weight();
  }

  SortedSet<NodeId> peers() {
    return Collections.unmodifiableSortedSet(links.navigableKeySet());
  }

  Collection<Link> all() {
    return Collections.unmodifiableCollection(links.values());
  }

  private void checkEnds(NodeId peer, LinkWeight weight) {
    if (peer.equals(self) || !weight.touches(self) || !weight.touches(peer)) {
      throw new IllegalArgumentException(
          weight + " is not the weight of a link between " + self + " and " + peer);
    }
  }
}
