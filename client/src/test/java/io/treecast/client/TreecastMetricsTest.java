package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TreecastMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double broadcasts(String outcome) {
    return registry
        .get("treecast.client.broadcasts")
        .tag("outcome", outcome)
        .tag("app", "shop")
        .functionCounter()
        .count();
  }

  @Test
  void broadcasts_are_counted_by_outcome_and_messages_as_delivered_or_missed() throws Exception {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      new TreecastMetrics(treecast, Tag.of("app", "shop")).bindTo(registry);
      treecast.blocking().broadcast(new byte[1]);
      treecast.blocking().broadcast(new byte[1]);
      agent.onBroadcast((request, answer) -> answer.onError(AgentRefusal.of("NO_ROOM", "full")));
      assertThatThrownBy(() -> treecast.blocking().broadcast(new byte[1]))
          .isInstanceOf(TreecastException.class);
      treecast.subscribe(message -> {}).ready().get(60, TimeUnit.SECONDS);
      await().until(() -> agent.subscribers.size() == 1);
      agent.sendMessage("h2", 1, "x");

      await()
          .untilAsserted(
              () ->
                  assertThat(registry.get("treecast.client.delivered").functionCounter().count())
                      .isEqualTo(1));
      assertThat(broadcasts("accepted")).isEqualTo(2);
      assertThat(broadcasts("buffer_full")).isEqualTo(1);
      assertThat(broadcasts("outcome_unknown")).isZero();
      assertThat(registry.get("treecast.client.broadcast").functionTimer().count()).isEqualTo(2);
      assertThat(
              registry
                  .get("treecast.client.broadcast")
                  .functionTimer()
                  .totalTime(TimeUnit.NANOSECONDS))
          .isPositive();
      assertThat(registry.get("treecast.client.missed").functionCounter().count()).isZero();
      assertThat(registry.get("treecast.client.connected").gauge().value()).isEqualTo(1);
    }
    assertThat(registry.get("treecast.client.connected").gauge().value()).isZero();
  }
}
