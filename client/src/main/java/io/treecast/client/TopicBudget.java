package io.treecast.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The topics of single clients, members and selections that a client publishes on. Agents limit the
 * topics of their publishers, so only the first few are used. Safe for use by several threads.
 */
final class TopicBudget {
  /** A part of the default of {@code limits.topics}, which other uses share. */
  static final int MAX_TOPICS = 16;

  /** Agents forget a topic after five minutes without publications. */
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(6);

  /** The last use of each topic, in the order of these. */
  private final Map<String, Long> lastUseNanos = new LinkedHashMap<>(MAX_TOPICS, 0.75f, true);

  /** Returns whether the topic may be used now; then it counts as used. */
  synchronized boolean mayUse(String topic, long nowNanos) {
    lastUseNanos.values().removeIf(last -> nowNanos - last >= IDLE_NANOS);
    if (!lastUseNanos.containsKey(topic) && lastUseNanos.size() >= MAX_TOPICS) {
      return false;
    }
    lastUseNanos.put(topic, nowNanos);
    return true;
  }
}
