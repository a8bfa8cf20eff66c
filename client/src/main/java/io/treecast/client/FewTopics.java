package io.treecast.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Chooses between a topic that leads to one member or client and one that leads to all. Agents
 * limit the topics of their publishers, so only the first few of the former are used. Safe for use
 * by several threads.
 */
final class FewTopics {
  /** A part of the default of {@code limits.topics}, which other uses share. */
  static final int MAX_TOPICS = 16;

  /** Agents forget a topic after five minutes without publications. */
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(6);

  /** The last use of each topic, in the order of these. */
  private final Map<String, Long> lastUseNanos = new LinkedHashMap<>(MAX_TOPICS, 0.75f, true);

  /** Returns the topic to use now. */
  synchronized String choose(String toOne, String toAll, long nowNanos) {
    lastUseNanos.values().removeIf(last -> nowNanos - last >= IDLE_NANOS);
    if (!lastUseNanos.containsKey(toOne) && lastUseNanos.size() >= MAX_TOPICS) {
      return toAll;
    }
    lastUseNanos.put(toOne, nowNanos);
    return toOne;
  }
}
