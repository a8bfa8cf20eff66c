package io.treecast.testkit.sim;

import io.treecast.collectives.Chunk;
import io.treecast.collectives.Gap;
import io.treecast.collectives.MessageId;
import io.treecast.collectives.Topic;
import io.treecast.testkit.cluster.Life;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The subscribers of one life of a simulated agent, one for each topic. Fails on what comes unasked
 * or too early. One thread.
 */
final class SimApplications {
  /** A subscriber of one topic; since which tree version it is in place, 0 before. */
  private static final class Application {
    final String topic;
    long sinceVersion;

    Application(String topic) {
      this.topic = topic;
    }
  }

  private final SimAgent.Observer observer;
  private final Life life;

  /** By number. */
  private final Map<Long, Application> applications = new LinkedHashMap<>();

  private final Map<MessageId, Integer> nextChunk = new HashMap<>();

  /** The uploads that they were told not to wait for. */
  private final Set<MessageId> abandoned = new LinkedHashSet<>();

  /** None. */
  SimApplications(Life life, SimAgent.Observer observer) {
    this.life = life;
    this.observer = observer;
  }

  boolean isThere(String topic) {
    return applications.values().stream().anyMatch(a -> a.topic.equals(topic));
  }

  void add(long number, String topic) {
    applications.put(number, new Application(topic));
  }

  /** Removes those of a topic; gives their numbers. */
  List<Long> remove(String topic) {
    List<Long> numbers =
        applications.entrySet().stream()
            .filter(entry -> entry.getValue().topic.equals(topic))
            .map(Map.Entry::getKey)
            .toList();
    numbers.forEach(applications::remove);
    return numbers;
  }

  /** Whether a subscription is in place for what is published on this version of the tree. */
  boolean isSubscribed(String topic, long treeVersion) {
    return topic.equals(Topic.DEFAULT)
        || applications.values().stream()
            .filter(application -> application.topic.equals(topic))
            .anyMatch(a -> a.sinceVersion > 0 && a.sinceVersion <= treeVersion);
  }

  /** The messages that they have in part. */
  Set<MessageId> unfinished() {
    return Set.copyOf(nextChunk.keySet());
  }

  // What its agent says; others' numbers are ignored, but for chunks.

  void began(long number, long treeVersion) {
    Application application = applications.get(number);
    if (application != null) {
      application.sinceVersion = treeVersion;
    }
  }

  void delivered(long number, Chunk chunk) {
    Application application = applications.get(number);
    if (application == null || !application.topic.equals(chunk.stream().topic())) {
      throw new AssertionError("node " + life + " was delivered " + chunk + " unasked");
    }
    int expected = nextChunk.getOrDefault(chunk.messageId(), 0);
    if (chunk.index() > expected) {
      throw new AssertionError("node " + life + " was delivered " + chunk + " too early");
    }
    if (chunk.last()) {
      nextChunk.remove(chunk.messageId());
      observer.delivered(life, chunk.messageId());
    } else {
      nextChunk.put(chunk.messageId(), chunk.index() + 1);
    }
  }

  void missed(Gap gap) {
    nextChunk.keySet().removeIf(id -> isIn(gap, id));
    abandoned.stream()
        .filter(id -> isIn(gap, id))
        .forEach(id -> observer.missedAbandoned(life, id));
  }

  private static boolean isIn(Gap gap, MessageId id) {
    return id.stream().equals(gap.stream())
        && id.sequence() >= gap.firstMissed()
        && id.sequence() <= gap.lastMissed();
  }

  void abandoned(MessageId message) {
    nextChunk.remove(message);
    if (message.stream().isOfUploads()) {
      abandoned.add(message);
    }
  }
}
