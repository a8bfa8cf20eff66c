package io.treecast.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The topics of single clients, members and selections that a client publishes on. Agents limit the
 * topics of their publishers, so only the first few are used. Safe for use by several threads.
 */
final class TopicBudget {
  /** A part of the default of {@code limits.topics}, which other uses share. */
  static final int MAX_TOPICS = 16;

  /** Topics for the members of requesters, when there are more requesters than topics. */
  static final int RESERVED = 4;

  /** Agents forget a topic after five minutes without publications. */
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(6);

  /** The last use of each topic, in the order of these. */
  private final Map<String, Long> lastUseNanos = new LinkedHashMap<>(MAX_TOPICS, 0.75f, true);

  /**
   * Returns the first of these topics that may be used now, which then counts as used, and those
   * after it. Each leads to more members than the one before, and the last, which all clients
   * share, may always be used. While two lead to fewer members, the first takes no topic of the
   * {@link #RESERVED} ones.
   */
  List<String> usable(List<String> candidates, long nowNanos) {
    int shared = candidates.size() - 1;
    for (int i = 0; i < shared; i++) {
      int reserved = i < shared - 1 ? RESERVED : 0;
      if (mayUse(candidates.get(i), MAX_TOPICS - reserved, nowNanos)) {
        return candidates.subList(i, candidates.size());
      }
    }
    return candidates.subList(shared, candidates.size());
  }

  private synchronized boolean mayUse(String topic, int most, long nowNanos) {
    lastUseNanos.values().removeIf(last -> nowNanos - last >= IDLE_NANOS);
    if (!lastUseNanos.containsKey(topic) && lastUseNanos.size() >= most) {
      return false;
    }
    lastUseNanos.put(topic, nowNanos);
    return true;
  }
}
