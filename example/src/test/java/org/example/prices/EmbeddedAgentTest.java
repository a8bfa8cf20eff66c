package org.example.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.treecast.agent.runtime.Agent;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of the page on embedding does what it says. */
@Timeout(120)
class EmbeddedAgentTest {
  @Test
  void another_member_gets_what_the_agent_inside_a_program_broadcasts() throws Exception {
    try (Agent other = Agent.builder().id("hub").listen("127.0.0.1:0").start();
        Treecast client = other.client();
        EventIterator<Message> messages = client.blocking().subscribe()) {
      EmbeddedAgent.embed("127.0.0.1:0", other.address().toString(), new SimpleMeterRegistry());

      Message message = messages.poll(Duration.ofSeconds(60));
      assertThat(message).isNotNull();
      assertThat(message.text()).isEqualTo("hello");
      assertThat(message.origin()).isEqualTo("shop-1");
    }
  }
}
