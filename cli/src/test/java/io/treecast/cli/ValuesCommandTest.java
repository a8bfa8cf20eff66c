package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.cli.console.ExitCode;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code treecast values} and {@code treecast best} at a real agent. */
class ValuesCommandTest {
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

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--agent", agent.address().toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Test
  void what_is_put_is_listed_read_watched_and_deleted() {
    assertThat(run("values", "put", "routes", "eu", "h7").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run("values", "get", "routes", "eu").out().strip()).isEqualTo("h7");
    assertThat(run("values", "list", "--output", "json").json().get("entries").asInt())
        .isEqualTo(1);
    CommandRun watched = run("values", "watch", "routes", "--count", "1", "--output", "json");
    assertThat(watched.json().get("origin").asString()).isEqualTo("h1");
    assertThat(run("values", "delete", "routes", "eu").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run("values", "delete", "routes", "eu").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("values", "get", "routes", "eu").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void the_best_offer_is_read_and_watched() {
    assertThat(run("best", "get", "incumbent", "min").exitCode()).isEqualTo(ExitCode.FAILED);
    run("best", "offer", "incumbent", "min", "17.5", "route 4");
    CommandRun worse =
        run("best", "offer", "incumbent", "min", "18", "route 5", "--output", "json");
    assertThat(worse.json().get("better").asBoolean()).isFalse();
    CommandRun best = run("best", "watch", "incumbent", "min", "--count", "1", "--output", "json");
    assertThat(best.json().get("number").asDouble()).isEqualTo(17.5);
  }

  @Test
  void names_keys_and_values_that_no_agent_takes_are_a_wrong_usage() {
    String longKey = "x".repeat(201);
    for (List<String> words :
        List.of(
            List.of("values", "put", "", "k", "v"),
            List.of("values", "get", "", "k"),
            List.of("values", "delete", "", "k"),
            List.of("values", "watch", ""),
            List.of("values", "put", "x".repeat(201), "k", "v"),
            List.of("values", "put", "m", longKey, "v"),
            List.of("values", "get", "m", longKey),
            List.of("values", "delete", "m", longKey),
            List.of("values", "put", "m", "k", "x".repeat(65_537)),
            List.of("best", "offer", "", "min", "1"),
            List.of("best", "offer", "b", "min", "1", "x".repeat(65_537)),
            List.of("best", "get", "", "min"),
            List.of("best", "watch", "", "min"))) {
      assertThat(run(words.toArray(String[]::new)).exitCode())
          .as(words.subList(0, 2).toString())
          .isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void a_subcommand_is_needed() {
    assertThat(CommandRun.of("values").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("best").exitCode()).isEqualTo(ExitCode.USAGE);
  }
}
