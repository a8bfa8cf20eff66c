package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects the streams that may be forgotten, by the rules of {@link Streams}: those that have been
 * unneeded for long, and, when there is no room for another, the one that has been silent for
 * longest. Forgets nothing itself.
 */
final class EvictableStreams {
  private final long forgetNanos;
  private final ReplicationLog log;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final Streams.StreamContext relay;
  private final Predicate<StreamId> isPublishedHere;
  private final LeastRecentStream leastRecent;
  private long nowNanos;

  /**
   * Creates a selection among all streams of a log.
   *
   * @param forgetNanos how long an orphan is remembered
   * @param isPublishedHere matches own streams, whose topics are forgotten as a whole
   */
  EvictableStreams(
      long forgetNanos,
      ReplicationLog log,
      DataEdges edges,
      LocalSubscribers subscribers,
      Streams.StreamContext relay,
      Predicate<StreamId> isPublishedHere) {
    this.forgetNanos = forgetNanos;
    this.log = log;
    this.edges = edges;
    this.subscribers = subscribers;
    this.relay = relay;
    this.isPublishedHere = isPublishedHere;
    this.leastRecent =
        new LeastRecentStream(
            log::streams,
            stream -> !isPublishedHere.test(stream.id()) && isUnneeded(stream),
            this::mayGiveWay,
            log::orphanAdvances);
  }

  void tick(long now) {
    nowNanos = now;
  }

  /** Returns the stream that gives way when there is no room for another; null if none can. */
  @Nullable StreamLog leastRecent() {
    return leastRecent.find();
  }

  /** Notes that the set of orphans has changed, or that other streams may be needed than before. */
  void changed() {
    leastRecent.searchAgain();
  }

  /** Returns whether the stream has been unneeded for so long that it may be forgotten. */
  boolean isIdle(StreamLog stream) {
    return isUnneeded(stream) && isIdleForLong(stream) && mayGiveWay(stream);
  }

  private boolean isIdleForLong(StreamLog stream) {
    return stream.idleForNanos(nowNanos) >= Streams.IDLE_NANOS;
  }

  /** Whether no known member lacks any of the stream or wants its continuation. */
  private boolean isUnneeded(StreamLog stream) {
    StreamId id = stream.id();
    return id.isOfTopic()
        && stream.isSettled()
        && !relay.isUploading(id)
        && (Topic.isSelection(id.topic()) || relay.interest(id.topic()) == InterestState.NO);
  }

  /**
   * Whether no rest of a message is awaited, no reader that slows publishers lacks any of the
   * stream, and all other readers can get the gap later.
   */
  private boolean mayGiveWay(StreamLog stream) {
    return awaitsNoRest(stream) && subscribers.mayLose(stream) && edges.mayLose(stream);
  }

  private static boolean awaitsNoRest(StreamLog stream) {
    return !stream.next().insideMessage() || stream.isAbandoned();
  }

  /**
   * Finds the streams to forget: old orphans, unneeded streams of topics, and idle streams of
   * selections, each if nothing of it is retained. The content of an old orphan counts as settled,
   * even if members lack some of it.
   *
   * @param forget called with each stream to forget
   * @param abandon called with each stream for whose message in progress the wait ends
   */
  void review(Consumer<StreamLog> forget, Consumer<StreamLog> abandon) {
    Map<String, InterestState> interest = new HashMap<>();
    for (StreamLog stream : List.copyOf(log.streams())) {
      String topic = stream.id().topic();
      if (stream.isOrphaned()) {
        if (isOrphanToForget(stream)) {
          forget.accept(stream);
        }
      } else if (Topic.isSelection(topic)) {
        if (isSelectionToForget(stream, abandon)) {
          forget.accept(stream);
        }
      } else if (stream.id().isOfTopic()
          && isToForget(stream, interest.computeIfAbsent(topic, relay::interest))) {
        forget.accept(stream);
      }
    }
  }

  /**
   * Selections are wanted as long as their receivers are in the tree, so their streams are
   * forgotten by time. When one has been idle for long, its content counts as settled, even if
   * receivers lack some of it, and the wait for the rest of a message ends. The origin publishes on
   * a new stream later.
   */
  private boolean isSelectionToForget(StreamLog stream, Consumer<StreamLog> abandon) {
    if (!isIdleForLong(stream)) {
      return false;
    }
    if (!awaitsNoRest(stream)) {
      abandon.accept(stream);
    }
    log.settleAll(stream);
    return stream.oldest() == null && !isPublishedHere.test(stream.id()) && mayGiveWay(stream);
  }

  private boolean isOrphanToForget(StreamLog stream) {
    if (stream.idleForNanos(nowNanos) < forgetNanos) {
      return false;
    }
    log.settleAll(stream);
    return stream.oldest() == null
        && awaitsNoRest(stream)
        && subscribers.haveAllOf(stream)
        && edges.mayLose(stream);
  }

  private boolean isToForget(StreamLog stream, InterestState interest) {
    if (interest == InterestState.YES || !stream.isSettled() || relay.isUploading(stream.id())) {
      stream.markBusy();
      return false;
    }
    return interest == InterestState.NO
        && isIdleForLong(stream)
        && stream.oldest() == null
        && !isPublishedHere.test(stream.id())
        && mayGiveWay(stream);
  }
}
