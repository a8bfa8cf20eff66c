package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import io.treecast.testkit.local.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose output has a reader that does not read. */
@Timeout(120)
@Order(2)
@EnabledOnOs(OS.LINUX)
class HangingReaderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** An answer takes a young process tens of milliseconds of a processor. */
  private static final Duration QUESTIONS = Duration.ofMillis(500);

  /** The capacity of a pipe; a write of another byte blocks. */
  private static final int PIPE_BYTES = 65_536;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  /** Starts a process whose output is a full pipe. */
  private Process printingToFullPipe(ProcessBuilder command) throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    List<String> shell =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "exec 3<>\"$0\"; head -c " + PIPE_BYTES + " /dev/zero >&3; exec \"$@\" >&3 2>&3",
                pipe.toString()));
    shell.addAll(command.command());
    return new ProcessBuilder(shell).start();
  }

  private String answer(int port, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException notYet) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Test
  void an_agent_stays_in_the_tree_and_leaves_at_a_signal() throws Exception {
    List<Integer> ports = FreePorts.find(2);
    int port = ports.get(0);
    int admin = ports.get(1);
    try (LoopbackAgents others = new LoopbackAgents()) {
      others.start(null);
      others.start(null);
      Process agent =
          printingToFullPipe(
              AgentProcessTest.treecast(
                  "agent",
                  "--id",
                  "h9",
                  "--listen",
                  "127.0.0.1:" + port,
                  "--admin",
                  "127.0.0.1:" + admin,
                  "--seeds",
                  others.address(1) + "," + others.address(2)));
      try {
        await()
            .atMost(PATIENCE)
            .pollInterval(QUESTIONS)
            .until(
                () -> answer(admin, "/tree.json"),
                json -> json.contains("h1") && json.contains("h2"));

        // The agent has lines to print for that.
        others.agent(2).close();

        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(others.agent(1).snapshot().join().tree().tree())
                        .isNotNull()
                        .satisfies(tree -> assertThat(tree.members()).hasSize(2)));
        await()
            .atMost(PATIENCE)
            .pollInterval(QUESTIONS)
            .until(() -> answer(admin, "/readyz").equals("ready\n"));

        agent.toHandle().destroy();
        assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(agent.exitValue()).isEqualTo(ExitCode.OK);
      } finally {
        agent.destroyForcibly();
      }
    }
  }
}
