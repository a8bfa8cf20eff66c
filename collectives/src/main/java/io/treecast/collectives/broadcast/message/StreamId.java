package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a replicated stream: the messages that one incarnation of an origin publishes on
 * one topic, in order. Messages that are published whole share one lane; each upload has a lane of
 * its own while it lasts. A topic that is published on again after it was forgotten uses new lanes,
 * so that no place in a stream is ever used twice.
 *
 * @param origin the node whose agent publishes
 * @param incarnation incarnation of that agent, higher than at each of its earlier starts
 * @param topic {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}
 * @param lane {@link #WHOLE}, or from 1 to {@link #MAX_LANE} one of {@linkplain Uploads uploads};
 *     plus {@link #LANES} for each time that its origin has forgotten topics before
 */
public record StreamId(NodeId origin, long incarnation, String topic, int lane)
    implements Comparable<StreamId> {
  /** The lane of messages that are published whole. */
  public static final int WHOLE = 0;

  /** The highest lane of uploads, on a topic that was never forgotten. */
  public static final int MAX_LANE = 255;

  /** The number of lanes until a topic is forgotten. */
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

  /** Identifies the whole messages of the incarnation on the default topic. */
  public StreamId(NodeId origin, long incarnation) {
    this(origin, incarnation, Topic.DEFAULT);
  }

  /** Identifies the whole messages of the incarnation on a topic. */
  public StreamId(NodeId origin, long incarnation, String topic) {
    this(origin, incarnation, topic, WHOLE);
  }

  /** Returns whether a topic may have the given lane; the default topic is never forgotten. */
  public static boolean isLane(String topic, int lane) {
    return lane >= WHOLE && (lane <= MAX_LANE || !topic.equals(Topic.DEFAULT));
  }

  /** Returns whether the stream is of a topic other than the default one. */
  public boolean isOfTopic() {
    return !topic.equals(Topic.DEFAULT);
  }

  /** Returns whether members can be asked to confirm the stream's messages. */
  public boolean mayAskForReceipts() {
    return Topic.hasKnownReceivers(topic);
  }

  /** Returns whether the stream's messages are uploads. */
  public boolean isOfUploads() {
    return lane % LANES != WHOLE;
  }

  /** Returns the channel by which neighbours get the stream. */
  public Channel channel() {
    return isOfUploads() && !isOfTopic() ? Channel.UPLOADS : Channel.MESSAGES;
  }

  /**
   * Returns the stream of whole messages on the default topic of the same origin and incarnation.
   */
  public StreamId publisher() {
    return isOfTopic() || isOfUploads() ? new StreamId(origin, incarnation) : this;
  }

  /**
   * Compares by the components, in their order. Spelled out because the maps of streams compare ids
   * for each chunk.
   */
  @Override
  public int compareTo(StreamId other) {
    if (this == other) {
      return 0;
    }
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

  /** Spelled out for the same reason: nearly always an id is compared with itself. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof StreamId that
            && incarnation == that.incarnation
            && lane == that.lane
            && origin.equals(that.origin)
            && topic.equals(that.topic));
  }

  @Override
  public int hashCode() {
    return (Long.hashCode(incarnation) * 31 + topic.hashCode()) * 31 + lane;
  }

  /**
   * Returns for example {@code 12/9f3a6c01d2e4b587}, with a topic {@code
   * 12/9f3a6c01d2e4b587/prices}, for uploads {@code 12/9f3a6c01d2e4b587~2}.
   */
  @Override
  public String toString() {
    String publisher = origin + "/" + String.format("%016x", incarnation);
    String ofLane = lane == WHOLE ? publisher : publisher + "~" + lane;
    return isOfTopic() ? ofLane + "/" + topic : ofLane;
  }
}
