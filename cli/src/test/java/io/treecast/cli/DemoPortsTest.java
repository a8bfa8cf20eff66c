package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The ports of a demo, and its output about them. */
class DemoPortsTest {
  private static final int USUAL_ADMIN_PORT = 9400;

  @Test
  void a_demo_whose_usual_port_is_taken_says_so_and_where_it_is_instead() throws Exception {
    // Repeated, because another process that has the port may end before the demo begins.
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              try (ServerSocket other = new ServerSocket()) {
                take(other);
                assertTold(
                    CommandRun.of("demo --nodes 3 --port 0 --broadcasts 1 --exit".split(" ")));
              }
            });
  }

  private static void assertTold(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .containsPattern("\\badmin: .*127\\.0\\.0\\.1:" + USUAL_ADMIN_PORT)
        .contains("--agent")
        .containsPattern(
            "3 agents up, at 127\\.0\\.0\\.1(:\\d+ to |; ports of nodes 0 to 2: \\d+ \\d+ \\d+)");
  }

  @Test
  void a_demo_whose_port_was_asked_for_and_is_taken_fails_without_promising_another()
      throws Exception {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int taken = other.getLocalPort();
      CommandRun run =
          CommandRun.of("demo", "--nodes", "1", "--port", String.valueOf(taken), "--exit");
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: listen: ")
          .contains("127.0.0.1:" + taken)
          .contains("(here: --port, --admin-port)");
      assertThat(run.out()).doesNotContain("--agent");
    }
  }

  private static void take(ServerSocket socket) throws IOException {
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), USUAL_ADMIN_PORT));
    } catch (BindException taken) {
      // Another process has taken the port, which serves the same purpose.
    }
  }
}
