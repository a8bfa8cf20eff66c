package io.treecast.collectives;

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
 */
public record SubscribeOptions(
    SubscriptionStart start, WhenSlow whenSlow, SortedSet<String> topics) {

  /**
   * Copies the topics.
   *
   * @throws IllegalArgumentException if there are none, or a name is not {@linkplain Topic#checked
   *     allowed}
   */
  public SubscribeOptions {
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("a subscription needs at least one topic");
    }
    topics.forEach(Topic::checked);
    topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
  }

  /** From now on, slowing publishers, on the default topic. */
  public static SubscribeOptions defaults() {
    return new SubscribeOptions(
        new SubscriptionStart.Now(), WhenSlow.SLOW_PUBLISHER, new TreeSet<>(Set.of(Topic.DEFAULT)));
  }

  public SubscribeOptions withStart(SubscriptionStart newStart) {
    return new SubscribeOptions(newStart, whenSlow, topics);
  }

  public SubscribeOptions withWhenSlow(WhenSlow newWhenSlow) {
    return new SubscribeOptions(start, newWhenSlow, topics);
  }

  /** With these topics, and no other. */
  public SubscribeOptions withTopics(Set<String> newTopics) {
    return new SubscribeOptions(start, whenSlow, new TreeSet<>(newTopics));
  }
}
