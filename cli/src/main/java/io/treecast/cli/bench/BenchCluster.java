package io.treecast.cli.bench;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.demo.DemoProgress;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.local.FreePorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Agents in this process with unemulated links that form a line or a star, the only possible tree.
 * One thread starts and closes them.
 */
public final class BenchCluster implements AutoCloseable {
  /** The shape of the links. */
  public enum Shape {
    /** Each agent is linked with the next. */
    LINE,
    /** The first agent is linked with all others. */
    STAR;

    boolean links(int a, int b) {
      return this == LINE ? Math.abs(a - b) == 1 : a != b && (a == 0 || b == 0);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final long TIMEOUT_SECONDS = 60;
  private static final long LOOK_MILLIS = 20;

  private final List<Agent> agents = new ArrayList<>();

  private BenchCluster() {}

  /**
   * Starts the agents on free ports of the loopback address.
   *
   * @throws ConfigException if there are too few free ports; no agent is left running
   */
  static BenchCluster start(Shape shape, int members) throws ConfigException {
    List<Integer> ports = FreePorts.find(members);
    AgentOptions standard = AgentOptions.standard();
    BenchCluster cluster = new BenchCluster();
    try {
      for (int member = 0; member < members; member++) {
        int self = member;
        List<Member> neighbours =
            IntStream.range(0, members)
                .filter(other -> shape.links(self, other))
                .mapToObj(other -> new Member(id(other), address(ports.get(other)).toString()))
                .toList();
        AgentConfig config =
            AgentConfig.configured(id(member), address(ports.get(member)), neighbours);
        cluster.agents.add(
            Agent.start(config, new AgentOptions(standard.registry(), null, notice -> {})));
      }
      return cluster;
    } catch (ConfigException e) {
      cluster.close();
      throw e;
    }
  }

  private static NodeId id(int member) {
    return NodeId.of(Integer.toString(member));
  }

  private static HostPort address(int port) {
    return new HostPort("127.0.0.1", port);
  }

  /** Waits until all agents have the same tree, and carry broadcasts. */
  void awaitTree() throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!DemoProgress.haveOneTree(snapshots())) {
      if (System.nanoTime() > deadlineNanos) {
        throw CommandFailure.failed(
            "the agents have no tree after "
                + TIMEOUT_SECONDS
                + " s; is the machine busy? Try again with fewer --agents");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private List<AgentSnapshot> snapshots() {
    return agents.stream().map(agent -> agent.snapshot().join()).toList();
  }

  /** Returns the address of the first agent, at which the publisher connects. */
  String firstAddress() {
    return agents.get(0).address().toString();
  }

  /** Returns the addresses of all agents. */
  List<String> addresses() {
    return agents.stream().map(agent -> agent.address().toString()).toList();
  }

  /** Returns the address of the agent farthest from the first one. */
  String lastAddress() {
    return agents.get(agents.size() - 1).address().toString();
  }

  @Override
  public void close() {
    agents.forEach(Agent::closeWithAllOthers);
  }
}
