package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.ghs.NodeId;
import io.treecast.tls.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real agents between which a firewall lets one connection of a pair through. */
@Execution(ExecutionMode.CONCURRENT)
class HalfDeadLinkTest {
  /** The treatment of the data connection. */
  enum Fate {
    /** It is reset as soon as it is accepted. */
    RESET,
    /** It is accepted, and nothing passes. */
    BLACK_HOLE
  }

  @TempDir private Path directory;

  /** The issuer of the certificates; null for plain text. */
  private @Nullable TestAuthority authority;

  private final TestAgents agents = new TestAgents();
  private final Firewall firewall = new Firewall();

  @AfterEach
  void closeAll() {
    agents.close();
    firewall.close();
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"RESET, true", "BLACK_HOLE, false"})
  void a_link_whose_data_connection_fails_otherwise_is_left_out_and_comes_back(
      Fate fate, boolean isSecured) throws IOException {
    a_link_whose_data_connection_fails_is_left_out_and_comes_back(fate, isSecured);
  }

  @ParameterizedTest
  @CsvSource({"RESET, false", "BLACK_HOLE, true"})
  void a_link_whose_data_connection_fails_is_left_out_and_comes_back(Fate fate, boolean isSecured)
      throws IOException {
    if (isSecured) {
      authority = new TestAuthority();
    }
    firewall.fate = fate;
    Agent behind = startBehind();
    Agent dialer = startDialer();

    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(link(dialer, "h1").state()).isEqualTo(LinkState.NO_DATA);
              assertThat(link(behind, "h2").state()).isEqualTo(LinkState.NO_DATA);
              assertThat(TestAgents.memberCount(dialer)).isEqualTo(1);
              assertThat(TestAgents.memberCount(behind)).isEqualTo(1);
            });
    assertThat(link(dialer, "h1").downReason()).contains("data stream");

    firewall.fate = null;
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(TestAgents.memberCount(dialer)).isEqualTo(2);
              assertThat(link(dialer, "h1").carriesData()).isTrue();
              assertThat(link(dialer, "h1").state()).isEqualTo(LinkState.UP);
            });
  }

  @Test
  void a_reset_data_connection_is_dialed_again_and_a_second_reset_leaves_the_link_out()
      throws IOException {
    startBehind();
    Agent dialer = startDialer();
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(dialer) == 2 && link(dialer, "h1").carriesData());

    int connections = firewall.connections();
    firewall.resetAllButFirst();
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> firewall.connections() > connections && link(dialer, "h1").carriesData());
    assertThat(TestAgents.snapshot(dialer).linksWithoutData()).isZero();

    firewall.resetAllButFirst();
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> link(dialer, "h1").state() == LinkState.NO_DATA);
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(dialer) == 2 && link(dialer, "h1").carriesData());
  }

  /** The owner of the link, h1, dials its bulk probes, beside the control and data connection. */
  @ParameterizedTest
  @EnumSource(names = "RESET")
  @ResourceLock(MeasuredThroughputTest.ALL_BANDWIDTH)
  void a_link_whose_bulk_probes_fail_stays_in_the_tree_and_is_probed_again(Fate fate)
      throws IOException {
    bulkProbesFail(fate);
  }

  /** Takes half a minute: the timeout of each probe. */
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(names = "BLACK_HOLE")
  @ResourceLock(MeasuredThroughputTest.ALL_BANDWIDTH)
  void a_link_whose_bulk_probes_vanish_stays_in_the_tree_and_is_probed_again(Fate fate)
      throws IOException {
    bulkProbesFail(fate);
  }

  private void bulkProbesFail(Fate fate) throws IOException {
    agents.withThroughput(MeasuredThroughputTest.OFTEN);
    firewall.allowed = 2;
    firewall.fate = fate;
    startBehind("h2");
    Agent owner = startDialer("h1");

    await().atMost(TestAgents.PATIENCE).until(() -> firewall.refused() >= 2);
    assertThat(TestAgents.memberCount(owner)).isEqualTo(2);
    assertThat(link(owner, "h2").state()).isEqualTo(LinkState.UP);
    assertThat(link(owner, "h2").carriesData()).isTrue();
    assertThat(link(owner, "h2").session()).isEqualTo(1);
    assertThat(TestAgents.snapshot(owner).linksWithoutData()).isZero();

    firewall.fate = null;
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(() -> assertThat(link(owner, "h2").throughput()).isNotNull());
  }

  private Agent startBehind() throws IOException {
    return startBehind("h1");
  }

  private Agent startDialer() throws IOException {
    return startDialer("h2");
  }

  /** One that is reached by the firewall only. */
  private Agent startBehind(String id) throws IOException {
    AgentConfig config = secured(agents.config(id, List.of()));
    firewall.agent = config.listen();
    return agents.start(TestAgents.advertising(config, firewall.address()));
  }

  /** One that dials by the firewall, and that nobody can dial. */
  private Agent startDialer(String id) throws IOException {
    AgentConfig config = secured(agents.config(id, List.of(firewall.address().toString())));
    return agents.start(TestAgents.advertising(config, TestAgents.ANY_PORT.withPort(1)));
  }

  private AgentConfig secured(AgentConfig config) throws IOException {
    TestAuthority issuer = authority;
    String id = config.id().toString();
    return issuer == null
        ? config
        : config.with(Setting.TLS, issuer.agent(id, directory.resolve(id)));
  }

  private static LinkView link(Agent agent, String peer) {
    return TestAgents.snapshot(agent).links().stream()
        .filter(link -> link.peer().id().equals(NodeId.of(peer)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no link to " + peer + " yet"));
  }

  /** Lets some connections through, and treats others that come meanwhile as its fate says. */
  private static final class Firewall implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Socket> through = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile int allowed = 1;
    private volatile @Nullable Fate fate;
    private volatile @Nullable HostPort agent;

    Firewall() {
      try {
        server = new ServerSocket(0, 50, TestAgents.ANY_PORT.toSocketAddress().getAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      threads.execute(this::accept);
    }

    HostPort address() {
      return TestAgents.ANY_PORT.withPort(server.getLocalPort());
    }

    private void accept() {
      while (true) {
        try {
          Socket socket = server.accept();
          sockets.add(socket);
          HostPort there = agent;
          Fate now = through.size() < allowed ? null : fate;
          if (now != null) {
            refused.incrementAndGet();
          }
          if (now == Fate.RESET || there == null) {
            reset(socket);
          } else if (now == null) {
            forward(socket, there);
          }
        } catch (IOException e) {
          return; // The test is over.
        }
      }
    }

    private void forward(Socket near, HostPort there) throws IOException {
      InetSocketAddress address = there.toSocketAddress();
      Socket far = new Socket(address.getAddress(), address.getPort());
      sockets.add(far);
      through.add(near);
      threads.execute(() -> copy(near, far, near));
      threads.execute(() -> copy(far, near, near));
    }

    private void copy(Socket from, Socket to, Socket near) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) {
        // It ends as below.
      }
      through.remove(near);
      close(from);
      close(to);
    }

    /** Returns how many met the fate. */
    int refused() {
      return refused.get();
    }

    /** Returns how many there have been. */
    int connections() {
      return sockets.size();
    }

    /** Resets what was let through beside the first connection. */
    void resetAllButFirst() {
      List<Socket> open = List.copyOf(through);
      open.subList(1, open.size()).forEach(Firewall::reset);
    }

    private static void reset(Socket socket) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It is closed already.
      }
      close(socket);
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      sockets.forEach(Firewall::close);
      threads.shutdownNow();
    }
  }
}
