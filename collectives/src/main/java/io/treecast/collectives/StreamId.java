package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * Names a replicated stream: the messages that one incarnation of an origin publishes.
 *
 * @param origin the node whose agent publishes
 * @param incarnation that agent's incarnation, drawn anew at each of its starts; not ordered in
 *     time
 */
public record StreamId(NodeId origin, long incarnation) implements Comparable<StreamId> {
  private static final Comparator<StreamId> ORDER =
      Comparator.comparing(StreamId::origin).thenComparingLong(StreamId::incarnation);

  @Override
  public int compareTo(StreamId other) {
    return ORDER.compare(this, other);
  }

  /** For example {@code 12/9f3a6c01d2e4b587}. */
  @Override
  public String toString() {
    return origin + "/" + String.format("%016x", incarnation);
  }
}
