package org.example.prices;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentBuilder;
import io.treecast.client.Treecast;
import java.time.Duration;

/** The example of an agent inside a program, which the page on embedding quotes. */
final class EmbeddedAgent {
  private EmbeddedAgent() {}

  // tag::embedded
  /** Starts an agent in this program, and broadcasts when it has met another. */
  static void embed(String listen, String seed, MeterRegistry meters) throws ConfigException {
    AgentBuilder settings =
        Agent.builder().id("shop-1").listen(listen).seeds(seed).set("readyMembers", 2);
    try (Agent agent = settings.registry(meters).start();
        Treecast treecast = agent.client()) {
      agent.ready(Duration.ofMinutes(1)).join(); // or fails, and states the reason
      treecast.blocking().broadcast("hello".getBytes(UTF_8));
    }
  }
  // end::embedded
}
