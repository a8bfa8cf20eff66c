package io.treecast.cli.tree;

import io.treecast.ghs.NodeId;
import java.util.OptionalLong;

/**
 * Which site a node belongs to: its number divided by the size of a site. Only a node whose id is a
 * number, without leading zeros, belongs to one.
 *
 * @param siteSize nodes of a site; 0 if nodes are not grouped by site
 */
record Sites(int siteSize) {
  /** Digits of the largest number that surely is a long. */
  private static final int MAX_DIGITS = 18;

  Sites {
    if (siteSize < 0) {
      throw new IllegalArgumentException(
          "site size " + siteSize + "; allowed is 1 and more, or 0 for no sites");
    }
  }

  /** The node's site; empty if it has none. */
  OptionalLong siteOf(NodeId node) {
    OptionalLong number = number(node);
    return siteSize == 0 || number.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(number.getAsLong() / siteSize);
  }

  /** Whether both nodes have a site, and not the same. */
  boolean areApart(NodeId one, NodeId other) {
    OptionalLong site = siteOf(one);
    OptionalLong otherSite = siteOf(other);
    return site.isPresent() && otherSite.isPresent() && !site.equals(otherSite);
  }

  /** The number that is the node's id; empty if it is no number. */
  static OptionalLong number(NodeId node) {
    String name = node.toString();
    boolean number =
        name.length() <= MAX_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.length() == 1 || name.charAt(0) != '0');
    return number ? OptionalLong.of(Long.parseLong(name)) : OptionalLong.empty();
  }
}
