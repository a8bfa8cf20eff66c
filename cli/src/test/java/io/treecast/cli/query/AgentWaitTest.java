package io.treecast.cli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.CommandFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The remaining time of {@code --wait} after the agent's answer. */
class AgentWaitTest {
  private final AgentInquiry agents = AgentInquiry.inPlainText(agent());

  private static HostPort agent() {
    try {
      return HostPort.parseRemote("agent", "127.0.0.1:1");
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void the_rest_is_for_what_is_asked() {
    assertThat(new AgentWait(3_600).left(agents))
        .isLessThanOrEqualTo(Duration.ofHours(1))
        .isGreaterThan(Duration.ofMinutes(50));
  }

  @Test
  void an_agent_that_answers_when_the_time_is_over_is_not_said_to_be_without_connection() {
    AgentWait over = new AgentWait(0);
    assertThatThrownBy(() -> over.left(agents))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("AGENT_UNREACHABLE: ")
        .hasMessageContainingAll("127.0.0.1:1", "--wait")
        .hasMessageNotContaining("connect");
  }
}
