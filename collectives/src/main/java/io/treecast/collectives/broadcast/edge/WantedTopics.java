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
 * The topics that the other side of an outlet wants, on the channels that leave there; each with
 * the first entry that was logged since.
 */
final class WantedTopics {
  private final Set<Channel> channels;

  /** By topic, the number of that entry; looked up only. */
  private final Map<String, Long> since = new HashMap<>();

  /**
   * These, from the start of the log on.
   *
   * @param channels whose streams leave there
   */
  WantedTopics(Set<Channel> channels, Collection<String> topics) {
    this.channels = channels;
    add(topics, 0);
  }

  /** Whether the stream is wanted. */
  boolean contains(StreamLog stream) {
    return since.containsKey(stream.id().topic()) && channels.contains(stream.id().channel());
  }

  /** Whether the entry's stream has been wanted since before it was logged. */
  boolean containedWhenLogged(LogEntry entry) {
    long first = since.getOrDefault(entry.stream().id().topic(), Long.MAX_VALUE);
    return entry.number() >= first && channels.contains(entry.stream().id().channel());
  }

  /**
   * These are wanted, too, from the entry of this number on.
   *
   * @return those that were not before
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

  /** None is wanted any more but the default topic, if it was. */
  void keepDefault() {
    since.keySet().retainAll(Set.of(Topic.DEFAULT));
  }

  /** All of them. */
  Set<String> all() {
    return since.keySet();
  }
}
