package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.ghs.NodeId;

/**
 * Names a replicated stream: messages that one incarnation of an origin publishes on one topic, one
 * after the other. What is published whole is on one lane; each upload has a lane for itself while
 * it lasts. A topic that was forgotten and is published on again has other lanes, so that no place
 * in a stream is ever used twice.
 *
 * @param origin the node whose agent publishes
 * @param incarnation that agent's incarnation, higher than at each of its earlier starts
 * @param topic {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}
 * @param lane {@link #WHOLE}, or from 1 to {@link #MAX_LANE} one of {@linkplain Uploads uploads};
 *     and {@link #LANES} more for each time that its origin has forgotten topics before
 */
public record StreamId(NodeId origin, long incarnation, String topic, int lane)
    implements Comparable<StreamId> {
  /** The lane of messages that are published whole. */
  public static final int WHOLE = 0;

  /** The highest lane of uploads, of a topic that was never forgotten. */
  public static final int MAX_LANE = 255;

  /** How many lanes there are until a topic is forgotten. */
  public static final int LANES = MAX_LANE + 1;

  /**
   * Checks the lane.
   *
   * @throws IllegalArgumentException if there is no such lane
   */
  public StreamId {
    if (!isLane(topic, lane)) {
      throw new IllegalArgumentException("topic '" + topic + "' has no lane " + lane);
    }
  }

  /** What the incarnation publishes whole on the default topic. */
  public StreamId(NodeId origin, long incarnation) {
    this(origin, incarnation, Topic.DEFAULT);
  }

  /** What the incarnation publishes whole on a topic. */
  public StreamId(NodeId origin, long incarnation, String topic) {
    this(origin, incarnation, topic, WHOLE);
  }

  /** Whether a topic may have such a lane; the default topic is never forgotten. */
  public static boolean isLane(String topic, int lane) {
    return lane >= WHOLE && (lane <= MAX_LANE || !topic.equals(Topic.DEFAULT));
  }

  /** Whether it is of another topic than the default one. */
  public boolean isOfTopic() {
    return !topic.equals(Topic.DEFAULT);
  }

  /** Whether its messages are uploads. */
  public boolean isOfUploads() {
    return lane % LANES != WHOLE;
  }

  /** By which of its channels a neighbour gets it. */
  public Channel channel() {
    return isOfUploads() && !isOfTopic() ? Channel.UPLOADS : Channel.MESSAGES;
  }

  /** What the same incarnation of the same origin publishes whole on the default topic. */
  public StreamId publisher() {
    return isOfTopic() || isOfUploads() ? new StreamId(origin, incarnation) : this;
  }

  /** By its components, in their order. Written out: the maps of streams compare for each chunk. */
  @Override
  public int compareTo(StreamId other) {
    int byOrigin = origin.compareTo(other.origin);
    if (byOrigin != 0) {
      return byOrigin;
    }
    int byIncarnation = Long.compare(incarnation, other.incarnation);
    if (byIncarnation != 0) {
      return byIncarnation;
    }
    int byTopic = topic.compareTo(other.topic);
    return byTopic != 0 ? byTopic : Integer.compare(lane, other.lane);
  }

  /**
   * For example {@code 12/9f3a6c01d2e4b587}; of a topic {@code 12/9f3a6c01d2e4b587/prices}; of
   * uploads {@code 12/9f3a6c01d2e4b587~2}.
   */
  @Override
  public String toString() {
    String publisher = origin + "/" + String.format("%016x", incarnation);
    String ofLane = lane == WHOLE ? publisher : publisher + "~" + lane;
    return isOfTopic() ? ofLane + "/" + topic : ofLane;
  }
}
