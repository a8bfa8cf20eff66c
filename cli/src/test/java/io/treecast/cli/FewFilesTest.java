package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import io.treecast.testkit.local.FreePorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
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

/** An agent with a low limit of open files, which include connections. */
@Timeout(120)
@Order(2)
@EnabledOnOs(OS.LINUX)
class FewFilesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** An answer takes a young process tens of milliseconds of a processor. */
  private static final Duration QUESTIONS = Duration.ofMillis(500);

  /** Limit of open files, above the number that the class path needs. */
  private static final int MOST_FILES = 256;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Socket> connections = new ArrayList<>();

  private boolean isReady(int admin) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + "/readyz"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException notNow) {
      return false;
    }
  }

  private void connect(int port) throws IOException {
    try {
      connections.add(new Socket(InetAddress.getLoopbackAddress(), port));
    } catch (ConnectException full) {
      // The backlog of the system is full.
    }
  }

  @Test
  void it_warns_when_it_cannot_accept_more_and_goes_on_when_it_can() throws Exception {
    List<Integer> ports = FreePorts.find(2);
    int port = ports.get(0);
    int admin = ports.get(1);
    Path log = directory.resolve("log");
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n " + MOST_FILES + "; exec \"$0\" \"$@\""));
    command.addAll(
        AgentProcessTest.treecast(
                "agent",
                "--id",
                "h1",
                "--listen",
                "127.0.0.1:" + port,
                "--admin",
                "127.0.0.1:" + admin)
            .command());
    Process agent =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(log.toFile())
            .start();
    try {
      await().atMost(PATIENCE).pollInterval(QUESTIONS).until(() -> isReady(admin));

      for (int i = 0; i < MOST_FILES; i++) {
        connect(port);
      }
      await()
          .atMost(PATIENCE)
          .until(() -> Files.readString(log).matches("(?s).* WARN  [^\n]*open files.*"));
      for (Socket connection : connections) {
        connection.close();
      }

      await().atMost(PATIENCE).pollInterval(QUESTIONS).until(() -> isReady(admin));
      agent.toHandle().destroy();
      assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(agent.exitValue()).isEqualTo(ExitCode.OK);
    } finally {
      agent.destroyForcibly();
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }
}
