package io.treecast.client;

import java.util.Arrays;
import java.util.Collections;
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
 */
public record SubscribeOptions(SubscriptionStart start, WhenSlow whenSlow, Set<String> topics) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are none, or a topic's name is not allowed
   */
  public SubscribeOptions {
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(TopicName::checked);
    topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
  }

  /** From now on, slowing publishers, on the default topic. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER, Set.of(""));
  }

  /** The same with another start. */
  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow, topics);
  }

  /** The same with another treatment when the handler is slow. */
  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow, topics);
  }

  /** The same with these topics, and no other; the empty name is the default topic. */
  public SubscribeOptions withTopics(String... newTopics) {
    return new SubscribeOptions(start, whenSlow, Set.copyOf(Arrays.asList(newTopics)));
  }
}
