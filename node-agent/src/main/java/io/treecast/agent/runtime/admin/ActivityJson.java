package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.broadcast.BroadcastCounters;
import java.time.Instant;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page {@code /activity.json}: what the agent has done with messages since it started, as its
 * metrics count it. Two answers tell how much of it was between them. Stateless.
 */
final class ActivityJson {
  private ActivityJson() {}

  /**
   * Of where an agent stands.
   *
   * @param now by the agent's clock
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
