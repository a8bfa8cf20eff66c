package io.treecast.cli;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.LinkLimits;
import io.treecast.agent.core.Membership;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.collectives.BroadcastLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Agents h1, h2, ... inside the test, on free ports of the loopback interface. */
final class LoopbackAgents implements AutoCloseable {
  /** Measures within milliseconds. */
  private static final ProbePolicy QUICK_PROBES =
      new ProbePolicy(3, 3, Duration.ofMillis(5), Duration.ofSeconds(5), Duration.ofSeconds(5), 10);

  /** An end that can not be dialed dials the other without a long grace. */
  private static final LinkLimits QUICK_LINKS =
      new LinkLimits(10_000_000_000L, 20_000_000L, 100_000_000L, 20_000_000L, 100);

  private final List<Agent> agents = new ArrayList<>();
  private final int expected;

  /** No agents yet; each that is started expects that many members. */
  LoopbackAgents(int expected) {
    this.expected = expected;
  }

  /** As many agents as they expect, with a tree. */
  static LoopbackAgents withTree(int members) throws ConfigException {
    LoopbackAgents cluster = new LoopbackAgents(members);
    for (int i = 0; i < members; i++) {
      cluster.start(null);
    }
    cluster.awaitReady();
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
        new AgentConfig(
            NodeId.of("h" + (agents.size() + 1)),
            new HostPort("127.0.0.1", 0),
            advertise,
            null,
            Membership.discovered(expected, seeds),
            false,
            QUICK_LINKS,
            QUICK_PROBES,
            BroadcastLimits.defaults());
    Agent agent = Agent.start(config, AgentOptions.standard());
    agents.add(agent);
    return agent;
  }

  void awaitReady() {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> agents.stream().allMatch(a -> a.snapshot().join().tree().ready()));
  }

  void awaitNotReady(int number) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> !agent(number).snapshot().join().tree().ready());
  }

  /** The agent of node h(number). */
  Agent agent(int number) {
    return agents.get(number - 1);
  }

  /** Where the agent of node h(number) is reached. */
  String address(int number) {
    return agent(number).address().toString();
  }

  @Override
  public void close() {
    agents.forEach(Agent::close);
  }
}
