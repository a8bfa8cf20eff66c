package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.BroadcastCounters;
import java.time.Instant;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page {@code /activity.json}: the agent's message counters since its start, with the values of
 * its metrics. The difference of two answers is the activity between them. Stateless.
 */
final class ActivityJson {
  private ActivityJson() {}

  /**
   * Returns the page for an agent's state.
   *
   * @param now the time by the agent's clock
   */
  static String of(AgentSnapshot snapshot, Instant now) {
    BroadcastCounters broadcast = snapshot.broadcast();
    return JsonMapper.shared()
            .writeValueAsString(
                JsonMapper.shared()
                    .createObjectNode()
                    .put("at", Instant.ofEpochMilli(now.toEpochMilli()).toString())
                    .put("publishedMessages", broadcast.publishedMessages())
                    .put("deliveredMessages", broadcast.deliveredMessages())
                    .put(
                        "missedMessages",
                        broadcast.missedMessages().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .put("forwardedChunks", broadcast.forwardedChunks())
                    .put("waitingBytes", broadcast.waitingBytes())
                    .put("publishersWaiting", snapshot.publishing().waiting()))
        + "\n";
  }
}
