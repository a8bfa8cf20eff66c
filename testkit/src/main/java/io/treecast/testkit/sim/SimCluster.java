package io.treecast.testkit.sim;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.TreeStatus;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.DeliveryLog;
import io.treecast.testkit.cluster.Life;
import io.treecast.testkit.cluster.LinkFaults;
import io.treecast.testkit.cluster.Nodes;
import io.treecast.testkit.cluster.Rest;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.network.DataTraffic;
import io.treecast.testkit.sim.network.SentMessage;
import io.treecast.testkit.sim.network.SimLinkFaults;
import io.treecast.testkit.sim.network.SimNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import io.treecast.testkit.sim.network.SimStalls;
import io.treecast.testkit.sim.network.VirtualTime;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Agents on the nodes of a network, in virtual time. A message takes half its link's round trip;
 * handling it takes no time. The same topology, seed and calls give the same run, to the last byte.
 * One thread.
 *
 * <p>Node n of the topology has the node id {@code "n"}. Where every pair of nodes is linked the
 * agents find each other, and more may join; otherwise their neighbours are configured.
 */
public final class SimCluster implements Cluster {
  /** Agents start within this time of each other, at moments drawn from the seed. */
  private static final long START_SPREAD_NANOS = 5_000_000;

  /** How far a skewed clock may be from the time, in either direction: an hour. */
  public static final long MAX_SKEW_NANOS = 3_600_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final Topology topology;
  private final SimSettings settings;
  private final VirtualTime time = new VirtualTime();
  private final NetworkConditions conditions;
  private final SimNetwork network;
  private final SimLinkFaults linkFaults;
  private final Nodes<SimAgent> nodes;
  private final DeliveryLog deliveries = new DeliveryLog();
  private final ClusterHistory history = new ClusterHistory();
  private final SimOrder order = new SimOrder(history, deliveries);
  private final SimConfirmations confirmations;
  private final SimRecord record;
  private final SimUploads uploads;
  private final SimCollectives collectives;

  /** Draws how far agents' clocks are from the time; null if they show the time. */
  private final @Nullable Random skews;

  /** A cluster whose agents start when time runs. */
  public SimCluster(Topology topology, long seed) {
    this(topology, seed, null, SimSettings.DEFAULT);
  }

  /**
   * The same with agents that take other changes for significant.
   *
   * @param judged makes their policy of the one that simulated agents have by default
   */
  public static SimCluster judging(
      Topology topology, long seed, UnaryOperator<SignificancePolicy> judged) {
    SignificancePolicy policy = judged.apply(SimSettings.DEFAULT.significance());
    return new SimCluster(topology, seed, null, SimSettings.DEFAULT.withSignificance(policy));
  }

  /** The same with agents whose clocks differ by up to {@link #MAX_SKEW_NANOS} from the time. */
  public static SimCluster withSkewedClocks(Topology topology, long seed) {
    return new SimCluster(topology, seed, new Random(seed), SimSettings.DEFAULT);
  }

  /** The same with agents that measure throughput, too, and so have a tree by bandwidth. */
  public static SimCluster measuringThroughput(Topology topology, long seed) {
    return new SimCluster(topology, seed, new Random(seed), SimSettings.MEASURING_THROUGHPUT);
  }

  public SimCluster(Topology topology, long seed, @Nullable Random skews, SimSettings settings) {
    this.topology = topology;
    this.settings = settings;
    this.skews = skews;
    this.confirmations = new SimConfirmations(seed, time, deliveries);
    this.record = new SimRecord(time, history, deliveries, confirmations);
    this.conditions = new NetworkConditions(topology);
    Random random = new Random(seed);
    this.network = new SimNetwork(time, conditions, random.nextLong(), history::reacted);
    this.nodes =
        new Nodes<>(conditions, topology.isComplete(), this::fault, this::start, network::detach);
    this.uploads = new SimUploads(time, nodes, deliveries, record, confirmations, this::audience);
    this.collectives = new SimCollectives(nodes);
    this.linkFaults = new SimLinkFaults(network, history);
    for (int node = 0; node < topology.nodes(); node++) {
      SimAgent agent = newAgent(node);
      time.at(random.nextLong(START_SPREAD_NANOS), agent::start);
    }
  }

  private SimAgent newAgent(int node) {
    Life life = nodes.nextLife(node);
    CoreConfig config = settings.config(SimSettings.id(node), incarnation(life), membership(node));
    long skewNanos = skews == null ? 0 : skews.nextLong(-MAX_SKEW_NANOS, MAX_SKEW_NANOS);
    SimAgent agent = new SimAgent(life, config, time, skewNanos, network, record);
    nodes.add(agent);
    network.attach(agent);
    return agent;
  }

  /** By the clock, as of real agents; two lives may begin at the same time. */
  private long incarnation(Life life) {
    return time.nowNanos() / NANOS_PER_MICRO + life.number();
  }

  private void start(int node) {
    SimAgent agent = newAgent(node);
    agent.start();
    order.started(agent);
  }

  /** Agents that know all their neighbours from configuration admit nobody else. */
  private Membership membership(int node) {
    if (!topology.isComplete()) {
      return Membership.configured(neighbours(node));
    }
    return Membership.discovered(settings.seeds(node, conditions.neighbours(node)));
  }

  private List<Member> neighbours(int node) {
    return conditions.neighbours(node).stream()
        .map(n -> new Member(SimSettings.id(n), SimSettings.address(SimSettings.id(n))))
        .toList();
  }

  /**
   * From now on each control message that an agent sends is shown to this listener, those of
   * handshakes included: in the order of sending, within the calls that let time pass.
   */
  public void listenToControl(Consumer<SentMessage> listener) {
    network.listen(listener);
  }

  /** Returns the network that the cluster started on. */
  public Topology topology() {
    return topology;
  }

  @Override
  public NetworkConditions network() {
    return conditions;
  }

  @Override
  public long nowNanos() {
    return time.nowNanos();
  }

  @Override
  public boolean runUntil(BooleanSupplier condition, long maxMillis) {
    long end = time.nowNanos() + maxMillis * NANOS_PER_MILLI;
    while (!condition.getAsBoolean()) {
      if (!time.step(end)) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  @Override
  public boolean runUntilReady(long maxMillis) {
    long end = time.nowNanos() + maxMillis * NANOS_PER_MILLI;
    while (!isReady()) {
      if (time.nowNanos() >= end) {
        return false;
      }
      runTo(Math.min(end, time.nowNanos() + NANOS_PER_MILLI));
    }
    return true;
  }

  /** Asked every millisecond: what is cheap to find out comes first. */
  private boolean isReady() {
    if (nodes.running().stream().anyMatch(a -> !a.isPaused() && !a.treeStatus().ready())
        || !nodes.standing().stream()
            .allMatch(a -> a.isSubscribed(Topic.DEFAULT, Long.MAX_VALUE))) {
      return false;
    }
    SortedMap<Integer, AgentSnapshot> standing = new TreeMap<>();
    for (SimAgent agent : nodes.standing()) {
      AgentSnapshot snapshot = agent.snapshot();
      if (!snapshot.carriesBroadcasts()) {
        return false;
      }
      standing.put(agent.node(), snapshot);
    }
    return TreeVerdict.isMinimal(standing, conditions);
  }

  @Override
  public boolean runUntilAtRest(long maxMillis) {
    Rest rest =
        new Rest(
            this, Rest.QUIET_MILLIS, network::lastControlNanos, network::carriesControlMessage);
    long end = time.nowNanos() + maxMillis * NANOS_PER_MILLI;
    while (!rest.isReached()) {
      long next = Math.min(end, time.nowNanos() + Rest.LOOK_EVERY_MILLIS * NANOS_PER_MILLI);
      if (time.nowNanos() >= end) {
        return false;
      }
      runTo(next);
    }
    return true;
  }

  private void runTo(long nanos) {
    boolean more = true;
    while (more) {
      more = time.step(nanos);
    }
  }

  /** Returns where each running agent stands, by node. */
  public List<AgentSnapshot> snapshots() {
    return nodes.running().stream().map(SimAgent::snapshot).toList();
  }

  @Override
  public SortedMap<Integer, Life> running() {
    return nodes.lives();
  }

  @Override
  public SortedSet<Integer> paused() {
    return nodes.paused();
  }

  @Override
  public SortedMap<Integer, AgentSnapshot> standing() {
    SortedMap<Integer, AgentSnapshot> standing = new TreeMap<>();
    nodes.standing().forEach(agent -> standing.put(agent.node(), agent.snapshot()));
    return standing;
  }

  /** The agents that run, by node. */
  public Collection<SimAgent> agents() {
    return nodes.running();
  }

  /** From now on the agent of a node does not keep to the protocol; null for as it is meant to. */
  void distort(int node, SimNetwork.@Nullable Distortion distortion) {
    network.distort(node, distortion);
    confirmations.somebodyLies();
  }

  /** From now on, the agents that run now lack a processor now and then, each at other times. */
  void stallAtRandom(SimStalls stalls) {
    stallAtRandom(stalls, node -> true);
  }

  /** From now on, the running agents of the chosen nodes lack a processor. */
  void stallAtRandom(SimStalls stalls, IntPredicate chosen) {
    nodes.running().stream()
        .filter(agent -> chosen.test(agent.node()))
        .forEach(agent -> agent.stallAtRandom(stalls));
  }

  /** Ends the data streams between two nodes with an error, and nothing else. */
  void resetData(int one, int other) {
    network.resetData(one, other);
    fault("reset data " + one + "-" + other);
  }

  /** Cuts a network of the agents, while their others work. */
  public void cutNetwork(String name) {
    network.cut(name);
    fault("cut network " + name);
  }

  public void healNetwork(String name) {
    network.heal(name);
    fault("heal network " + name);
  }

  /** From now on messages take so much longer in a network of the agents. */
  public void slowNetwork(String name, long micros) {
    network.slow(name, micros * NANOS_PER_MICRO);
  }

  /** The network changes at many places at once; what it held and lets pass now goes on. */
  public void change(String what, Consumer<NetworkConditions> changes) {
    changes.accept(conditions);
    network.released();
    fault(what);
  }

  /** Asks members to confirm at random: what they say is checked, whatever becomes of it. */
  @Override
  public MessageId broadcast(int source, String topic, ByteBuffer payload) {
    int receiptMillis = topic.equals(Topic.DEFAULT) ? confirmations.anyReceiptMillis() : 0;
    return broadcast(source, topic, payload, receiptMillis);
  }

  /**
   * Broadcasts from a node whose agent is ready.
   *
   * @param receiptMillis how long members may take to confirm; 0 if they are not asked to
   * @throws IllegalStateException if its agent does not run, is not ready, or refuses
   */
  public MessageId broadcast(int source, String topic, ByteBuffer payload, int receiptMillis) {
    Objects.requireNonNull(payload, "payload");
    SimAgent agent = nodes.standing(source);
    TreeStatus status = agent.treeStatus();
    CommittedTree tree = status.tree();
    if (!status.ready() || tree == null) {
      throw new IllegalStateException(
          "node " + source + " is not ready to broadcast: " + status.reason());
    }
    MessageId[] accepted = new MessageId[1];
    agent.publish(
        topic,
        payload,
        receiptMillis,
        new PublishOutcome() {
          @Override
          public void accepted(MessageId messageId, long treeVersion, int replicas) {
            accepted[0] = messageId;
          }

          @Override
          public void refused(BroadcastRefusedException.Reason reason, String text) {
            throw new IllegalStateException("node " + source + " refused to broadcast: " + text);
          }
        });
    deliveries.published(
        accepted[0], time.nowNanos(), tree.version(), agent.life(), audience(tree, topic));
    if (receiptMillis > 0) {
      confirmations.published(accepted[0], agent.life());
    }
    return accepted[0];
  }

  /**
   * Broadcasts from a node, and waits until other members have it.
   *
   * @param wait for a tree, for room and for replicas, together
   * @param outcome of a broadcast that asks for some
   * @throws IllegalStateException if its agent does not run
   */
  void replicate(
      int source, String topic, ByteBuffer payload, Duration wait, SimReplication outcome) {
    nodes.standing(source).replicate(topic, payload, wait.toNanos(), outcome);
  }

  /** The uploads of applications. */
  public SimUploads uploads() {
    return uploads;
  }

  /** Returns the traffic of data streams so far, by type of message. */
  public SortedMap<String, DataTraffic> dataTraffic() {
    return network.dataTraffic();
  }

  /** The calls of applications to take part in collective operations. */
  public SimCollectives collectives() {
    return collectives;
  }

  /** Returns an agent's knowledge of the delivery of its own broadcast; null without any. */
  public @Nullable Confirmation confirmation(int source, MessageId message) {
    return nodes.running(source).confirmation(message);
  }

  /**
   * Returns the members whose delivery of a broadcast with confirmation has not reached the origin.
   * Meaningful when the cluster is at rest.
   */
  public List<String> unconfirmed() {
    return confirmations.unconfirmed(
        node -> {
          SimAgent agent = nodes.at(node);
          return agent == null || agent.isPaused() ? null : agent;
        });
  }

  @Override
  public BooleanSupplier beginSubscription(int node, String topic) {
    SimAgent agent = nodes.standing(node);
    agent.subscribe(topic);
    return () -> agent.isSubscribed(topic, Long.MAX_VALUE);
  }

  @Override
  public void unsubscribe(int node, String topic) {
    SimAgent agent = nodes.standing(node);
    agent.unsubscribe(topic);
    deliveries.unsubscribed(agent.life(), topic);
  }

  private SortedSet<Life> audience(CommittedTree tree, String topic) {
    return nodes.running().stream()
        .filter(
            agent ->
                Topic.hasKnownReceivers(topic)
                    ? isReceiver(agent, topic)
                        && agent.isSubscribed(Topic.audience(topic), Long.MAX_VALUE)
                    : tree.hasMember(SimSettings.id(agent.node()))
                        && agent.isSubscribed(topic, tree.version()))
        .map(SimAgent::life)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isReceiver(SimAgent agent, String topic) {
    return topic.equals(Topic.DEFAULT) || Topic.names(topic, SimSettings.id(agent.node()));
  }

  @Override
  public DeliveryLog deliveries() {
    return deliveries;
  }

  @Override
  public ControlTraffic controlTraffic() {
    return network.controlTraffic();
  }

  @Override
  public ClusterHistory history() {
    return history;
  }

  /** The warnings of agents, oldest first. */
  public List<String> warnings() {
    return record.warnings();
  }

  @Override
  public LinkFaults links() {
    return linkFaults;
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

  /**
   * Returns an application that subscribes at running agents, at random times so many times, each
   * time after what it has had.
   *
   * @param random draws times, agents and policies
   */
  public SimSubscriber roam(int moves, long longestStayNanos, Random random) {
    SimSubscriber subscriber = new SimSubscriber(confirmations::leaves);
    subscriber.roam(nodes::standing, time, moves, longestStayNanos, random);
    return subscriber;
  }

  /** From now on, applications of all agents get the default topic in total order too. */
  public SimOrder listenInOrder() {
    order.begin(nodes.running());
    confirmations.othersAreLater();
    return order;
  }

  /**
   * Returns the broadcasts that the own subscriber of its agent has and the subscriber lacks. If
   * that agent has gone, the subscriber resumes at another one first.
   */
  public List<MessageId> lackedBy(SimSubscriber subscriber) {
    SimAgent agent = subscriber.agent();
    if (agent == null || agent.isGone()) {
      if (nodes.standing().isEmpty()) {
        return List.of();
      }
      agent = nodes.standing().get(0);
      subscriber.moveTo(agent, WhenSlow.SLOW_PUBLISHER);
      runUntil(subscriber::isLive, 1_000);
    }
    return subscriber.lacked(deliveries, agent.life());
  }

  private void fault(String what) {
    history.changed(time.nowNanos(), what);
  }

  @Override
  public void close() {} // Nothing runs when time does not.
}
