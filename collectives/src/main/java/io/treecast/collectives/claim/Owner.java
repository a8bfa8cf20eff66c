package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * A call that wants or holds a claim. It holds the claim once at most. Immutable.
 *
 * @param member the agent of the caller
 * @param incarnation the agent's
 * @param call the agent's number of the call
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
