package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Timer;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.SubscriptionStart;
import io.treecast.client.Treecast;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents measure the time to delivery, and count deliveries, subscribers and clients. */
class DeliveryMetricsTest {
  private static final long ONE_WAY_MILLIS = 60;

  private final LinkEmulation slow =
      new LinkEmulation((from, to) -> TimeUnit.MILLISECONDS.toNanos(ONE_WAY_MILLIS), 1);
  private final TestAgents agents = new TestAgents().withEmulation(slow);

  @AfterEach
  void close() {
    agents.close();
    slow.close();
  }

  private Agent started(String id, String site, String... seeds) {
    return agents.withSite(site).start(id, seeds);
  }

  private static void awaitTreeOf(int members, Agent... all) {
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              for (Agent agent : all) {
                assertThat(TestAgents.memberCount(agent)).isEqualTo(members);
                assertThat(TestAgents.snapshot(agent).carriesBroadcasts()).isTrue();
              }
            });
  }

  private Timer deliveries(String node, String site) {
    return agents
        .registry()
        .get("treecast.broadcast.delivery")
        .tags("node", node, "site", site)
        .timer();
  }

  private double counter(String name) {
    return agents.registry().get(name).tag("node", "h2").functionCounter().count();
  }

  private double gauge(String name) {
    return agents.registry().get(name).tag("node", "h2").gauge().value();
  }

  @Test
  void the_time_to_delivery_is_counted_by_the_site_of_the_publisher() {
    Agent one = started("h1", "east");
    Agent two = started("h2", "west", one.address().toString());
    awaitTreeOf(2, one, two);
    try (Treecast at1 = Treecast.connect(one.address().toString());
        Treecast at2 = Treecast.connect(two.address().toString());
        EventIterator<Message> from1 = at1.blocking().subscribe();
        EventIterator<Message> from2 = at2.blocking().subscribe()) {
      at1.blocking().broadcast(new byte[100]);
      from1.next();
      from2.next();
      at2.blocking().broadcast(new byte[50]);
      from1.next();
      from2.next();

      // The agent records a delivery after the subscriber may have read it.
      await().atMost(TestAgents.PATIENCE).until(() -> deliveries("h1", "west").count() == 1);
      await().atMost(TestAgents.PATIENCE).until(() -> deliveries("h2", "west").count() == 1);
      // Each end converts the other's time; on this machine both clocks are the same.
      assertThat(deliveries("h2", "east").max(TimeUnit.MILLISECONDS))
          .isBetween(ONE_WAY_MILLIS / 2.0, 60_000.0);
      assertThat(deliveries("h1", "west").max(TimeUnit.MILLISECONDS))
          .isBetween(ONE_WAY_MILLIS / 2.0, 60_000.0);

      await()
          .atMost(TestAgents.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(counter("treecast.broadcast.delivered.bytes")).isEqualTo(150);
                assertThat(counter("treecast.broadcast.published.bytes")).isEqualTo(50);
                assertThat(gauge("treecast.subscribers")).isEqualTo(1);
                assertThat(gauge("treecast.clients.connected")).isEqualTo(1);
                assertThat(gauge("treecast.broadcast.log.ratio")).isBetween(1e-9, 0.01);
              });
    }
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(gauge("treecast.subscribers")).isZero();
              assertThat(gauge("treecast.clients.connected")).isZero();
            });
  }

  @Test
  void messages_from_before_a_subscription_do_not_count() {
    Agent one = started("h1", "east");
    awaitTreeOf(1, one);
    try (Treecast client = Treecast.connect(one.address().toString())) {
      client.blocking().broadcast(new byte[1], BroadcastOptions.defaults());
      try (EventIterator<Message> messages =
          client
              .blocking()
              .subscribe(SubscribeOptions.defaults().withStart(new SubscriptionStart.Retained()))) {
        messages.next();
        client.blocking().broadcast(new byte[1], BroadcastOptions.defaults());
        messages.next();

        await().atMost(TestAgents.PATIENCE).until(() -> deliveries("h1", "east").count() > 0);
        assertThat(deliveries("h1", "east").count()).isEqualTo(1);
      }
    }
  }
}
