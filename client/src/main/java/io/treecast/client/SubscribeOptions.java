package io.treecast.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is said of a subscription. Immutable.
 *
 * <pre>{@code
 * SubscribeOptions.defaults().withTopics("prices", "news").withStart(new SubscriptionStart.Retained())
 * }</pre>
 *
 * @param start what it begins with
 * @param whenSlow what the agent does when the handler is slow
 * @param topics which it is to get; the empty name is the default topic, others have 1 to 200 bytes
 *     of UTF-8, without control characters
 * @param inTotalOrder whether it is to get its topic in the order in which all such subscribers get
 *     it; otherwise only each origin's messages come in order
 */
public record SubscribeOptions(
    SubscriptionStart start, WhenSlow whenSlow, Set<String> topics, boolean inTotalOrder) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are none, or a topic's name is not allowed; or a
   *     total order of several topics, or one with gaps, is asked for
   */
  public SubscribeOptions {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(whenSlow, "whenSlow");
    Objects.requireNonNull(topics, "topics");
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(TopicName::checked);
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

  /** From now on, slowing publishers, on the default topic. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(
        new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER, Set.of(""), false);
  }

  /** The same with another start. */
  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow, topics, inTotalOrder);
  }

  /** The same with another treatment when the handler is slow. */
  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow, topics, inTotalOrder);
  }

  /** The same with these topics, and no other; the empty name is the default topic. */
  public SubscribeOptions withTopics(String... newTopics) {
    Objects.requireNonNull(newTopics, "topics");
    return new SubscribeOptions(
        start, whenSlow, new LinkedHashSet<>(Arrays.asList(newTopics)), inTotalOrder);
  }

  /**
   * The same, in total order: all such subscribers of the topic, wherever they are, get its
   * messages in the same order. Payloads that are larger than an agent takes whole have no place in
   * it and do not come.
   */
  public SubscribeOptions withTotalOrder() {
    return new SubscribeOptions(start, whenSlow, topics, true);
  }
}
