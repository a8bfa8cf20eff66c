package io.treecast.cli;

import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.DampingPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.monitor.weight.WeightGrid;
import io.treecast.mst.CommittedTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Agents h1, h2, ... inside the test, on free ports of the loopback interface. */
final class LoopbackAgents implements AutoCloseable {
  /**
   * A bulk probe that a busy machine has made too slow is repeated after 3 to 100 s; by default
   * that takes up to three hours.
   */
  private static final ThroughputPolicy SOON_AGAIN =
      new ThroughputPolicy(
          true,
          Duration.ofSeconds(30),
          ThroughputPolicy.MAX_BUDGET_PERMILLE,
          ThroughputPolicy.DEFAULT.siteMicros());

  /** Measures within milliseconds. */
  private static final ProbePolicy QUICK_PROBES =
      new ProbePolicy(3, 3, Duration.ofMillis(5), Duration.ofSeconds(5), Duration.ofSeconds(5), 10);

  private static final long SHORT_GATHERING_NANOS = 300_000_000;
  private static final long ENDLESS_GATHERING_NANOS = 3_600_000_000_000L;

  /** On a busy machine round trips vary; weights that stay as measured make trees that stay. */
  private static final SignificancePolicy STEADY_WEIGHTS =
      new SignificancePolicy(
          SignificancePolicy.MAX_RELATIVE_THRESHOLD,
          WeightGrid.MAX_MICROS,
          0,
          0,
          WeightGrid.DEFAULT,
          DampingPolicy.DEFAULT);

  private final List<Agent> agents = new ArrayList<>();
  private final LinkLimits links;
  private boolean allowFaults;
  private @Nullable String site;
  private String clusterName = "";
  private @Nullable Path tls;
  private @Nullable Path permissions;
  private ThroughputPolicy throughput = ThroughputPolicy.DISABLED;

  /** No agents yet. */
  LoopbackAgents() {
    this(SHORT_GATHERING_NANOS);
  }

  /** The agents that are started from now on measure how fast their links are. */
  LoopbackAgents measuringThroughput() {
    throughput = SOON_AGAIN;
    return this;
  }

  /** Sets the file of permissions of agents that start from now on. */
  LoopbackAgents permittedBy(Path file) {
    permissions = file;
    return this;
  }

  /** Whoever reaches the agents that are started from now on may break their links. */
  LoopbackAgents allowingFaults(boolean allowed) {
    allowFaults = allowed;
    return this;
  }

  /** The agents that are started from now on are of that site; null for none. */
  LoopbackAgents at(@Nullable String name) {
    site = name;
    return this;
  }

  /** The agents that are started from now on are of the cluster of that name. */
  LoopbackAgents ofCluster(String name) {
    clusterName = name;
    return this;
  }

  /** The agents that are started from now on talk TLS, with the certificate in this directory. */
  LoopbackAgents securedBy(Path directory) {
    tls = directory;
    return this;
  }

  private LoopbackAgents(long gatheringNanos) {
    this.links = linkLimits(gatheringNanos);
  }

  /** An end that cannot be dialed dials the other without a long grace. */
  private static LinkLimits linkLimits(long gatheringNanos) {
    LinkLimits usual = LinkLimits.DEFAULT;
    return LinkLimits.builder()
        .handshakeTimeoutNanos(usual.handshakeTimeoutNanos())
        .redialMinNanos(20_000_000L)
        .redialMaxNanos(100_000_000L)
        .higherEndGraceNanos(20_000_000L)
        .handshakes(usual.handshakes())
        .suspendedNanos(usual.suspendedNanos())
        .gatherQuietNanos(gatheringNanos)
        .gatherNanos(Math.max(gatheringNanos, usual.gatherNanos()))
        .batchNanos(usual.batchNanos())
        .forgetNanos(usual.forgetNanos())
        .build();
  }

  /** No agents yet; one that has met no other does not build a tree of itself alone. */
  static LoopbackAgents thatWaitForOthers() {
    return new LoopbackAgents(ENDLESS_GATHERING_NANOS);
  }

  /** Agents with one tree of all of them. */
  static LoopbackAgents withTree(int members) throws ConfigException {
    LoopbackAgents cluster = new LoopbackAgents();
    for (int i = 0; i < members; i++) {
      cluster.start(null);
    }
    cluster.awaitTreeOf(members);
    return cluster;
  }

  /**
   * Starts the next agent; the first is its seed.
   *
   * @param advertise where it says that it is reached; null for the truth
   */
  Agent start(@Nullable HostPort advertise) throws ConfigException {
    List<String> seeds = agents.isEmpty() ? List.of() : List.of(address(1));
    AgentConfig config =
        AgentConfig.discovered(
                NodeId.of("h" + (agents.size() + 1)), new HostPort("127.0.0.1", 0), seeds)
            .with(Setting.ADVERTISE, advertise == null ? null : Advertised.of(advertise))
            .with(Setting.TLS, tls)
            .with(Setting.PERMISSIONS, permissions)
            .with(Setting.LINKS, links)
            .with(Setting.PROBES, QUICK_PROBES)
            .with(Setting.SILENCE, SilencePolicy.forHeartbeat(QUICK_PROBES.steadyInterval()))
            .with(Setting.SIGNIFICANCE, STEADY_WEIGHTS)
            .with(Setting.THROUGHPUT, throughput)
            .with(Setting.ALLOW_FAULTS, allowFaults)
            .with(Setting.SITE, site)
            .with(Setting.CLUSTER, clusterName);
    Agent agent = Agent.start(config, AgentOptions.standard());
    agents.add(agent);
    return agent;
  }

  /** Until all agents that run have the same committed tree, of so many members. */
  void awaitTreeOf(int members) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () -> {
              List<AgentSnapshot> running =
                  agents.stream()
                      .filter(agent -> !agent.stopped().isDone())
                      .map(agent -> agent.snapshot().join())
                      .toList();
              CommittedTree tree = running.get(0).tree().tree();
              return tree != null
                  && tree.members().size() == members
                  && running.stream()
                      .allMatch(agent -> agent.carriesBroadcasts() && has(agent, tree));
            });
  }

  private static boolean has(AgentSnapshot agent, CommittedTree tree) {
    return agent.tree().phase() == TreePhase.COMMITTED && Objects.equals(agent.tree().tree(), tree);
  }

  /** The agent of node h(number). */
  Agent agent(int number) {
    return agents.get(number - 1);
  }

  /** Returns where the agent of node h(number) is reached. */
  String address(int number) {
    return agent(number).address().toString();
  }

  @Override
  public void close() {
    agents.forEach(Agent::close);
  }
}
