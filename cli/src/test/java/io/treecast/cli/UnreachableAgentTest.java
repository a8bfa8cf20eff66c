package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.ghs.NodeId;
import io.treecast.tls.ConnectionFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask an agent that does not answer. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class UnreachableAgentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tree show",
        "tree show --output json",
        "tree watch",
        "tree verify",
        "links",
        "broadcast --text x",
        "subscribe",
        "barrier b",
        "reduce r --sum 1",
        "gather g",
        "scatter s --from h1",
        "group list",
        "group watch g",
        "request s",
        "serve s cat",
        "values list",
        "values get m k",
        "values put m k v",
        "values watch m",
        "best get b min",
        "best watch b min",
        "claim c --among h1 true",
        "claim show c --among h1"
      })
  void a_refused_connection_is_one_line_that_says_what_to_check(String command) throws Exception {
    try (SilentPort silent = new SilentPort()) {
      CommandRun run = CommandRun.of((command + " --agent " + silent.address()).split(" "));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: AGENT_UNREACHABLE: agent " + silent.address() + " ")
          .contains("(Connection refused)");
      assertThat(run.out()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "links, {usual} s",
    "fault status, {usual} s",
    "broadcast --text x --wait 1, 834 ms",
    "broadcast --text x --wait 3, 2500 ms",
    "broadcast --text x --wait 7, 6 s",
    "barrier b --wait 3, 2500 ms",
    "barrier b --wait 7, 6 s",
  })
  void an_agent_that_is_there_and_does_not_answer_is_not_called_unreachable(
      String command, String time) throws Exception {
    // The system accepts connections, as for a stopped process, but no one reads them.
    try (ServerSocket stopped = new ServerSocket()) {
      stopped.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String address = "127.0.0.1:" + stopped.getLocalPort();
      CommandRun run = CommandRun.of((command + " --agent " + address).split(" "));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: AGENT_UNREACHABLE: agent " + address + ": ")
          .contains(" " + time.replace("{usual}", "" + AgentInquiry.ANSWER_SECONDS) + ": ");
    }
  }

  @Test
  void a_server_that_ends_each_connection_at_once_may_want_tls() throws Exception {
    try (ServerSocket resetting = new ServerSocket()) {
      resetting.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      CompletableFuture<?> unusedAsItEndsByClose =
          CompletableFuture.runAsync(() -> resetAll(resetting));
      String address = "127.0.0.1:" + resetting.getLocalPort();
      CommandRun run = CommandRun.of("links", "--agent", address);
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: AGENT_UNREACHABLE: agent " + address + ": ")
          .endsWith("(--tls DIRECTORY)\n");
    }
  }

  /** Resets all connections, as the system does for a process that closes them with unread data. */
  private static void resetAll(ServerSocket server) {
    try {
      while (true) {
        Socket accepted = server.accept();
        accepted.getInputStream().read();
        accepted.setSoLinger(true, 0);
        accepted.close();
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void a_server_of_another_protocol_is_distinguished_from_an_agent() throws Exception {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.start();
    try {
      CommandRun run = CommandRun.of("links", "--agent", "127.0.0.1:" + web.getAddress().getPort());
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("(" + ConnectionFailure.ADMIN_PORT + ")");
    } finally {
      web.stop(0);
    }
  }

  @Test
  void a_grpc_server_that_is_not_an_agent_refuses() throws Exception {
    Server other = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()).build();
    other.start();
    try {
      CommandRun run = CommandRun.of("links", "--agent", "127.0.0.1:" + other.getPort());
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: REFUSED: agent 127.0.0.1:" + other.getPort())
          .contains("version");
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void a_call_whose_time_was_over_before_it_was_refused_says_that_it_is_refused() throws Exception {
    try (SilentPort silent = new SilentPort()) {
      Member member = new Member(NodeId.of("h1"), silent.address());
      try (AgentInquiry agents =
          AgentInquiry.inPlainText(HostPort.parseRemote("address", silent.address()))) {
        assertThat(agents.failed(member, Status.DEADLINE_EXCEEDED).reason())
            .isEqualTo("Connection refused");
      }
    }
  }
}
