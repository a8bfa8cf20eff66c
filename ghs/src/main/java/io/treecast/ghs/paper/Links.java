package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of one node and their states.
 *
 * <p>The links are sorted by weight once. Since no link becomes Basic again, a cursor that only
 * moves forward finds the lightest Basic link: over a whole run, all searches together look at each
 * link once.
 */
final class Links {
  private final List<Link> byWeight = new ArrayList<>();
  private final Map<NodeId, Link> byNeighbour = new HashMap<>();
  private final List<Link> branches = new ArrayList<>();
  private int firstBasic;

  Links(NodeId self, Collection<LinkWeight> weights) {
    for (LinkWeight weight : weights) {
      NodeId neighbour = weight.opposite(self);
      Link link = new Link(neighbour, weight);
      Link other = byNeighbour.putIfAbsent(neighbour, link);
      if (other != null) {
        throw new IllegalArgumentException(
            "node %s has two links to %s: %s, %s"
                .formatted(self, neighbour, other.weight(), weight));
      }
      byWeight.add(link);
    }
    byWeight.sort(Comparator.comparing(Link::weight));
  }

  /** The link to that neighbour, or null if there is none. */
  @Nullable Link to(NodeId neighbour) {
    return byNeighbour.get(neighbour);
  }

  /** The lightest link that is still Basic, or null if there is none. */
  @Nullable Link lightestBasic() {
    while (firstBasic < byWeight.size() && !byWeight.get(firstBasic).isBasic()) {
      firstBasic++;
    }
    return firstBasic < byWeight.size() ? byWeight.get(firstBasic) : null;
  }

  /** The branches, in the order in which they became branches. */
  List<Link> branches() {
    return branches;
  }

  void makeBranch(Link link) {
    if (!link.isBranch()) {
      link.enter(Link.State.BRANCH);
      branches.add(link);
    }
  }

  void reject(Link link) {
    link.enter(Link.State.REJECTED);
  }
}
