package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Closed clusters and clients leave neither threads nor ports in use. */
@Timeout(300)
@Isolated("It looks for threads that are left of any agent.")
class ClosedClusterTest {
  private static final Topology PAIR = Topology.of(2, List.of(new Topology.Link(0, 1, 2_000)));

  @Test
  void all_its_threads_end() throws ConfigException {
    Set<Thread> before = threadsOfTreecast();
    try (RunningCluster cluster = RunningCluster.start(PAIR)) {
      cluster.inboxes();
      assertThat(threadsOfTreecast()).hasSizeGreaterThan(before.size());
    }

    await()
        .atMost(RunningCluster.LIMIT)
        .untilAsserted(() -> assertThat(threadsOfTreecast()).isSubsetOf(before));
  }

  private static Set<Thread> threadsOfTreecast() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("treecast-"))
        .collect(Collectors.toSet());
  }

  @Test
  void all_its_ports_are_free() throws ConfigException, IOException {
    List<HostPort> ports = new ArrayList<>();
    try (RunningCluster cluster = RunningCluster.start(PAIR)) {
      ports.add(cluster.agents().agent(0).address());
      ports.add(cluster.agents().agent(1).address());
      ports.add(Objects.requireNonNull(cluster.agents().agent(0).adminAddress()));
    }

    for (HostPort port : ports) {
      SocketAddress address = port.toSocketAddress();
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(address);
        assertThat(socket.isBound()).isTrue();
      }
    }
  }
}
