package io.treecast.collectives.values;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * The place of a write among all writes: no two have the same. Immutable.
 *
 * @param count higher than all counts that the writer had seen, and at least the microseconds since
 *     1970 by its clock
 * @param origin the member that wrote it
 * @param incarnation of the origin
 */
public record Stamp(long count, NodeId origin, long incarnation) implements Comparable<Stamp> {
  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::count)
          .thenComparing(Stamp::origin)
          .thenComparingLong(Stamp::incarnation);

  @Override
  public int compareTo(Stamp other) {
    return ORDER.compare(this, other);
  }
}
