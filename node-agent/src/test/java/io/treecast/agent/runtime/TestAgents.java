package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.LinkLimits;
import io.treecast.agent.core.Membership;
import io.treecast.agent.core.Notice;
import io.treecast.agent.transport.LinkEmulation;
import io.treecast.collectives.BroadcastLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Real agents on free ports of this machine, that measure quickly. Closes what it has started, the
 * channels to the agents included.
 */
final class TestAgents implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private static final ProbePolicy QUICK =
      new ProbePolicy(5, 4, Duration.ofMillis(5), Duration.ofMillis(200), Duration.ofSeconds(5), 5);
  private static final LinkLimits QUICK_LINKS =
      new LinkLimits(10_000_000_000L, 50_000_000L, 1_000_000_000L, 200_000_000L, 64);

  private final List<Agent> agents = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Notice> notices = new CopyOnWriteArrayList<>();
  private BroadcastLimits limits = BroadcastLimits.defaults();
  private @Nullable LinkEmulation emulation;

  TestAgents withLimits(BroadcastLimits broadcastLimits) {
    limits = broadcastLimits;
    return this;
  }

  TestAgents withEmulation(LinkEmulation linkEmulation) {
    emulation = linkEmulation;
    return this;
  }

  AgentConfig config(String id, int expected, List<String> seeds) {
    return new AgentConfig(
        NodeId.of(id),
        ANY_PORT,
        null,
        ANY_PORT,
        Membership.discovered(expected, seeds),
        false,
        QUICK_LINKS,
        QUICK,
        limits);
  }

  Agent start(String id, int expected, String... seeds) {
    return start(config(id, expected, List.of(seeds)));
  }

  Agent start(AgentConfig config) {
    try {
      Agent agent = Agent.start(config, new AgentOptions(registry, emulation, notices::add));
      agents.add(agent);
      return agent;
    } catch (ConfigException e) {
      throw new AssertionError("an agent on any free port does not start", e);
    }
  }

  /** Agents h1, h2... that find each other from the first, not ready yet. */
  List<Agent> startCluster(int members) {
    List<Agent> cluster = new ArrayList<>();
    for (int i = 1; i <= members; i++) {
      String[] seeds = i == 1 ? new String[0] : new String[] {cluster.get(0).address().toString()};
      cluster.add(start("h" + i, members, seeds));
    }
    return cluster;
  }

  /** The same, ready and with open data streams. */
  List<Agent> startReadyCluster(int members) {
    List<Agent> cluster = startCluster(members);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster)
                    .allSatisfy(agent -> assertThat(snapshot(agent).carriesBroadcasts()).isTrue()));
    return cluster;
  }

  static AgentSnapshot snapshot(Agent agent) {
    return agent.snapshot().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** A connection of its own to an agent. */
  Channel channel(Agent agent) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(agent.address().toString(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    channels.add(channel);
    return channel;
  }

  List<Notice> notices() {
    return notices;
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** The value of {@code treecast_protocol_dropped_total} of an agent. */
  double dropped(String id, String reason) {
    return registry
        .get("treecast.protocol.dropped")
        .tag("node", id)
        .tag("reason", reason)
        .functionCounter()
        .count();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    agents.forEach(Agent::close);
  }
}
