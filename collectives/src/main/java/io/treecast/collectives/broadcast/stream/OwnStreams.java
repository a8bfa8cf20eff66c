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
 * What this member publishes: on the default topic, and on at most {@code limits.topics} others,
 * each with a stream for every lane.
 *
 * <p>A topic that has been {@linkplain Streams idle} for long is forgotten: when nothing of it is
 * retained, or another needs its place. Others may remember how far its streams had come, for any
 * time; so when it is published on again, that goes on lanes that had never been used.
 */
final class OwnStreams {
  private final StreamId ofDefault;
  private final BroadcastLimits limits;
  private final ReplicationLog log;
  private final Predicate<StreamLog> isIdle;
  private final Consumer<StreamLog> forget;
  private final List<StreamLog> streams = new ArrayList<>();

  /** Of each topic, the lane of messages that are published whole. */
  private final TreeMap<String, Integer> firstLanes = new TreeMap<>();

  private int nextFirstLane = StreamId.WHOLE;

  /**
   * Nothing was published.
   *
   * @param ofDefault what is published whole on the default topic
   * @param isIdle whether nobody has needed a stream for so long that it may be forgotten
   * @param forget forgets one
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
   * What is published on a topic and a lane.
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

  /** Whether a topic has a place here that no other may take. */
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

  /** Whether the stream can only be published here, now or before it was forgotten. */
  boolean isOwn(StreamId id) {
    return id.incarnation() == ofDefault.incarnation() && id.origin().equals(self());
  }

  /** Whether it may have been published here, and surely is no more. */
  boolean isOver(StreamId id) {
    return isOwn(id) && id.lane() < firstLanes.getOrDefault(id.topic(), nextFirstLane);
  }
}
