package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real agents with two networks between them: two ports that lead to the same agent. */
@Execution(ExecutionMode.CONCURRENT)
class SeveralNetworksTest {
  private final TestAgents agents = new TestAgents();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private @Nullable Network lan;
  private @Nullable Network wan;

  @AfterEach
  void closeAll() throws IOException {
    agents.close();
    for (Network network : new Network[] {lan, wan}) {
      if (network != null) {
        network.close();
      }
    }
    threads.shutdownNow();
  }

  /** Starts the member that has two networks. */
  private Agent startInBoth(List<String> seeds) throws IOException, ConfigException {
    AgentConfig config = agents.config("h2", seeds);
    Network first = new Network(config.listen());
    Network second = new Network(config.listen());
    lan = first;
    wan = second;
    return agents.start(
        config.with(
            Setting.ADVERTISE,
            Advertised.parse("advertise", "lan=" + first.address() + ",wan=" + second.address())));
  }

  private Agent start() throws IOException, ConfigException {
    Agent there = startInBoth(List.of());
    Network second = Objects.requireNonNull(wan);
    Agent here = agents.start("h1", Objects.requireNonNull(lan).address().toString());
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(there) == 2 && link(here).carriesData());
    await().atMost(TestAgents.PATIENCE).until(() -> second.connections.size() >= 2);
    return here;
  }

  private static LinkView link(Agent agent) {
    return TestAgents.snapshot(agent).links().get(0);
  }

  /** Returns how often its tree changed because a link of it was lost. */
  private double treeLinksLost(String id) {
    return agents
        .registry()
        .get("treecast.tree.reconfigurations")
        .tags("node", id, "cause", "tree-link-lost")
        .counter()
        .count();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_link_leaves_a_network_that_fails_and_the_tree_stays(boolean isSilent)
      throws IOException, ConfigException {
    Agent here = start();
    long changes = TestAgents.snapshot(here).networkChanges();
    String used = Objects.requireNonNull(link(here).network());
    Network failing = Objects.requireNonNull(used.equals("lan") ? lan : wan);
    if (isSilent) {
      failing.isSilent = true;
    } else {
      failing.reset();
    }

    // Connections that were reset are made again, and the link may return to them.
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.snapshot(here).networkChanges() > changes);
    if (isSilent) {
      await().atMost(TestAgents.PATIENCE).until(() -> !used.equals(link(here).network()));
    }
    await().atMost(TestAgents.PATIENCE).until(() -> link(here).carriesData());
    assertThat(TestAgents.memberCount(here)).isEqualTo(2);
    assertThat(treeLinksLost("h1")).isZero();
    assertThat(link(here).session()).isEqualTo(1);
  }

  @Test
  void a_link_has_one_network_if_the_member_with_several_dials_one_without_a_list()
      throws IOException, ConfigException {
    Agent here = agents.start("h1");
    Agent there = startInBoth(List.of(here.address().toString()));

    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(there) == 2 && link(there).carriesData());

    assertThat(link(here).network()).isNull();
    assertThat(link(there).network()).isNull();
  }

  @Test
  void a_member_is_known_by_all_of_its_addresses() throws IOException, ConfigException {
    Agent here = start();

    assertThat(link(here).peer().address())
        .isEqualTo(
            "lan="
                + Objects.requireNonNull(lan).address()
                + ",wan="
                + Objects.requireNonNull(wan).address());
    assertThat(TestAgents.snapshot(here).seeds()).isEqualTo(1);
  }

  /** A port that leads to an agent, until the network fails. */
  private final class Network implements AutoCloseable {
    private final ServerSocket server;
    private final HostPort agent;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private volatile boolean isSilent;

    Network(HostPort agent) throws IOException {
      this.agent = agent;
      this.server = new ServerSocket(0, 50, TestAgents.ANY_PORT.toSocketAddress().getAddress());
      threads.execute(this::accept);
    }

    HostPort address() {
      return TestAgents.ANY_PORT.withPort(server.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          Socket near = server.accept();
          InetSocketAddress address = agent.toSocketAddress();
          Socket far = new Socket(address.getAddress(), address.getPort());
          connections.add(near);
          connections.add(far);
          threads.execute(() -> copy(near, far));
          threads.execute(() -> copy(far, near));
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    /** Reads on, and drops all, while it is silent; no end notices. */
    private void copy(Socket from, Socket to) {
      byte[] bytes = new byte[8_192];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          if (!isSilent) {
            out.write(bytes, 0, count);
          }
        }
      } catch (IOException e) {
        // The other direction ends, too.
      }
    }

    void reset() throws IOException {
      for (Socket socket : connections) {
        socket.close();
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      reset();
    }
  }
}
