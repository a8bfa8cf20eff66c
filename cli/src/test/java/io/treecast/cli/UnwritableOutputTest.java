package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose standard output is on a full disk: they fail. */
class UnwritableOutputTest {
  private static final String MESSAGE =
      "treecast: the output cannot be written (No space left on device)\n";

  private static CommandRun started(String command, LoopbackAgents cluster) throws Exception {
    return CommandRun.startUnwritable((command + " --agent " + cluster.address(1)).split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "version",
        "version --output json",
        "simulate --nodes 4",
        "simulate --nodes 4 --output csv"
      })
  void a_command_that_cannot_print_its_result_fails(String command) throws Exception {
    CommandRun run = CommandRun.startUnwritable(command.split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).isEqualTo(MESSAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tree show", "tree show --output dot", "links --output json"})
  void a_command_that_asks_an_agent_fails(String command) throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(2)) {
      CommandRun run = started(command, cluster);
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).isEqualTo(MESSAGE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"subscribe", "subscribe --output json --count 2"})
  void subscribe_ends_at_the_first_message_and_counts_it_as_not_printed(String command)
      throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(1)) {
      CommandRun run = started(command, cluster).awaitErr("subscribed at agent h1");
      CommandRun.of("broadcast", "--agent", cluster.address(1), "--text", "x");
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).endsWith(MESSAGE).doesNotContain("--from");
    }
  }

  @Test
  void tree_watch_ends_at_the_first_tree() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(1)) {
      CommandRun run = started("tree watch", cluster);
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).endsWith(MESSAGE);
    }
  }

  @Test
  void a_demo_ends_with_the_first_line() throws Exception {
    CommandRun run =
        CommandRun.startUnwritable(
            "demo", "--nodes", "2", "--port", "0", "--admin-port", "0", "--broadcasts", "1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).isEqualTo(MESSAGE);
  }

  @Test
  void an_agent_serves_on() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(1)) {
      String seed = cluster.address(1);
      CommandRun agent =
          CommandRun.startUnwritable(
              "agent", "--id", "h2", "--listen", "127.0.0.1:0", "--seeds", seed);
      cluster.awaitTreeOf(2);
      assertThat(agent.err()).isEmpty();
      agent.interrupt().exitCode();
    }
  }
}
