package io.treecast.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.treecast.client.TreecastException.Reason;
import io.treecast.tls.ConnectionFailure;
import io.treecast.tls.TestAuthority;
import io.treecast.tls.TlsFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentConnectionTest {

  @Test
  void attempts_follow_the_clients_own_delays_and_not_those_of_grpc() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ExecutorService acceptor = HandlerThread.start("closes-what-it-accepts");
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      acceptor.execute(() -> closeWhatConnects(server, attempts));
      try (Treecast treecast =
          Treecast.builder("127.0.0.1:" + server.getLocalPort())
              .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(10))
              .connect()) {
        var subscription = treecast.subscribe(message -> {});

        // With gRPC's delays, from 1 s and growing by 1.6, the 20th attempt would come after some
        // twenty minutes.
        await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() >= 20);

        subscription.close();
      }
    } finally {
      acceptor.shutdown();
    }
  }

  /** Asserts the reason of a broadcast that fails after an attempt to connect has ended. */
  private static void assertReason(String address, String why) {
    try (Treecast treecast =
        Treecast.builder(address).defaultWait(Duration.ofMillis(10)).connect()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> treecast.blocking().broadcast(new byte[1]))
                      .hasMessageStartingWith(Reason.AGENT_UNREACHABLE + ": ")
                      .hasMessageContainingAll(address, "10 ms (" + why + ")")
                      .hasNoCause());
      assertThatThrownBy(() -> treecast.blocking().subscribe())
          .hasMessageStartingWith(Reason.AGENT_UNREACHABLE + ": ")
          .hasMessageContainingAll(address, "(" + why + ")");
    }
  }

  @Test
  void the_failure_reports_that_the_connection_is_refused() {
    try (ScriptedAgent absent = ScriptedAgent.stopped()) {
      assertReason(absent.address(), "Connection refused");
    }
  }

  @Test
  void the_failure_reports_that_the_host_is_not_known() {
    assertReason("no-such-host.invalid:7700", ConnectionFailure.UNKNOWN_HOST);
  }

  @Test
  void the_failure_reports_that_the_address_is_that_of_the_admin_pages() throws Exception {
    HttpServer admin =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    admin.start();
    try {
      assertReason("127.0.0.1:" + admin.getAddress().getPort(), ConnectionFailure.ADMIN_PORT);
    } finally {
      admin.stop(0);
    }
  }

  @Test
  void the_failure_names_the_wrong_certificate_and_does_not_advise_to_wait(@TempDir Path directory)
      throws Exception {
    Path strange = Files.createDirectory(directory.resolve("strange"));
    Path application = new TestAuthority().application(strange.resolve("application"));
    try (ScriptedAgent agent = ScriptedAgent.stopped()) {
      agent.secureBy(new TestAuthority().agent("h1", directory.resolve("h1")));
      agent.start();
      try (Treecast treecast =
          Treecast.builder(agent.address())
              .tls(application)
              .defaultWait(Duration.ofMillis(10))
              .connect()) {
        Throwable ofAnotherAuthority = new SSLException(new CertPathBuilderException());
        String cause = requireNonNull(TlsFailure.text(ofAnotherAuthority));
        String remedy = requireNonNull(TlsFailure.remedy(ofAnotherAuthority));
        awaitFailure(() -> treecast.blocking().broadcast(new byte[1]), cause, remedy);
        awaitFailure(() -> treecast.blocking().collectives().barrier("round 1"), cause, remedy);
      }
    }
  }

  @Test
  void the_failure_of_a_connection_closed_at_once_does_not_advise_to_start_the_agent()
      throws Exception {
    ExecutorService acceptor = HandlerThread.start("closes-what-it-accepts");
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Treecast treecast =
            Treecast.builder("127.0.0.1:" + server.getLocalPort())
                .defaultWait(Duration.ofMillis(10))
                .connect()) {
      acceptor.execute(() -> closeWhatConnects(server, new AtomicInteger()));
      awaitFailure(
          () -> treecast.blocking().broadcast(new byte[1]),
          AgentConnection.CLOSED_AT_ONCE,
          AgentConnection.REMEDY_IF_CLOSED_AT_ONCE);
    } finally {
      acceptor.shutdown();
    }
  }

  /** Waits until an attempt of the client to connect has failed. */
  static void awaitRefusal(Treecast treecast) {
    awaitFailure(
        () -> treecast.blocking().broadcast(new byte[1], Duration.ZERO), "Connection refused", "");
  }

  /** Waits until the call fails with the cause; its last advice is the remedy. */
  private static void awaitFailure(ThrowingCallable call, String cause, String remedy) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThatThrownBy(call)
                    .hasMessageStartingWith(Reason.AGENT_UNREACHABLE + ": ")
                    .hasMessageContaining("(" + cause + ")")
                    .hasMessageEndingWith(remedy));
  }

  @Test
  void a_connection_clears_the_earlier_reason() {
    try (ScriptedAgent agent = ScriptedAgent.stopped()) {
      AgentConnection connection = new AgentConnection(settings(agent.address()));
      try {
        await().until(() -> connection.why().equals(" (Connection refused)"));
        agent.start();
        await().until(() -> connection.why().isEmpty());
        assertThat(agent.watchers).as("asked for the reason").isEmpty();
      } finally {
        connection.close();
      }
    }
  }

  static ClientSettings settings(String address) {
    return new ClientSettings(
        AgentAddresses.parse(address),
        Duration.ZERO,
        1,
        1,
        1,
        1,
        Duration.ofMillis(1),
        Duration.ofMillis(10),
        null,
        ConnectionSecurity.NONE);
  }

  @Test
  void an_unknown_host_does_not_fill_the_log_of_grpc() {
    AtomicInteger lookUps = new AtomicInteger();
    AtomicInteger warnings = new AtomicInteger();
    Logger logger = Logger.getLogger("io.grpc");
    Handler counting =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            warnings.incrementAndGet();
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(counting);
    AgentConnection connection =
        new AgentConnection(
            settings("no-such-host.invalid:7700"),
            host -> {
              lookUps.incrementAndGet();
              return false;
            });
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> lookUps.get() >= 30);

      // gRPC's own first ten attempts take three minutes.
      assertThat(warnings).hasPositiveValue().hasValueLessThan(20);
    } finally {
      connection.close();
      logger.removeHandler(counting);
    }
  }

  private static void closeWhatConnects(ServerSocket server, AtomicInteger attempts) {
    try {
      while (true) {
        server.accept().close();
        attempts.incrementAndGet();
      }
    } catch (SocketException e) {
      // The test has ended and closed the server.
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
