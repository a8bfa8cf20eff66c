package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The streams that this member publishes: on the default topic, and on at most {@code
 * limits.topics} others, each with a stream for every lane.
 *
 * <p>A topic that has been {@linkplain Streams idle} for long is forgotten when nothing of it is
 * retained, or another needs its place. Others may remember the positions of its streams for any
 * time; so when it is published on again, it uses new lanes.
 */
final class OwnStreams {
  private final StreamId ofDefault;
  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final Predicate<StreamLog> isIdle;
  private final Consumer<StreamLog> forget;
  private final List<StreamLog> streams = new ArrayList<>();

  /** The lane of whole messages of each topic. */
  private final TreeMap<String, Integer> firstLanes = new TreeMap<>();

  private int nextFirstLane = StreamId.WHOLE;

  /**
   * Creates an empty set.
   *
   * @param ofDefault the stream of whole messages on the default topic
   * @param isIdle whether a stream has been unneeded for so long that it may be forgotten
   * @param forget forgets a stream
   */
  OwnStreams(
      StreamId ofDefault,
      BroadcastLimits limits,
      ReplicationLog log,
      Predicate<StreamLog> isIdle,
      Consumer<StreamLog> forget) {
    this.ofDefault = ofDefault;
    this.limits = limits;
    this.log = log;
    this.isIdle = isIdle;
    this.forget = forget;
    firstLanes.put(ofDefault.topic(), nextFirstLane);
    begin(ofDefault);
  }

  /**
   * Returns the stream of a topic and a lane; begins it if necessary.
   *
   * @param lane as if the topic had never been forgotten
   * @throws BroadcastRefusedException TOO_MANY_TOPICS
   */
  StreamLog on(String topic, int lane) throws BroadcastRefusedException {
    Integer firstLane = firstLanes.get(Topic.checked(topic));
    if (firstLane == null) {
      makeRoom();
      firstLane = nextFirstLane;
      firstLanes.put(topic, firstLane);
    }
    StreamId id = new StreamId(self(), ofDefault.incarnation(), topic, firstLane + lane);
    StreamLog found = log.find(id);
    return found == null ? begin(id) : found;
  }

  /** Returns whether the topic holds a place here that no other topic may take. */
  boolean needs(String topic) {
    return firstLanes.containsKey(topic) && !of(topic).stream().allMatch(isIdle);
  }

  private StreamLog begin(StreamId id) {
    StreamLog begun = log.begin(id);
    streams.add(begun);
    return begun;
  }

  private void makeRoom() throws BroadcastRefusedException {
    if (firstLanes.size() <= limits.topics()) {
      return;
    }
    List<String> idle = idleTopics();
    if (idle.isEmpty()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_TOPICS,
          "this agent publishes on limits.topics = "
              + limits.topics()
              + " topics already; use one of those, raise the limit on all agents, or wait until"
              + " one has not been published on for five minutes, nor wanted by any subscriber");
    }
    forget(List.of(Collections.min(idle, Comparator.comparingLong(this::lastNumber))));
  }

  private List<String> idleTopics() {
    List<String> idle = new ArrayList<>();
    if (nextFirstLane <= Integer.MAX_VALUE - 2 * StreamId.LANES) {
      idle.addAll(firstLanes.keySet());
      idle.removeIf(topic -> !of(topic).stream().allMatch(isIdle));
    }
    return idle;
  }

  private List<StreamLog> of(String topic) {
    return streams.stream().filter(stream -> stream.id().topic().equals(topic)).toList();
  }

  private long lastNumber(String topic) {
    return of(topic).stream().mapToLong(StreamLog::lastNumber).max().orElse(0);
  }

  /** Forgets the topics that are idle and of which nothing is retained. */
  void review() {
    List<String> needless = idleTopics();
    needless.removeIf(topic -> of(topic).stream().anyMatch(stream -> stream.oldest() != null));
    if (!needless.isEmpty()) {
      forget(needless);
    }
  }

  private void forget(List<String> topics) {
    for (StreamLog stream : List.copyOf(streams)) {
      if (topics.contains(stream.id().topic())) {
        streams.remove(stream);
        forget.accept(stream);
      }
    }
    firstLanes.keySet().removeAll(topics);
    nextFirstLane += StreamId.LANES;
  }

  Collection<StreamLog> all() {
    return Collections.unmodifiableList(streams);
  }

  NodeId self() {
    return ofDefault.origin();
  }

  long incarnation() {
    return ofDefault.incarnation();
  }

  /** Returns whether the stream can only be published here, now or before it was forgotten. */
  boolean isOwn(StreamId id) {
    return id.incarnation() == ofDefault.incarnation() && id.origin().equals(self());
  }

  /** Returns whether the stream, if it was ever published here, has been forgotten since. */
  boolean isOver(StreamId id) {
    return isOwn(id) && id.lane() < firstLanes.getOrDefault(id.topic(), nextFirstLane);
  }
}
