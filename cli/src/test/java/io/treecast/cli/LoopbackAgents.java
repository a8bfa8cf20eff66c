package io.treecast.cli;

import io.treecast.agent.config.Advertised;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.LinkState;
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
   * A policy that repeats a bulk probe that failed on a busy machine after 3 to 100 s instead of up
   * to three hours.
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

  /**
   * A policy that keeps weights, and so trees, unchanged although round trips vary on a busy
   * machine.
   */
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

  /** Creates a set without agents. */
  LoopbackAgents() {
    this(SHORT_GATHERING_NANOS);
  }

  /** Lets agents that start from now on measure throughput. */
  LoopbackAgents measuringThroughput() {
    throughput = SOON_AGAIN;
    return this;
  }

  /** Sets the file of permissions of agents that start from now on. */
  LoopbackAgents permittedBy(Path file) {
    permissions = file;
    return this;
  }

  /** Sets whether agents that start from now on allow faults. */
  LoopbackAgents allowingFaults(boolean allowed) {
    allowFaults = allowed;
    return this;
  }

  /** Sets the site of agents that start from now on; null for none. */
  LoopbackAgents at(@Nullable String name) {
    site = name;
    return this;
  }

  /** Sets the cluster of agents that start from now on. */
  LoopbackAgents ofCluster(String name) {
    clusterName = name;
    return this;
  }

  /** Lets agents that start from now on use TLS, with the certificate in a directory. */
  LoopbackAgents securedBy(Path directory) {
    tls = directory;
    return this;
  }

  private LoopbackAgents(long gatheringNanos) {
    this.links = linkLimits(gatheringNanos);
  }

  /** Returns limits with which an end that cannot be dialed dials the other after a short delay. */
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

  /**
   * Creates a set without agents, in which an agent builds no tree before it has met another one.
   */
  static LoopbackAgents thatWaitForOthers() {
    return new LoopbackAgents(ENDLESS_GATHERING_NANOS);
  }

  /** Starts agents and waits for a tree of all of them. */
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
   * @param advertise the advertised address; null for the real one
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

  /**
   * Waits until all running agents have the same committed tree with a number of members, and links
   * with these members and no others.
   */
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
                      .allMatch(
                          agent ->
                              agent.carriesBroadcasts()
                                  && has(agent, tree)
                                  && linked(agent) == members - 1);
            });
  }

  private static boolean has(AgentSnapshot agent, CommittedTree tree) {
    return agent.tree().phase() == TreePhase.COMMITTED && Objects.equals(agent.tree().tree(), tree);
  }

  private static long linked(AgentSnapshot agent) {
    return agent.links().stream().filter(link -> link.state() == LinkState.UP).count();
  }

  /** Returns the agent of node h(number). */
  Agent agent(int number) {
    return agents.get(number - 1);
  }

  /** Returns the address of the agent of node h(number). */
  String address(int number) {
    return agent(number).address().toString();
  }

  @Override
  public void close() {
    agents.forEach(Agent::close);
  }
}
