package io.treecast.cli.tree;

import io.treecast.ghs.NodeId;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sites of nodes, if any. Immutable. */
public final class Sites {
  public static final Sites NONE = new Sites(node -> null);

  /** Number of digits that always fit into a long. */
  private static final int MAX_DIGITS = 18;

  private final Function<NodeId, @Nullable String> siteOf;

  private Sites(Function<NodeId, @Nullable String> siteOf) {
    this.siteOf = siteOf;
  }

  /**
   * Returns sites of equal size: the site of a node is its number divided by the size. Only a node
   * whose id is a number without leading zeros has a site.
   *
   * @param siteSize the nodes of a site; 0 for no sites
   */
  public static Sites ofSize(int siteSize) {
    if (siteSize < 0) {
      throw new IllegalArgumentException(
          "site size " + siteSize + "; allowed is 1 and more, or 0 for no sites");
    }
    return siteSize == 0
        ? NONE
        : new Sites(
            node -> {
              OptionalLong number = number(node);
              return number.isEmpty() ? null : Long.toString(number.getAsLong() / siteSize);
            });
  }

  /** Returns the named sites of nodes; other nodes have no site. */
  public static Sites named(Map<NodeId, String> names) {
    Map<NodeId, String> copy = Map.copyOf(names);
    return new Sites(copy::get);
  }

  /** Returns the node's site; null if it has none. */
  @Nullable String siteOf(NodeId node) {
    return siteOf.apply(node);
  }

  /** Returns whether the nodes are in different sites. */
  boolean areApart(NodeId one, NodeId other) {
    String site = siteOf(one);
    String otherSite = siteOf(other);
    return site != null && otherSite != null && !site.equals(otherSite);
  }

  /** Returns the number that is a node's id; empty if the id is not a number. */
  static OptionalLong number(NodeId node) {
    String name = node.toString();
    boolean number =
        name.length() <= MAX_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.length() == 1 || name.charAt(0) != '0');
    return number ? OptionalLong.of(Long.parseLong(name)) : OptionalLong.empty();
  }
}
