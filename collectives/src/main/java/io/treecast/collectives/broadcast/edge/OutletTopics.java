package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The topics that the other side of an outlet wants, on the channels that leave there. Each has the
 * number of the first entry logged since it was wanted.
 */
final class OutletTopics {
  private final Set<Channel> channels;

  /** The numbers by topic; looked up only. */
  private final Map<String, Long> since = new HashMap<>();

  /**
   * Creates a set of topics that are wanted from the start of the log.
   *
   * @param channels whose streams leave there
   */
  OutletTopics(Set<Channel> channels, Collection<String> topics) {
    this.channels = channels;
    add(topics, 0);
  }

  boolean contains(StreamLog stream) {
    return since.containsKey(stream.id().topic()) && channels.contains(stream.id().channel());
  }

  /** Returns whether the entry's stream was wanted before the entry was logged. */
  boolean containedWhenLogged(LogEntry entry) {
    long first = since.getOrDefault(entry.stream().id().topic(), Long.MAX_VALUE);
    return entry.number() >= first && channels.contains(entry.stream().id().channel());
  }

  /**
   * Adds topics that are wanted from the entry of this number on.
   *
   * @return the topics that were not wanted before
   */
  Set<String> add(Collection<String> topics, long number) {
    Set<String> added = new HashSet<>(topics);
    added.removeAll(since.keySet());
    added.forEach(topic -> since.put(topic, number));
    return added;
  }

  void removeAll(Collection<String> topics) {
    since.keySet().removeAll(topics);
  }

  /** Removes all topics but the default topic. */
  void keepDefault() {
    since.keySet().retainAll(Set.of(Topic.DEFAULT));
  }

  Set<String> selections() {
    Set<String> selections = new HashSet<>(since.keySet());
    selections.removeIf(topic -> !Topic.isSelection(topic));
    return selections;
  }

  /** Returns all topics. */
  Set<String> all() {
    return since.keySet();
  }
}
