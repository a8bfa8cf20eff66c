package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a subscriber asks for. Immutable.
 *
 * @param start what it begins with
 * @param whenSlow what is done when it does not take what there is for it
 * @param topics which it is to get
 * @param inTotalOrder whether it is to get its topic in the order in which all such subscribers get
 *     it; otherwise only each origin's messages come in order
 */
public record SubscribeOptions(
    SubscriptionStart start, WhenSlow whenSlow, SortedSet<String> topics, boolean inTotalOrder) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are none, or a name is not {@linkplain Topic#checked
   *     allowed}; or a total order of several topics, or one with gaps, is asked for
   */
  public SubscribeOptions {
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(Topic::checked);
    if (inTotalOrder && topics.size() > 1) {
      throw new IllegalArgumentException(
          "total order is of one topic, not of " + topics.size() + "; subscribe once for each");
    }
    if (inTotalOrder && whenSlow == WhenSlow.GAP) {
      throw new IllegalArgumentException(
          "a subscription in total order cannot skip; let it slow publishers, or catch up");
    }
    topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
  }

  /** Options for each origin's messages in order. */
  public SubscribeOptions(SubscriptionStart start, WhenSlow whenSlow, SortedSet<String> topics) {
    this(start, whenSlow, topics, false);
  }

  /** From now on, slowing publishers, on the default topic. */
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

  /** With these topics, and no other. */
  public SubscribeOptions withTopics(Set<String> newTopics) {
    return new SubscribeOptions(start, whenSlow, new TreeSet<>(newTopics), inTotalOrder);
  }

  /** In the order in which all subscribers get the topic that ask for it. */
  public SubscribeOptions withTotalOrder() {
    return new SubscribeOptions(start, whenSlow, topics, true);
  }

  /** Whether messages of the stream are for it; uploads have no place in a total order. */
  public boolean wants(StreamId stream) {
    return topics.contains(stream.topic()) && !(inTotalOrder && stream.isOfUploads());
  }

  /** What other members have to know that it wants. */
  public SortedSet<String> interest() {
    SortedSet<String> interest = new TreeSet<>(topics);
    interest.remove(Topic.DEFAULT);
    if (inTotalOrder) {
      interest.add(Topic.orderOf(topics.first()));
    }
    return interest;
  }

  /** Whether it may begin before other members have answered: it says itself what it has had. */
  public boolean isInPlaceAtOnce() {
    return interest().isEmpty() && start instanceof SubscriptionStart.After;
  }

  /** Whether it is to be known where the streams of the default topic end. */
  public boolean wantsDefaultTopic() {
    return topics.contains(Topic.DEFAULT);
  }
}
