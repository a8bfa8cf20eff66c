package io.treecast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands whose reader has exited, as after {@code | head -1}: they end silently and without a
 * failure.
 */
@Timeout(120)
class UnreadOutputTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "version --output json",
        "simulate --nodes 4",
        "simulate --nodes 4 --output csv",
        "demo --nodes 2 --port 0 --admin-port 0 --broadcasts 1"
      })
  void a_command_ends_as_done(String command) {
    CommandRun run = CommandRun.startUnread(command.split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tree show", "tree show --output dot", "tree watch"})
  void a_command_that_asks_an_agent_ends_as_done(String command) throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(2)) {
      CommandRun run = started(command, cluster);
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(run.err()).doesNotContain("treecast:");
    }
  }

  private static CommandRun started(String command, LoopbackAgents cluster) {
    return CommandRun.startUnread((command + " --agent " + cluster.address(1)).split(" "));
  }

  @Test
  void subscribe_ends_at_the_first_message_that_nobody_reads() throws Exception {
    try (LoopbackAgents cluster = LoopbackAgents.withTree(1)) {
      CommandRun run = started("subscribe", cluster).awaitErr("subscribed at agent h1");
      CommandRun.of("broadcast", "--agent", cluster.address(1), "--text", "x");
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(run.err()).doesNotContain("treecast:").doesNotContain("--from");
    }
  }

  @Test
  void the_exit_code_is_the_commands_finding_even_if_output_is_unread() throws Exception {
    try (LoopbackAgents alone = LoopbackAgents.thatWaitForOthers()) {
      alone.start(null);
      assertThat(started("tree show --output json", alone).exitCode()).isEqualTo(ExitCode.FAILED);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_systems_own_words_tell_a_closed_pipe_from_a_full_disk() throws Exception {
    ProcessBuilder simulate = AgentProcessTest.treecast("simulate", "--nodes", "4");
    simulate.environment().put("LC_ALL", "C");

    Process unread = simulate.redirectError(ProcessBuilder.Redirect.PIPE).start();
    unread.getInputStream().close();
    assertThat(new String(unread.getErrorStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(unread.waitFor()).isEqualTo(ExitCode.OK);

    Process full = simulate.redirectOutput(new File("/dev/full")).start();
    assertThat(new String(full.getErrorStream().readAllBytes(), UTF_8))
        .startsWith("treecast: ")
        .contains("(No space left on device)");
    assertThat(full.waitFor()).isEqualTo(ExitCode.FAILED);
  }
}
