package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The options of a subscription. Immutable.
 *
 * @param start the messages that the subscription begins with
 * @param whenSlow the treatment of a subscriber that does not keep up
 * @param topics the topics that the subscriber gets
 * @param inTotalOrder whether the subscriber gets its topic in the order that all such subscribers
 *     share; otherwise only the messages of each origin are in order
 */
public record SubscribeOptions(
    SubscriptionStart start, WhenSlow whenSlow, SortedSet<String> topics, boolean inTotalOrder) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are no topics, a name is not {@linkplain
   *     Topic#checked allowed}, or a total order of several topics or with gaps is requested
   */
  public SubscribeOptions {
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(Topic::checked);
    topics.stream()
        .filter(Topic::isSelection)
        .findFirst()
        .ifPresent(
            selection -> {
              throw new IllegalArgumentException(
                  "a subscription to the selection '"
                      + selection
                      + "': subscribe to the default topic, or to the one after the ids,"
                      + " whose subscribers at the receivers get it");
            });
    if (inTotalOrder && topics.size() > 1) {
      throw new IllegalArgumentException(
          "a total order covers one topic, not " + topics.size() + "; subscribe once for each");
    }
    if (inTotalOrder && whenSlow == WhenSlow.GAP) {
      throw new IllegalArgumentException(
          "a subscription in total order cannot skip; let it slow publishers, or catch up");
    }
    topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
  }

  /** Creates options for each origin's messages in order. */
  public SubscribeOptions(SubscriptionStart start, WhenSlow whenSlow, SortedSet<String> topics) {
    this(start, whenSlow, topics, false);
  }

  /** Returns the default options: from now on, slowing publishers, on the default topic. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(
        new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER, new TreeSet<>(Set.of(Topic.DEFAULT)));
  }

  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow, topics, inTotalOrder);
  }

  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow, topics, inTotalOrder);
  }

  /** Returns these options with exactly the given topics. */
  public SubscribeOptions withTopics(Set<String> newTopics) {
    return new SubscribeOptions(start, whenSlow, new TreeSet<>(newTopics), inTotalOrder);
  }

  /** Returns these options with the order that all subscribers in total order share. */
  public SubscribeOptions withTotalOrder() {
    return new SubscribeOptions(start, whenSlow, topics, true);
  }

  /**
   * Returns whether a subscriber of the member gets messages of the stream; uploads and selections
   * have no place in a total order.
   */
  public boolean accepts(StreamId stream, NodeId member) {
    return topics.contains(stream.topic())
        ? !(inTotalOrder && stream.isOfUploads())
        : acceptsSelection(stream.topic()) && Topic.names(stream.topic(), member);
  }

  /** Returns whether the topic is a selection that the subscriber gets if it names its member. */
  public boolean acceptsSelection(String topic) {
    return Topic.isSelection(topic) && topics.contains(Topic.audience(topic)) && !inTotalOrder;
  }

  /** Returns the topics and orders that other members must know of. */
  public SortedSet<String> interest() {
    SortedSet<String> interest = new TreeSet<>(topics);
    interest.remove(Topic.DEFAULT);
    if (inTotalOrder) {
      interest.add(Topic.orderOf(topics.first()));
    }
    return interest;
  }

  /**
   * Returns whether the subscription may begin before other members have answered, because its
   * start states which messages the subscriber has.
   */
  public boolean isInPlaceAtOnce() {
    return interest().isEmpty() && start instanceof SubscriptionStart.After;
  }

  /** Returns whether the subscription needs the ends of the default topic's streams. */
  public boolean includesDefaultTopic() {
    return topics.contains(Topic.DEFAULT);
  }
}
