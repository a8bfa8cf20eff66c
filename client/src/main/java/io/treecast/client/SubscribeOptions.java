package io.treecast.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of a subscription. Immutable; the methods return changed copies.
 *
 * <pre>{@code
 * SubscribeOptions.defaults().withTopics("prices", "news").withStart(new SubscriptionStart.Retained())
 * }</pre>
 *
 * @param start the beginning of the subscription
 * @param whenSlow the agent's policy if the handler is slow
 * @param topics the topics to receive; the empty name is the default topic, others have 1 to 200
 *     bytes of UTF-8, without control characters
 * @param inTotalOrder whether all such subscribers receive the topic in the same order; otherwise
 *     only the messages of each origin arrive in order
 */
public record SubscribeOptions(
    SubscriptionStart start, WhenSlow whenSlow, Set<String> topics, boolean inTotalOrder) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are no topics, or a name is invalid; or if a total
   *     order of several topics, or one with gaps, is requested
   */
  public SubscribeOptions {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(whenSlow, "whenSlow");
    Objects.requireNonNull(topics, "topics");
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(TopicName::checked);
    if (topics.stream().anyMatch(TopicName::isSelection)) {
      throw new IllegalArgumentException(
          "messages to selected members arrive on the default topic: subscribe to that");
    }
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

  /** Returns options for new messages on the default topic, which slow publishers if necessary. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(
        new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER, Set.of(""), false);
  }

  /** Returns a copy with another start. */
  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow, topics, inTotalOrder);
  }

  /** Returns a copy with another policy for slow handlers. */
  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow, topics, inTotalOrder);
  }

  /** Returns a copy with these topics only; the empty name is the default topic. */
  public SubscribeOptions withTopics(String... newTopics) {
    Objects.requireNonNull(newTopics, "topics");
    return new SubscribeOptions(
        start, whenSlow, new LinkedHashSet<>(Arrays.asList(newTopics)), inTotalOrder);
  }

  /**
   * Returns a copy in total order: all such subscribers of the topic, at all members, receive its
   * messages in the same order. Payloads above the agents' limit of whole broadcasts have no place
   * in the order, and are not delivered.
   */
  public SubscribeOptions withTotalOrder() {
    return new SubscribeOptions(start, whenSlow, topics, true);
  }
}
