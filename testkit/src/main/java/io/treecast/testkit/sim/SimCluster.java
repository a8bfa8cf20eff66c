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
import io.treecast.testkit.cluster.Incarnation;
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
 * Agents on the nodes of a network in virtual time. A message takes half its link's round trip;
 * processing takes no time. The same topology, seed and calls give the same run, to the last byte.
 * Single-threaded.
 *
 * <p>Node n of the topology has the node id {@code "n"}. In a complete topology the agents discover
 * each other, and more may join; otherwise their neighbours are configured.
 */
public final class SimCluster implements Cluster {
  /** Agents start at random moments within this time. */
  private static final long START_SPREAD_NANOS = 5_000_000;

  /** Largest offset of a skewed clock in either direction, one hour. */
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

  /** The agent that carried no broadcasts when readiness was last checked. */
  private @Nullable SimAgent lastNotCarrying;

  /** Random source of clock offsets; null if the clocks show the virtual time. */
  private final @Nullable Random skews;

  /** Creates a cluster whose agents start when time advances. */
  public SimCluster(Topology topology, long seed) {
    this(topology, seed, null, SimSettings.DEFAULT);
  }

  /**
   * Returns a cluster whose agents have another significance policy.
   *
   * @param judged derives the policy from the default of simulated agents
   */
  public static SimCluster judging(
      Topology topology, long seed, UnaryOperator<SignificancePolicy> judged) {
    SignificancePolicy policy = judged.apply(SimSettings.DEFAULT.significance());
    return new SimCluster(topology, seed, null, SimSettings.DEFAULT.withSignificance(policy));
  }

  /**
   * Returns a cluster whose agents' clocks differ from the virtual time by up to {@link
   * #MAX_SKEW_NANOS}.
   */
  public static SimCluster withSkewedClocks(Topology topology, long seed) {
    return new SimCluster(topology, seed, new Random(seed), SimSettings.DEFAULT);
  }

  /**
   * Returns a cluster with skewed clocks whose agents also measure throughput, and so have a widest
   * tree.
   */
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
    Incarnation incarnation = nodes.nextIncarnation(node);
    CoreConfig config =
        settings.config(SimSettings.id(node), incarnationNumber(incarnation), membership(node));
    long skewNanos = skews == null ? 0 : skews.nextLong(-MAX_SKEW_NANOS, MAX_SKEW_NANOS);
    SimAgent agent = new SimAgent(incarnation, config, time, skewNanos, network, record);
    nodes.add(agent);
    network.attach(agent);
    return agent;
  }

  /**
   * Returns an incarnation derived from the clock, as in real agents, and made unique by the number
   * of the incarnation.
   */
  private long incarnationNumber(Incarnation incarnation) {
    return time.nowNanos() / NANOS_PER_MICRO + incarnation.number();
  }

  private void start(int node) {
    SimAgent agent = newAgent(node);
    agent.start();
    order.started(agent);
  }

  /** Returns the membership of a node. Agents with configured neighbours admit no others. */
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
   * Passes each further control message, including handshakes, to a listener in the order of
   * sending, within the calls that let time pass.
   */
  public void listenToControl(Consumer<SentMessage> listener) {
    network.listen(listener);
  }

  /** Returns the topology at the start. */
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
    boolean hasChanged = true;
    while (!hasChanged || !isReady()) {
      if (time.nowNanos() >= end) {
        return false;
      }
      hasChanged = runTo(Math.min(end, time.nowNanos() + NANOS_PER_MILLI));
    }
    return true;
  }

  /** Called in most milliseconds of virtual time, so cheap conditions come first. */
  private boolean isReady() {
    if (nodes.running().stream().anyMatch(a -> !a.isPaused() && !a.treeStatus().ready())
        || !nodes.unpaused().stream()
            .allMatch(a -> a.isSubscribed(Topic.DEFAULT, Long.MAX_VALUE))) {
      return false;
    }
    SimAgent last = lastNotCarrying;
    if (last != null
        && nodes.at(last.node()) == last
        && !last.isPaused()
        && !last.snapshot().carriesBroadcasts()) {
      return false;
    }
    SortedMap<Integer, AgentSnapshot> unpaused = new TreeMap<>();
    for (SimAgent agent : nodes.unpaused()) {
      AgentSnapshot snapshot = agent.snapshot();
      if (!snapshot.carriesBroadcasts()) {
        lastNotCarrying = agent;
        return false;
      }
      unpaused.put(agent.node(), snapshot);
    }
    return TreeVerdict.isMinimal(unpaused, conditions);
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

  /** Returns whether anything happened until then. */
  private boolean runTo(long nanos) {
    boolean hasChanged = false;
    while (time.step(nanos)) {
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Returns the state of each running agent, by node. */
  public List<AgentSnapshot> snapshots() {
    return nodes.running().stream().map(SimAgent::snapshot).toList();
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
  public SortedMap<Integer, AgentSnapshot> unpaused() {
    SortedMap<Integer, AgentSnapshot> unpaused = new TreeMap<>();
    nodes.unpaused().forEach(agent -> unpaused.put(agent.node(), agent.snapshot()));
    return unpaused;
  }

  /** Returns the running agents, by node. */
  public Collection<SimAgent> agents() {
    return nodes.running();
  }

  /** Makes the agent of a node violate the protocol from now on; null ends this. */
  void distort(int node, SimNetwork.@Nullable Distortion distortion) {
    network.distort(node, distortion);
    confirmations.acceptUnchecked();
  }

  /** Runs an action of an application after a time, within the calls that let time pass. */
  void after(long nanos, Runnable action) {
    time.after(nanos, action);
  }

  /** Starts independent random stalls of all running agents. */
  void stallAtRandom(SimStalls stalls) {
    stallAtRandom(stalls, node -> true);
  }

  /** Starts independent random stalls of the transport threads alone of all running agents. */
  void stallTransportsAtRandom(SimStalls stalls) {
    nodes.running().forEach(agent -> agent.stallTransportAtRandom(stalls));
  }

  /** Starts independent random stalls within events of all running agents. */
  void stallWithinEventsAtRandom(SimStalls stalls) {
    nodes.running().forEach(agent -> agent.stallWithinEventsAtRandom(stalls));
  }

  /** Starts random stalls of the running agents of chosen nodes. */
  void stallAtRandom(SimStalls stalls, IntPredicate chosen) {
    nodes.running().stream()
        .filter(agent -> chosen.test(agent.node()))
        .forEach(agent -> agent.stallAtRandom(stalls));
  }

  /** Ends only the data streams between two nodes with an error. */
  void resetData(int one, int other) {
    network.resetData(one, other);
    fault("reset data " + one + "-" + other);
  }

  /** Cuts one of the agents' named networks; the others still work. */
  public void cutNetwork(String name) {
    network.cut(name);
    fault("cut network " + name);
  }

  public void healNetwork(String name) {
    network.heal(name);
    fault("heal network " + name);
  }

  /** Adds a delay to all further messages in one of the agents' named networks. */
  public void slowNetwork(String name, long micros) {
    network.slow(name, micros * NANOS_PER_MICRO);
  }

  /**
   * Changes several conditions of the network at once; held messages that now pass are delivered.
   */
  public void change(String what, Consumer<NetworkConditions> changes) {
    changes.accept(conditions);
    network.released();
    fault(what);
  }

  /** Broadcasts, at random with confirmation, whose receipts are then checked. */
  @Override
  public MessageId broadcast(int source, String topic, ByteBuffer payload) {
    int receiptMillis = topic.equals(Topic.DEFAULT) ? confirmations.anyReceiptMillis() : 0;
    return broadcast(source, topic, payload, receiptMillis);
  }

  /**
   * Broadcasts from a node whose agent is ready.
   *
   * @param receiptMillis the timeout of receipts; 0 without confirmation
   * @throws IllegalStateException if its agent does not run, is not ready, or refuses
   */
  public MessageId broadcast(int source, String topic, ByteBuffer payload, int receiptMillis) {
    Objects.requireNonNull(payload, "payload");
    SimAgent agent = nodes.unpaused(source);
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
        accepted[0], time.nowNanos(), tree.version(), agent.incarnation(), audience(tree, topic));
    if (receiptMillis > 0) {
      confirmations.published(accepted[0], agent.incarnation());
    }
    return accepted[0];
  }

  /**
   * Broadcasts from a node with replicas.
   *
   * @param wait the common timeout for a tree, for room and for replicas
   * @param outcome receives the outcome
   * @throws IllegalStateException if its agent does not run
   */
  void replicate(
      int source, String topic, ByteBuffer payload, Duration wait, SimReplication outcome) {
    nodes.unpaused(source).replicate(topic, payload, wait.toNanos(), outcome);
  }

  /** Returns the uploads of applications. */
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

  /** Returns the confirmation of a broadcast as its origin knows it; null if unknown. */
  public @Nullable Confirmation confirmation(int source, MessageId message) {
    return nodes.running(source).confirmation(message);
  }

  /**
   * Returns the members whose receipt for a broadcast with confirmation has not reached the origin.
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
    SimAgent agent = nodes.unpaused(node);
    agent.subscribe(topic);
    return () -> agent.isSubscribed(topic, Long.MAX_VALUE);
  }

  @Override
  public void unsubscribe(int node, String topic) {
    SimAgent agent = nodes.unpaused(node);
    agent.unsubscribe(topic);
    deliveries.unsubscribed(agent.incarnation(), topic);
  }

  private SortedSet<Incarnation> audience(CommittedTree tree, String topic) {
    return nodes.running().stream()
        .filter(
            agent ->
                Topic.hasKnownReceivers(topic)
                    ? isReceiver(agent, topic)
                        && agent.isSubscribed(Topic.audience(topic), Long.MAX_VALUE)
                    : tree.hasMember(SimSettings.id(agent.node()))
                        && agent.isSubscribed(topic, tree.version()))
        .map(SimAgent::incarnation)
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

  /** Returns the warnings of agents, oldest first, each with its node and its kind. */
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
   * Returns an application that moves between running agents at random times and resumes its
   * subscription at each.
   *
   * @param moves the number of moves
   * @param random the source of times, agents and policies
   */
  public SimSubscriber roam(int moves, long longestStayNanos, Random random) {
    SimSubscriber subscriber = new SimSubscriber(confirmations::leaves);
    subscriber.roam(nodes::unpaused, time, moves, longestStayNanos, random);
    return subscriber;
  }

  /**
   * Adds an application to each present and future agent that subscribes to the default topic in
   * total order.
   */
  public SimOrder listenInOrder() {
    order.begin(nodes.running());
    confirmations.allowLateConfirmations();
    return order;
  }

  /**
   * Returns the broadcasts that the agent's own subscriber has and a roaming subscriber lacks. If
   * the agent has ended, the subscriber first resumes at another one.
   */
  public List<MessageId> lackedBy(SimSubscriber subscriber) {
    SimAgent agent = subscriber.agent();
    if (agent == null || agent.isGone()) {
      if (nodes.unpaused().isEmpty()) {
        return List.of();
      }
      agent = nodes.unpaused().get(0);
      subscriber.moveTo(agent, WhenSlow.SLOW_PUBLISHER);
      runUntil(subscriber::isLive, 1_000);
    }
    return subscriber.lacked(deliveries, agent.incarnation());
  }

  private void fault(String what) {
    history.changed(time.nowNanos(), what);
  }

  @Override
  public void close() {} // Agents run only while virtual time advances.
}
