package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * A call that wants or holds a claim. It holds the claim at most once. Immutable.
 *
 * @param member the agent of the caller
 * @param incarnation the incarnation of the agent
 * @param call the number of the call at the agent
 */
public record Owner(NodeId member, long incarnation, long call) implements Comparable<Owner> {
  private static final Comparator<Owner> ORDER =
      Comparator.comparing(Owner::member)
          .thenComparingLong(Owner::incarnation)
          .thenComparingLong(Owner::call);

  @Override
  public int compareTo(Owner other) {
    return ORDER.compare(this, other);
  }
}
