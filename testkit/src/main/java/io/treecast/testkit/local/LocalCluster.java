package io.treecast.testkit.local;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.Best;
import io.treecast.client.BestOffer;
import io.treecast.client.ClusterTime;
import io.treecast.client.Codec;
import io.treecast.client.Selector;
import io.treecast.client.Treecast;
import io.treecast.client.ValueEntry;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.cluster.LinkFaults;
import io.treecast.testkit.cluster.Nodes;
import io.treecast.testkit.cluster.Rest;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real agents in one JVM, one for each node of a topology, with gRPC over loopback. Each message is
 * delayed by half of its link's round trip, and by the link's throughput if that is limited. Node n
 * has the node id {@code "n"}.
 *
 * <p>The agents measure the round trips. In a complete topology they discover each other, and more
 * may join; otherwise their neighbours are configured.
 *
 * <p>The first call of {@link #runUntilReady} starts an application for each agent, which
 * subscribes and publishes. One thread calls the faults and the methods {@code run...}; all other
 * methods are thread-safe.
 */
public final class LocalCluster implements Cluster {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long LOSS_SEED = 1;
  private static final long LOOK_EVERY_MILLIS = 20;

  /** Number of seeds of an agent. One alone may be too far away for a link. */
  private static final int SEEDS = 3;

  /** Quiet time of a cluster at rest: in real time, detectors are a few seconds late at most. */
  private static final long QUIET_MILLIS = 5_000;

  /**
   * Timeout for readiness and rest. On an overloaded machine, round trips vary forever and the
   * cluster is never at rest.
   */
  private static final long PATIENCE_MILLIS = 300_000;

  /** Agents without memory of their votes first vote after the longest lease: ten seconds. */
  private static final ClaimLimits CLAIMS =
      new ClaimLimits(
          TimeUnit.SECONDS.toNanos(10),
          ClaimLimits.defaults().claims(),
          ClaimLimits.defaults().calls());

  /** Each agent waits until the others have heard its goodbye. */
  private static final Executor THREAD_EACH = task -> new Thread(task, "treecast-close").start();

  private final Topology topology;
  private final Settings settings;
  private final long startNanos = System.nanoTime();
  private final NetworkConditions conditions;
  private final LinkEmulation emulation;
  private final LocalLinkFaults linkFaults;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Nodes<LocalAgent> nodes;
  private final Map<Integer, HostPort> addresses = new ConcurrentHashMap<>();
  private final DeliveryLog deliveries = new DeliveryLog();
  private final ClusterHistory history = new ClusterHistory();
  private final CommitRecorder commits = new CommitRecorder(history);

  /**
   * The last observed traffic, retained between calls because a test may wait for rest in slices.
   */
  private ControlTraffic seenTraffic = ControlTraffic.NONE;

  private long trafficChangedNanos;

  /** The traffic of agents that have ended. */
  private volatile ControlTraffic pastTraffic = ControlTraffic.NONE;

  private volatile boolean subscribing;
  private volatile boolean closing;

  private LocalCluster(Topology topology, Settings settings) {
    this.topology = topology;
    this.settings = settings;
    this.conditions = new NetworkConditions(topology);
    this.nodes =
        new Nodes<>(
            conditions, topology.isComplete(), this::fault, this::startLater, this::remember);
    this.emulation = new LinkEmulation(new EmulatedNetwork(), LOSS_SEED);
    this.linkFaults = new LocalLinkFaults(conditions, emulation, this::fault);
  }

  /**
   * The ports of a cluster, and the settings of its agents.
   *
   * @param firstPort the port of node 0; node n listens on this port plus n; 0 for any free ports
   * @param adminNode the node that serves the metrics of all nodes and its own health
   * @param adminPort the port of its admin pages; 0 for any free port
   * @param sites the configured site of each node; null for none
   * @param significance the policy that decides which changes of round trips are significant
   * @param notices receives the notices of each agent on that agent's thread; must return quickly
   */
  public record Settings(
      int firstPort,
      int adminNode,
      int adminPort,
      @Nullable NodeSites sites,
      SignificancePolicy significance,
      BiConsumer<NodeId, Notice> notices) {
    /** Any free ports, admin pages at node 0, no sites, the default policy, notices discarded. */
    public static final Settings DEFAULT =
        new Settings(0, 0, 0, null, SignificancePolicy.DEFAULT, (node, notice) -> {});

    /** Returns a copy with another significance policy. */
    public Settings withSignificance(SignificancePolicy policy) {
      return new Settings(firstPort, adminNode, adminPort, sites, policy, notices);
    }
  }

  /**
   * Starts all agents. They become ready later.
   *
   * @throws ConfigException if a port is in use. After any exception, nothing is left running
   */
  public static LocalCluster start(Topology topology, Settings settings) throws ConfigException {
    LocalCluster cluster = new LocalCluster(topology, settings);
    try {
      cluster.startAgents();
      return cluster;
    } catch (Throwable e) {
      try {
        cluster.close();
      } catch (RuntimeException notClosed) { // The first failure matters more.
        e.addSuppressed(notClosed);
      }
      throw e;
    }
  }

  /** Delays and rates of the emulated network, read from the conditions. */
  private final class EmulatedNetwork implements LinkEmulation.Latency {
    @Override
    public long delayNanos(NodeId from, NodeId to) {
      int one = number(from);
      int other = number(to);
      return conditions.linked(one, other) ? conditions.oneWayNanos(one, other) : 0;
    }

    @Override
    public long kbps(NodeId from, NodeId to) {
      int one = number(from);
      int other = number(to);
      return conditions.linked(one, other)
          ? conditions.throughputKbps(one, other)
          : LinkEmulation.UNLIMITED_KBPS;
    }
  }

  private void startAgents() throws ConfigException {
    // Configured neighbours must know each other's ports before any agent listens, and a port must
    // still be free when its agent restarts.
    List<Integer> ports = settings.firstPort() == 0 ? FreePorts.find(topology.nodes()) : List.of();
    for (int node = 0; node < topology.nodes(); node++) {
      int port = ports.isEmpty() ? settings.firstPort() + node : ports.get(node);
      addresses.put(node, new HostPort(LOOPBACK, port));
    }
    for (int node = 0; node < topology.nodes(); node++) {
      start(node, IntStream.range(0, Math.min(node, SEEDS)).mapToObj(this::address).toList());
    }
  }

  private void start(int node, List<String> seeds) throws ConfigException {
    HostPort listen = addresses.get(node);
    if (listen == null) { // The node has joined.
      listen = new HostPort(LOOPBACK, FreePorts.find(1).get(0));
    }
    AgentConfig config =
        topology.isComplete()
            ? AgentConfig.discovered(id(node), listen, seeds)
            : AgentConfig.configured(id(node), listen, neighbours(node));
    NodeSites sites = settings.sites();
    if (sites != null) {
      config = config.with(Setting.SITE, sites.nameOf(node));
    }
    if (node == settings.adminNode()) {
      config = config.with(Setting.ADMIN, new HostPort(LOOPBACK, settings.adminPort()));
    }
    Incarnation incarnation = nodes.nextIncarnation(node);
    LocalAgent agent =
        new LocalAgent(
            incarnation,
            Agent.start(
                config
                    .with(Setting.SIGNIFICANCE, settings.significance())
                    .with(Setting.CLAIMS, CLAIMS)
                    .with(Setting.ALLOW_FAULTS, true),
                new AgentOptions(registry, emulation, notice -> noticed(incarnation, notice))),
            id -> deliveries.delivered(id, incarnation, nowNanos()));
    addresses.put(node, agent.agent.address());
    nodes.add(agent);
    if (subscribing) {
      agent.subscribe(Topic.DEFAULT);
    }
  }

  /** Returns the address of a node's agent for {@code Treecast.connect}, unchanged by restarts. */
  public String address(int node) {
    conditions.neighbours(node); // Throws for an unknown node.
    return String.valueOf(addresses.get(node));
  }

  private List<Member> neighbours(int node) {
    return conditions.neighbours(node).stream().map(n -> new Member(id(n), address(n))).toList();
  }

  private void noticed(Incarnation incarnation, Notice notice) {
    if (closing) {
      return;
    }
    if (notice.kind() == Notice.Kind.TREE_COMMITTED) {
      noteCommit(incarnation);
    }
    history.noticed(nowNanos(), incarnation, notice);
    settings.notices().accept(id(incarnation.node()), notice);
  }

  private void noteCommit(Incarnation incarnation) {
    LocalAgent agent = nodes.at(incarnation.node());
    if (agent != null && agent.incarnation().equals(incarnation)) {
      commits.committed(agent, nowNanos());
    }
  }

  static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  static int number(NodeId id) {
    return Integer.parseInt(id.toString());
  }

  /** Returns the topology at the start. */
  public Topology topology() {
    return topology;
  }

  @Override
  public NetworkConditions network() {
    return conditions;
  }

  /**
   * Returns the agent that runs at a node.
   *
   * @throws IllegalStateException if none runs there
   */
  public Agent agent(int node) {
    return nodes.running(node).agent;
  }

  /**
   * Returns the emulation of links. Faults injected here are not recorded; those by {@link #links}
   * are.
   */
  public LinkEmulation emulation() {
    return emulation;
  }

  /** Returns the meters of all agents, distinguished by the tag {@code node}. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Returns the state of each running agent by node, without paused agents. */
  public List<AgentSnapshot> snapshots() {
    return List.copyOf(unpaused().values());
  }

  @Override
  public SortedMap<Integer, AgentSnapshot> unpaused() {
    SortedMap<Integer, AgentSnapshot> unpaused = new TreeMap<>();
    for (LocalAgent agent : nodes.running()) {
      AgentSnapshot snapshot = agent.snapshot();
      if (snapshot != null) {
        unpaused.put(agent.incarnation().node(), snapshot);
      }
    }
    return unpaused;
  }

  @Override
  public SortedMap<Integer, Incarnation> running() {
    return nodes.incarnations();
  }

  @Override
  public SortedSet<Integer> paused() {
    return nodes.paused();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime() - startNanos;
  }

  @Override
  public boolean runUntil(BooleanSupplier condition, long maxMillis) {
    long end = nowNanos() + TimeUnit.MILLISECONDS.toNanos(maxMillis);
    while (!condition.getAsBoolean()) {
      long left = end - nowNanos();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MILLIS)));
    }
    return true;
  }

  @Override
  public boolean runUntilReady(long maxMillis) {
    subscribing = true;
    nodes.running().forEach(agent -> agent.subscribe(Topic.DEFAULT));
    return runUntil(
        () -> {
          SortedMap<Integer, AgentSnapshot> unpaused = unpaused();
          return unpaused.size() == nodes.unpaused().size()
              && nodes.unpaused().stream().allMatch(agent -> agent.isSubscribed(Topic.DEFAULT))
              && unpaused.values().stream().allMatch(AgentSnapshot::carriesBroadcasts)
              && TreeVerdict.of(this).minimal();
        },
        maxMillis);
  }

  /**
   * As in {@link Cluster}, but changes of weights are ignored unless the tree changes, since the
   * round trips of real agents always vary.
   */
  @Override
  public boolean runUntilAtRest(long maxMillis) {
    Rest rest = new Rest(this, QUIET_MILLIS, () -> trafficChangedNanos, () -> false);
    return runUntil(
        () -> {
          ControlTraffic now = controlTraffic().ofTheTree();
          if (!now.equals(seenTraffic)) {
            seenTraffic = now;
            trafficChangedNanos = nowNanos();
          }
          return rest.isReached();
        },
        maxMillis);
  }

  @Override
  public long patienceMillis() {
    return PATIENCE_MILLIS;
  }

  @Override
  public BooleanSupplier beginSubscription(int node, String topic) {
    LocalAgent agent = nodes.running(node);
    agent.subscribe(topic);
    return () -> agent.isSubscribed(topic);
  }

  @Override
  public void unsubscribe(int node, String topic) {
    LocalAgent agent = nodes.running(node);
    agent.unsubscribe(topic);
    deliveries.unsubscribed(agent.incarnation(), topic);
  }

  /**
   * Waits until the clients of all running agents select exactly these nodes by a selector such as
   * {@code gpu>=4}.
   *
   * @throws AssertionError if an agent still selects other nodes after two minutes
   */
  public void awaitMembers(String selector, Integer... selected) {
    Selector parsed = Selector.parse(selector);
    new Agreement(this)
        .await(
            "the nodes with " + selector,
            new TreeSet<>(List.of(selected)),
            client -> client.members().select(parsed),
            members ->
                members.stream()
                    .map(member -> Integer.valueOf(member.id()))
                    .collect(Collectors.toCollection(TreeSet::new)));
  }

  /**
   * Waits until all running agents have a number of members of a group; 0 for no group.
   *
   * @throws AssertionError if an agent still has another number after two minutes
   */
  public void awaitGroup(String path, int members) {
    new Agreement(this)
        .await(
            "the number of members of the group " + path,
            members,
            client -> client.groups().list(),
            groups -> groups.getOrDefault(path, 0));
  }

  /**
   * Waits until all running agents have the same text for a key in a map of shared values.
   *
   * @param value the text; null for no entry
   * @throws AssertionError if an agent still has another text after two minutes
   */
  public void awaitValue(String map, String key, @Nullable String value) {
    new Agreement(this)
        .await(
            key + " of the map " + map,
            value == null ? "nothing" : value,
            client -> client.values(map, Codec.utf8()).get(key),
            entry -> entry.map(ValueEntry::value).orElse("nothing"));
  }

  /**
   * Waits until all running agents have this number as the best offer.
   *
   * @throws AssertionError if one of them still has another one, or none, after two minutes
   */
  public void awaitBest(String name, Best best, double number) {
    new Agreement(this)
        .await(
            "the best value " + name,
            Optional.of(number),
            client -> client.best(name, best, Codec.of(bytes -> bytes, bytes -> bytes)).get(),
            offer -> offer.map(BestOffer::number));
  }

  /**
   * Waits until a majority of the members of a claim reports its holder to all running agents.
   *
   * @param holder null for no holder
   * @param among the members of the claim
   * @throws AssertionError if one of them still gets another holder, or none, after two minutes
   */
  public void awaitClaim(String name, @Nullable Integer holder, Integer... among) {
    List<String> members = Stream.of(among).map(node -> id(node).toString()).toList();
    new Agreement(this)
        .await(
            "the holder of the claim " + name,
            holder == null ? "nobody" : id(holder).toString(),
            client -> client.claims().among(members).holder(name),
            claim -> claim.member() == null ? "nobody" : claim.member());
  }

  /**
   * Waits until all running agents have the time of one root, in the epoch of their present tree,
   * with an error of at most this bound.
   *
   * @throws AssertionError if one of them still does not after two minutes
   */
  public void awaitClock(Duration bound) {
    new Agreement(this)
        .await(
            "a time of the present tree within " + bound,
            true,
            client -> client.clock().now(),
            time -> isKnown(time, bound) ? true : time);
  }

  private boolean isKnown(ClusterTime time, Duration bound) {
    return time.error().compareTo(bound) <= 0
        && unpaused().values().stream()
            .map(agent -> agent.tree().tree())
            .allMatch(
                tree ->
                    tree != null
                        && tree.version() == time.treeVersion()
                        && tree.root().toString().equals(time.root()));
  }

  /** Returns the clients of the running agents that are not paused, by node. */
  SortedMap<Integer, Treecast> applications() {
    SortedMap<Integer, Treecast> clients = new TreeMap<>();
    nodes.unpaused().forEach(agent -> clients.put(agent.incarnation().node(), agent.client()));
    return clients;
  }

  @Override
  public MessageId broadcast(int source, String topic, ByteBuffer payload) {
    LocalAgent agent = nodes.running(source);
    AgentSnapshot snapshot = agent.snapshot();
    CommittedTree tree = snapshot == null ? null : snapshot.tree().tree();
    if (tree == null) {
      throw new IllegalStateException("node " + source + " is not ready to broadcast");
    }
    SortedSet<Incarnation> audience = new TreeSet<>();
    nodes.running().stream()
        .filter(other -> other.isSubscribed(topic))
        .filter(
            other -> topic.equals(Topic.DEFAULT) || tree.hasMember(id(other.incarnation().node())))
        .forEach(other -> audience.add(other.incarnation()));
    agent.subscribe(Topic.DEFAULT);
    long atNanos = nowNanos();
    LocalAgent.Published published = agent.publish(topic, payload);
    deliveries.published(
        published.id(), atNanos, published.treeVersion(), agent.incarnation(), audience);
    return published.id();
  }

  @Override
  public DeliveryLog deliveries() {
    return deliveries;
  }

  @Override
  public ControlTraffic controlTraffic() {
    ControlTraffic sum = pastTraffic;
    for (LocalAgent agent : nodes.running()) {
      agent.snapshot();
      sum = sum.plus(agent.lastControlTraffic());
    }
    return sum;
  }

  @Override
  public ClusterHistory history() {
    return history;
  }

  @Override
  public LinkFaults links() {
    return linkFaults;
  }

  private void fault(String what) {
    history.changed(nowNanos(), what);
  }

  private void remember(LocalAgent ended) {
    pastTraffic = pastTraffic.plus(ended.lastControlTraffic());
  }

  /** Starts an agent with all running agents as seeds. */
  private void startLater(int node) {
    try {
      start(node, nodes.incarnations().keySet().stream().map(this::address).toList());
    } catch (ConfigException e) {
      throw new IllegalStateException("node " + node + " cannot start: " + e.getMessage(), e);
    }
  }

  @Override
  public void crash(int node) {
    nodes.crash(node);
  }

  @Override
  public void restart(int node) {
    nodes.restart(node);
  }

  @Override
  public void pause(int node) {
    nodes.pause(node);
  }

  @Override
  public void resume(int node) {
    nodes.resume(node);
  }

  @Override
  public void join(int node, int like) {
    nodes.join(node, like);
  }

  @Override
  public void leave(int node) {
    nodes.leave(node);
  }

  /** Stops all agents. They hand over no messages, and their notices are discarded. Idempotent. */
  @Override
  public void close() {
    closing = true;
    // Announcements of departures must arrive.
    emulation.healAll();
    List<CompletableFuture<Void>> closed = new ArrayList<>();
    for (LocalAgent agent : nodes.running()) {
      closed.add(CompletableFuture.runAsync(agent::closeWithAllOthers, THREAD_EACH));
    }
    closed.forEach(CompletableFuture::join);
    emulation.close();
  }
}
