package io.treecast.testkit.local;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.Member;
import io.treecast.agent.core.Notice;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.agent.transport.LinkEmulation;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * Real agents, one for each node of a topology, in one JVM: real gRPC over loopback between them,
 * each message held back for half of its link's round trip. Node n has the node id {@code "n"}.
 *
 * <p>The agents are told who there is, never how far: they measure. Where every pair of nodes is
 * linked they find each other from the first; otherwise their neighbours are configured.
 * Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long LOSS_SEED = 1;

  /** Agents wait for each other when they leave. */
  private static final Executor THREAD_EACH = task -> new Thread(task, "treecast-close").start();

  private final Topology topology;
  private final LinkEmulation emulation;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Agent> agents = new ArrayList<>();
  private volatile boolean closing;

  private LocalCluster(Topology topology) {
    this.topology = topology;
    this.emulation =
        new LinkEmulation((from, to) -> oneWayNanos(number(from), number(to)), LOSS_SEED);
  }

  /**
   * Where a cluster listens, and who watches it.
   *
   * @param firstPort node n listens on this port plus n; 0 for any free ports
   * @param adminNode the node that serves metrics, of all nodes, and its own health
   * @param adminPort where it serves them; 0 for any free port
   * @param notices told what each agent notices, on that agent's thread; must return quickly
   */
  public record Settings(
      int firstPort, int adminNode, int adminPort, BiConsumer<NodeId, Notice> notices) {
    /** Any free ports, admin pages at node 0, nobody watches. */
    public static final Settings DEFAULT = new Settings(0, 0, 0, (node, notice) -> {});
  }

  /**
   * Starts all agents. They become ready later.
   *
   * @throws ConfigException if a port is in use; nothing is left running
   */
  public static LocalCluster start(Topology topology, Settings settings) throws ConfigException {
    LocalCluster cluster = new LocalCluster(topology);
    try {
      cluster.startAgents(settings);
      return cluster;
    } catch (ConfigException e) {
      cluster.close();
      throw e;
    }
  }

  private long oneWayNanos(int from, int to) {
    return topology.linked(from, to) ? topology.rttMicros(from, to) * 1_000 / 2 : 0;
  }

  private void startAgents(Settings settings) throws ConfigException {
    int nodes = topology.nodes();
    boolean complete = topology.links().size() == nodes * (nodes - 1) / 2;
    List<Integer> ports = complete ? ports(settings.firstPort()) : knownPorts(settings.firstPort());
    for (int node = 0; node < nodes; node++) {
      HostPort listen = new HostPort(LOOPBACK, ports.get(node));
      AgentConfig config =
          complete
              ? AgentConfig.discovered(id(node), listen, nodes, seeds())
              : AgentConfig.configured(id(node), listen, neighbours(node, ports));
      if (node == settings.adminNode()) {
        config = config.withAdmin(new HostPort(LOOPBACK, settings.adminPort()));
      }
      NodeId self = id(node);
      agents.add(
          Agent.start(
              config, new AgentOptions(registry, emulation, n -> noticed(settings, self, n))));
    }
  }

  private void noticed(Settings settings, NodeId self, Notice notice) {
    if (!closing) {
      settings.notices().accept(self, notice);
    }
  }

  private List<String> seeds() {
    return agents.isEmpty() ? List.of() : List.of(agents.get(0).address().toString());
  }

  private List<Member> neighbours(int node, List<Integer> ports) {
    return topology.neighbours(node).stream()
        .map(n -> new Member(id(n), new HostPort(LOOPBACK, ports.get(n)).toString()))
        .toList();
  }

  private List<Integer> ports(int firstPort) {
    List<Integer> ports = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      ports.add(firstPort == 0 ? 0 : firstPort + node);
    }
    return ports;
  }

  /**
   * Neighbours must know each other's ports before any agent listens: free ones are looked up
   * first.
   */
  private List<Integer> knownPorts(int firstPort) throws ConfigException {
    if (firstPort != 0) {
      return ports(firstPort);
    }
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int node = 0; node < topology.nodes(); node++) {
        ServerSocket socket = new ServerSocket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ports.add(socket.getLocalPort());
      }
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new ConfigException("no free port on " + LOOPBACK + " (" + e.getMessage() + ")");
    }
    return ports;
  }

  static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  static int number(NodeId id) {
    return Integer.parseInt(id.toString());
  }

  public Topology topology() {
    return topology;
  }

  /** The agent of a node. */
  public Agent agent(int node) {
    return agents.get(node);
  }

  /** Makes links faulty while the cluster runs. */
  public LinkEmulation emulation() {
    return emulation;
  }

  /** The meters of all agents, told apart by the tag {@code node}. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Where each agent stands, by node. */
  public List<AgentSnapshot> snapshots() {
    List<CompletableFuture<AgentSnapshot>> all = agents.stream().map(Agent::snapshot).toList();
    return all.stream().map(CompletableFuture::join).toList();
  }

  /** Stops all agents, which no longer report what they notice. Idempotent. */
  @Override
  public void close() {
    closing = true;
    // So that goodbyes arrive.
    emulation.healAll();
    List<CompletableFuture<Void>> closed =
        agents.stream()
            .map(agent -> CompletableFuture.runAsync(agent::close, THREAD_EACH))
            .toList();
    closed.forEach(CompletableFuture::join);
    emulation.close();
  }
}
