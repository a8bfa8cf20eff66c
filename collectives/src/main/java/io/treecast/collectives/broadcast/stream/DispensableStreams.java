package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests.Wants;
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
final class DispensableStreams {
  private final long forgetNanos;
  private final ReplicationLog log;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final Streams.StreamContext relay;
  private final Predicate<StreamId> isPublishedHere;
  private final LongestSilentStream longestSilent;
  private long nowNanos;

  /**
   * Creates a selection among all streams of a log.
   *
   * @param forgetNanos how long an orphan is remembered
   * @param isPublishedHere matches own streams, whose topics are forgotten as a whole
   */
  DispensableStreams(
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
    this.longestSilent =
        new LongestSilentStream(
            log::streams,
            stream -> !isPublishedHere.test(stream.id()) && isUnneeded(stream),
            this::mayGiveWay,
            log::passedOfOrphans);
  }

  void tick(long now) {
    nowNanos = now;
  }

  /** Returns the stream that gives way when there is no room for another; null if none can. */
  @Nullable StreamLog longestSilent() {
    return longestSilent.find();
  }

  /** Notes that the set of orphans has changed, or that other streams may be needed than before. */
  void changed() {
    longestSilent.mayBeFound();
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
        && (Topic.isSelection(id.topic()) || relay.wants(id.topic()) == Wants.NO);
  }

  /**
   * Whether no rest of a message is awaited, no reader that slows publishers lacks any of the
   * stream, and all other readers can get the gap later.
   */
  private boolean mayGiveWay(StreamLog stream) {
    return awaitsNoRest(stream) && subscribers.mayLose(stream) && edges.mayLose(stream);
  }

  private static boolean awaitsNoRest(StreamLog stream) {
    return !stream.next().insideMessage() || stream.isGivenUp();
  }

  /**
   * Finds the streams to forget: old orphans, unneeded streams of topics, and idle streams of
   * selections, each if nothing of it is retained. The content of an old orphan counts as settled,
   * even if members lack some of it.
   *
   * @param forget called with each stream to forget
   * @param giveUp called with each stream for whose message in progress the wait ends
   */
  void review(Consumer<StreamLog> forget, Consumer<StreamLog> giveUp) {
    Map<String, Wants> wants = new HashMap<>();
    for (StreamLog stream : List.copyOf(log.streams())) {
      String topic = stream.id().topic();
      if (stream.isOrphaned()) {
        if (isOrphanToForget(stream)) {
          forget.accept(stream);
        }
      } else if (Topic.isSelection(topic)) {
        if (isSelectionToForget(stream, giveUp)) {
          forget.accept(stream);
        }
      } else if (stream.id().isOfTopic()
          && isToForget(stream, wants.computeIfAbsent(topic, relay::wants))) {
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
  private boolean isSelectionToForget(StreamLog stream, Consumer<StreamLog> giveUp) {
    if (!isIdleForLong(stream)) {
      return false;
    }
    if (!awaitsNoRest(stream)) {
      giveUp.accept(stream);
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

  private boolean isToForget(StreamLog stream, Wants wants) {
    if (wants == Wants.YES || !stream.isSettled() || relay.isUploading(stream.id())) {
      stream.markBusy();
      return false;
    }
    return wants == Wants.NO
        && isIdleForLong(stream)
        && stream.oldest() == null
        && !isPublishedHere.test(stream.id())
        && mayGiveWay(stream);
  }
}
