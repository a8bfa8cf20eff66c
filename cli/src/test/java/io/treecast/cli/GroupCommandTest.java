package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.cli.console.ExitCode;
import io.treecast.ghs.NodeId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code treecast group} at a real agent. */
class GroupCommandTest {
  private Agent agent;

  @BeforeEach
  void start() throws Exception {
    agent =
        Agent.start(
            AgentConfig.discovered(NodeId.of("h1"), new HostPort("127.0.0.1", 0), List.of()),
            AgentOptions.standard());
    agent.ready().join();
  }

  @AfterEach
  void close() {
    agent.close();
  }

  private String at() {
    return agent.address().toString();
  }

  private JsonNode listed() {
    return CommandRun.of("group", "list", "--agent", at(), "--output", "json").json().get("groups");
  }

  @Test
  void a_joined_group_is_listed_until_the_command_ends() {
    CommandRun joins = CommandRun.start("group", "join", "a/b", "--agent", at());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> listed().size() == 2 && listed().get("a/b").asInt() == 1);
    joins.interrupt();
    assertThat(joins.exitCode()).isEqualTo(ExitCode.OK);
    await().atMost(Duration.ofSeconds(60)).until(() -> listed().isEmpty());
  }

  @Test
  void a_watch_prints_a_view_of_a_group_without_members() {
    CommandRun ran =
        CommandRun.of("group", "watch", "a", "--agent", at(), "--count", "1", "--output", "json");
    assertThat(ran.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(ran.json().get("members")).isEmpty();
    assertThat(ran.json().get("group").asString()).isEqualTo("a");
  }

  @Test
  void a_join_prints_the_view_with_its_member() {
    CommandRun ran =
        CommandRun.of("group", "join", "a", "--agent", at(), "--count", "1", "--output", "json");
    assertThat(ran.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(ran.json().get("members").get(0).asString()).isEqualTo("h1");
    assertThat(ran.json().get("joined").size()).isEqualTo(1);
  }

  @Test
  void a_path_that_is_not_allowed_is_a_wrong_use() {
    assertThat(CommandRun.of("group", "join", "a//b", "--agent", at()).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }
}
