package io.treecast.testkit.sim;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbered subscribers of one incarnation of a simulated agent: its own, one for each topic,
 * and others that come and go. Throws if its own receive a message of another topic or a chunk too
 * early. Single-threaded.
 */
final class SimApplications {
  /** A subscriber of one topic, with the tree version since which it is in place, 0 before. */
  private static final class Application {
    final String topic;
    long sinceVersion;

    Application(String topic) {
      this.topic = topic;
    }
  }

  private final SimAgent.Observer observer;
  private final Incarnation incarnation;

  /** Own subscribers, by number. */
  private final Map<Long, Application> applications = new LinkedHashMap<>();

  /** Other subscribers, by number. */
  private final Map<Long, SimSubscriber> others = new HashMap<>();

  private long lastNumber;

  private final Map<MessageId, Integer> nextChunk = new HashMap<>();

  /** The uploads that its own subscribers know as abandoned. */
  private final Set<MessageId> abandoned = new LinkedHashSet<>();

  /** Creates an empty set of subscribers. */
  SimApplications(Incarnation incarnation, SimAgent.Observer observer) {
    this.incarnation = incarnation;
    this.observer = observer;
  }

  boolean isThere(String topic) {
    return applications.values().stream().anyMatch(a -> a.topic.equals(topic));
  }

  /** Adds an own subscriber of a topic and returns its number. */
  long add(String topic) {
    applications.put(++lastNumber, new Application(topic));
    return lastNumber;
  }

  /** Adds another subscriber and returns its number. */
  long add(SimSubscriber other) {
    others.put(++lastNumber, other);
    return lastNumber;
  }

  /** Removes another subscriber, and returns whether it existed. */
  boolean remove(long number) {
    return others.remove(number) != null;
  }

  /** Removes the own subscribers of a topic and returns their numbers. */
  List<Long> remove(String topic) {
    List<Long> numbers =
        applications.entrySet().stream()
            .filter(entry -> entry.getValue().topic.equals(topic))
            .map(Map.Entry::getKey)
            .toList();
    numbers.forEach(applications::remove);
    return numbers;
  }

  /** Returns whether a subscription is in place for messages published on a version of the tree. */
  boolean isSubscribed(String topic, long treeVersion) {
    return applications.values().stream()
        .filter(application -> application.topic.equals(topic))
        .anyMatch(a -> a.sinceVersion > 0 && a.sinceVersion <= treeVersion);
  }

  /** Returns the messages that its own subscribers have received in part. */
  Set<MessageId> unfinished() {
    return Set.copyOf(nextChunk.keySet());
  }

  // Events from the agent.

  /**
   * Starts the subscription of a subscriber.
   *
   * @param after the last messages before its start
   * @param treeVersion the version of the agent's tree; 0 without one
   */
  void began(long number, List<MessageId> after, long treeVersion) {
    SimSubscriber other = others.get(number);
    Application application = applications.get(number);
    if (other != null) {
      other.began(after);
    } else if (application != null && treeVersion > 0) {
      application.sinceVersion = treeVersion;
    }
  }

  void live(long number) {
    SimSubscriber other = others.get(number);
    if (other != null) {
      other.live();
    }
  }

  /**
   * Returns whether a subscriber of one topic receives messages of another, for example of a
   * selection.
   */
  private boolean isFor(String subscribed, String topic) {
    return subscribed.equals(Topic.audience(topic))
        && (!Topic.isSelection(topic) || Topic.names(topic, SimSettings.id(incarnation.node())));
  }

  void delivered(long number, Chunk chunk) {
    SimSubscriber other = others.get(number);
    if (other != null) {
      other.delivered(chunk);
      if (chunk.last()) {
        observer.deliveredToOther(incarnation, chunk.messageId());
      }
      return;
    }
    Application application = applications.get(number);
    if (application == null || !isFor(application.topic, chunk.stream().topic())) {
      throw new AssertionError(
          "node " + incarnation + " was delivered " + chunk + " without a subscription");
    }
    int expected = nextChunk.getOrDefault(chunk.messageId(), 0);
    if (chunk.index() > expected) {
      throw new AssertionError("node " + incarnation + " was delivered " + chunk + " too early");
    }
    if (chunk.last()) {
      nextChunk.remove(chunk.messageId());
      observer.delivered(incarnation, chunk.messageId());
    } else {
      nextChunk.put(chunk.messageId(), chunk.index() + 1);
    }
  }

  void missed(long number, Gap gap) {
    SimSubscriber other = others.get(number);
    if (other != null) {
      other.missed(gap);
      return;
    }
    nextChunk.keySet().removeIf(id -> isIn(gap, id));
    abandoned.stream()
        .filter(id -> isIn(gap, id))
        .forEach(id -> observer.missedAbandoned(incarnation, id));
  }

  private static boolean isIn(Gap gap, MessageId id) {
    return id.stream().equals(gap.stream())
        && id.sequence() >= gap.firstMissed()
        && id.sequence() <= gap.lastMissed();
  }

  void abandoned(long number, MessageId message) {
    SimSubscriber other = others.get(number);
    if (other != null) {
      other.abandoned(message);
      return;
    }
    nextChunk.remove(message);
    if (message.stream().isOfUploads()) {
      abandoned.add(message);
    }
  }
}
