package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * Names a replicated stream: the messages that one incarnation of an origin publishes on one topic.
 *
 * @param origin the node whose agent publishes
 * @param incarnation that agent's incarnation, drawn anew at each of its starts; not ordered in
 *     time
 * @param topic {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}
 */
public record StreamId(NodeId origin, long incarnation, String topic)
    implements Comparable<StreamId> {
  private static final Comparator<StreamId> ORDER =
      Comparator.comparing(StreamId::origin)
          .thenComparingLong(StreamId::incarnation)
          .thenComparing(StreamId::topic);

  /** What the incarnation publishes on the default topic. */
  public StreamId(NodeId origin, long incarnation) {
    this(origin, incarnation, Topic.DEFAULT);
  }

  /** Whether it is of another topic than the default one. */
  boolean isOfTopic() {
    return !topic.equals(Topic.DEFAULT);
  }

  /** What the same incarnation of the same origin publishes on the default topic. */
  StreamId publisher() {
    return isOfTopic() ? new StreamId(origin, incarnation) : this;
  }

  @Override
  public int compareTo(StreamId other) {
    return ORDER.compare(this, other);
  }

  /** For example {@code 12/9f3a6c01d2e4b587}; of a topic {@code 12/9f3a6c01d2e4b587/prices}. */
  @Override
  public String toString() {
    String publisher = origin + "/" + String.format("%016x", incarnation);
    return isOfTopic() ? publisher + "/" + topic : publisher;
  }
}
