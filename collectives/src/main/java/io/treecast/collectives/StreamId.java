package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * Names a replicated stream: messages that one incarnation of an origin publishes on one topic, one
 * after the other. What is published whole is on one lane; each upload has a lane for itself while
 * it lasts.
 *
 * @param origin the node whose agent publishes
 * @param incarnation that agent's incarnation, higher than at each of its earlier starts
 * @param topic {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}
 * @param lane {@link #WHOLE}, or from 1 to {@link #MAX_LANE} one of {@linkplain Uploads uploads}
 */
public record StreamId(NodeId origin, long incarnation, String topic, int lane)
    implements Comparable<StreamId> {
  /** The lane of messages that are published whole. */
  public static final int WHOLE = 0;

  /** The highest lane of uploads. */
  public static final int MAX_LANE = 255;

  private static final Comparator<StreamId> ORDER =
      Comparator.comparing(StreamId::origin)
          .thenComparingLong(StreamId::incarnation)
          .thenComparing(StreamId::topic)
          .thenComparingInt(StreamId::lane);

  /**
   * Checks the lane.
   *
   * @throws IllegalArgumentException if there is no such lane
   */
  public StreamId {
    checkLane(lane);
  }

  /** What the incarnation publishes whole on the default topic. */
  public StreamId(NodeId origin, long incarnation) {
    this(origin, incarnation, Topic.DEFAULT);
  }

  /** What the incarnation publishes whole on a topic. */
  public StreamId(NodeId origin, long incarnation, String topic) {
    this(origin, incarnation, topic, WHOLE);
  }

  static void checkLane(int lane) {
    if (lane < WHOLE || lane > MAX_LANE) {
      throw new IllegalArgumentException("lane " + lane + "; allowed are 0 to " + MAX_LANE);
    }
  }

  /** Whether it is of another topic than the default one. */
  boolean isOfTopic() {
    return !topic.equals(Topic.DEFAULT);
  }

  /** Whether its messages are uploads. */
  public boolean isOfUploads() {
    return lane != WHOLE;
  }

  /** By which of its channels a neighbour gets it. */
  public Channel channel() {
    return isOfUploads() && !isOfTopic() ? Channel.UPLOADS : Channel.MESSAGES;
  }

  /** What the same incarnation of the same origin publishes whole on the default topic. */
  StreamId publisher() {
    return isOfTopic() || isOfUploads() ? new StreamId(origin, incarnation) : this;
  }

  @Override
  public int compareTo(StreamId other) {
    return ORDER.compare(this, other);
  }

  /**
   * For example {@code 12/9f3a6c01d2e4b587}; of a topic {@code 12/9f3a6c01d2e4b587/prices}; of
   * uploads {@code 12/9f3a6c01d2e4b587~2}.
   */
  @Override
  public String toString() {
    String publisher = origin + "/" + String.format("%016x", incarnation);
    String ofLane = isOfUploads() ? publisher + "~" + lane : publisher;
    return isOfTopic() ? ofLane + "/" + topic : ofLane;
  }
}
