package io.treecast.agent.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.permission.Action;
import io.treecast.agent.runtime.application.ClaimCalls;
import io.treecast.agent.runtime.application.GroupCalls;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.agent.runtime.server.CallPermissions;
import io.treecast.agent.runtime.status.BuildVersion;
import io.treecast.agent.transport.StreamDrops;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import io.treecast.tls.TlsFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * An agent's meters, in a registry from their construction to {@link #close}. They read the
 * snapshot of the last {@link #update}, and request a newer one if it is old. One thread at a time
 * calls {@code update}; any thread reads the meters.
 */
public final class AgentMetrics implements AutoCloseable {
  /** The cause of a change of the tree in which only weights are new. */
  private static final String WEIGHTS_ONLY = "weights-only";

  /** A reading of an older snapshot requests an update. */
  private static final long MAX_AGE_NANOS = 1_000_000_000L;

  private final MeterRegistry registry;
  private final Tags node;
  private final List<Meter> meters = new ArrayList<>();
  private final Map<String, Counter> reconfigurations = new HashMap<>();
  private final Timer reconfigurationTime;
  private final LinkMetrics links;
  private final DeliveryLatency deliveries;
  private final Supplier<CompletableFuture<AgentSnapshot>> ask;
  private volatile AgentSnapshot latest;
  private final AtomicLong updatedNanos = new AtomicLong(System.nanoTime());

  /**
   * Creates the meters of one agent.
   *
   * @param first the state until the first update
   * @param refusedBehind broadcasts that the agent has refused because its loop was behind
   * @param clients returns the number of connected applications
   * @param logBytes the size of the log, {@code limits.logBytes}
   * @param ask requests an update; called by a thread that reads a meter when an update is due
   */
  public AgentMetrics(
      MeterRegistry registry,
      AgentSnapshot first,
      StreamDrops drops,
      LongAdder refusedBehind,
      IntSupplier clients,
      long logBytes,
      Supplier<CompletableFuture<AgentSnapshot>> ask) {
    this.ask = ask;
    this.registry = registry;
    this.latest = first;
    this.node = Tags.of("node", first.self().id().toString());
    this.links = new LinkMetrics(registry, first.self().id(), this::latest);
    this.deliveries = new DeliveryLatency(registry, node, first.site());
    gauge(
        "treecast.ready",
        "1 if the agent has a tree of at least readyMembers members",
        s -> s.tree().ready() ? 1 : 0);
    gauge(
        node.and("version", BuildVersion.version()),
        "treecast.build.info",
        "Always 1; the label has the version of the agent",
        s -> 1);
    gauge(
        "treecast.tree.version",
        "Version of the committed tree, 0 before the first",
        s -> tree(s, CommittedTree::version));
    gauge(
        "treecast.tree.edges", "Edges of the committed tree", s -> tree(s, t -> t.edges().size()));
    gauge(
        "treecast.seeds.unanswered",
        "Seeds at which no agent but this one has ever answered",
        snapshot -> snapshot.unansweredSeeds().size());
    gauge(
        "treecast.tree.absent.members",
        "Members that are known and not in the committed tree",
        AgentMetrics::absentMembers);
    gauge(
        "treecast.upload.ring",
        "1 if uploads use a ring of all members, 0 if they use a tree",
        s -> s.uploadsUseRing() ? 1 : 0);
    kept(
        Gauge.builder(
                "treecast.tree.weight", this, m -> tree(m.latest(), t -> t.weightMicros() / 1e6))
            .description("Sum of the edges' weights, as they were when the tree was committed")
            .baseUnit("seconds")
            .tags(node)
            .register(registry));
    for (LinkState state : LinkState.values()) {
      gauge(
          node.and("state", state.name().toLowerCase(Locale.ROOT)),
          "treecast.links",
          "Links to other members, by state",
          s -> s.links().stream().filter(l -> l.state() == state).count());
    }
    for (String type : AgentSnapshot.CONTROL_MESSAGE_TYPES) {
      counter(
          node.and(Tag.of("type", type)),
          "treecast.control.messages",
          "Control messages sent, by type",
          s -> s.controlMessagesSent().getOrDefault(type, 0L));
    }
    counter(
        "treecast.links.without.data",
        "Links ended because control passed and data did not",
        AgentSnapshot::linksWithoutData);
    counter(
        "treecast.links.network.changes",
        "Links that moved to another network of the other end",
        AgentSnapshot::networkChanges);
    counter(
        "treecast.broadcast.published",
        "Messages that applications published here",
        s -> s.broadcast().publishedMessages());
    counter(
        "treecast.broadcast.delivered",
        "Messages delivered to subscribers here",
        s -> s.broadcast().deliveredMessages());
    counter(
        "treecast.broadcast.published.bytes",
        "Payload bytes that applications published at this agent",
        s -> s.broadcast().publishedBytes());
    counter(
        "treecast.broadcast.delivered.bytes",
        "Payload bytes delivered to subscribers at this agent",
        s -> s.broadcast().deliveredBytes());
    gauge(
        "treecast.broadcast.log.ratio",
        "Fraction of limits.logBytes taken by logged chunks for which nobody waits",
        s -> (double) s.broadcast().retainedBytes() / logBytes);
    gauge("treecast.subscribers", "Subscriptions at this agent", s -> s.broadcast().subscribers());
    kept(
        Gauge.builder("treecast.clients.connected", clients, IntSupplier::getAsInt)
            .description("Connections of applications with a call under way")
            .strongReference(true)
            .tags(node)
            .register(registry));
    counter(
        "treecast.broadcast.forwarded.chunks",
        "Chunks sent to neighbours",
        s -> s.broadcast().forwardedChunks());
    counter(
        "treecast.broadcast.duplicate.chunks",
        "Duplicate chunks received and dropped",
        s -> s.broadcast().duplicateChunks());
    counter(
        "treecast.broadcast.shortcut.sent",
        "Small broadcasts of this agent sent over shortcuts, counted once for each receiver",
        AgentSnapshot::sentByShortcut);
    counter(
        "treecast.broadcast.shortcut.first",
        "Small broadcasts of others that arrived over a shortcut before the tree's copy",
        s -> s.broadcast().shortcutMessages());
    counter(
        "treecast.broadcast.dropped.items",
        "Chunks and gaps dropped because there were more streams than limits.origins",
        s -> s.broadcast().droppedItems());
    counter(
        "treecast.broadcast.receipts",
        "Messages with receipts sent towards origins",
        s -> s.broadcast().receiptMessages());
    counter(
        "treecast.order.decided",
        "Places in total order decided by this agent",
        s -> s.broadcast().orderedPlaces());
    gauge(
        "treecast.order.waiting",
        "Messages that wait here for their place in total order, or for an earlier message",
        s -> s.broadcast().unorderedMessages());
    for (MissedReason reason : MissedReason.values()) {
      counter(
          node.and("reason", reason.name().toLowerCase(Locale.ROOT)),
          "treecast.broadcast.missed",
          "Messages reported as missed to subscribers of this agent, by reason",
          s -> s.broadcast().missedMessages().getOrDefault(reason, 0L));
    }
    counter(
        "treecast.broadcast.abandoned",
        "Incomplete messages reported as abandoned to subscribers of this agent",
        s -> s.broadcast().abandonedMessages());
    counter(
        "treecast.broadcast.fallen.behind",
        "Subscribers of this agent that consumed nothing for limits.slowSubscriberMillis",
        s -> s.broadcast().fallenBehind());
    counter(
        "treecast.broadcast.gaps",
        "Parts of a stream older than the logs of all neighbours",
        s -> s.broadcast().gaps());
    bytes(
        "treecast.broadcast.retained",
        "Cost of the chunks in the log for which no neighbour or subscriber waits",
        s -> s.broadcast().retainedBytes());
    bytes(
        "treecast.broadcast.waiting",
        "Cost of the chunks held for slower neighbours and subscribers",
        s -> s.broadcast().waitingBytes());
    gauge(
        "treecast.publish.waiting",
        "Broadcasts of applications that wait for a tree or for room",
        s -> s.publishing().waiting());
    kept(
        FunctionTimer.builder(
                "treecast.publish.wait",
                this,
                m -> m.latest().publishing().waits(),
                m -> m.latest().publishing().waitedNanos(),
                TimeUnit.NANOSECONDS)
            .description("Time that broadcasts of applications waited, counted at its end")
            .tags(node)
            .register(registry));
    counter(
        "treecast.publish.refused",
        "Broadcasts of applications refused for lack of room",
        s -> s.publishing().refused() + refusedBehind.sum());
    counter(
        node.and("outcome", "completed"),
        "treecast.collective.calls",
        "Calls of applications to take part in collective operations, by outcome",
        s -> s.collectives().completed());
    counter(
        node.and("outcome", "failed"),
        "treecast.collective.calls",
        "Calls of applications to take part in collective operations, by outcome",
        s -> s.collectives().failed());
    counter(
        "treecast.collective.messages",
        "Messages sent to neighbours for collective operations",
        s -> s.collectives().sentMessages());
    gauge(
        "treecast.collective.underway",
        "Collective operations without a result here, including those of other participants",
        s -> s.collectives().underWay());
    bytes(
        "treecast.collective.kept",
        "Memory of contributions to collective operations and of results",
        s -> s.collectives().keptBytes());
    gauge(
        "treecast.values.entries",
        "Shared values visible to readers of this agent",
        s -> s.values().entries());
    bytes(
        "treecast.values.kept", "Memory of shared values and tombstones", s -> s.values().bytes());
    counter(
        "treecast.values.updates",
        "Messages with shared values sent to neighbours",
        s -> s.values().sentUpdates());
    counter(
        "treecast.values.replaced",
        "Shared values of neighbours that replaced older ones",
        s -> s.values().takenEntries());
    counter(
        "treecast.values.refused",
        "Shared values of neighbours refused for lack of space",
        s -> s.values().refusedEntries());
    for (ChangeCause cause : ChangeCause.values()) {
      reconfigurations.put(cause.label(), reconfigurations(node, cause.label()));
    }
    reconfigurations.put(WEIGHTS_ONLY, reconfigurations(node, WEIGHTS_ONLY));
    reconfigurationTime =
        kept(
            Timer.builder("treecast.tree.reconfiguration")
                .description("Time from this agent's first part in a reconfiguration to the commit")
                .tags(node)
                .register(registry));
    for (StreamDrops.Reason reason : StreamDrops.Reason.values()) {
      kept(
          FunctionCounter.builder("treecast.protocol.dropped", drops, d -> d.counted(reason))
              .description(
                  "Connections and frames dropped for breaking a rule or a limit, by reason")
              .tags(node.and("reason", reason.name().toLowerCase(Locale.ROOT)))
              .register(registry));
    }
  }

  /** Adds the meters of the agent's certificate. */
  public void show(TlsFiles files) {
    kept(
        TimeGauge.builder(
                "treecast.certificate.expires",
                files,
                TimeUnit.SECONDS,
                tls -> tls.expires().getEpochSecond())
            .description("Time at which the certificate in use expires, in seconds since 1970")
            .tags(node)
            .register(registry));
  }

  /** Adds the meters of the agent's permissions. */
  public void show(CallPermissions permissions) {
    kept(
        Gauge.builder("treecast.permissions.stale", permissions, file -> file.isStale() ? 1 : 0)
            .description("1 if the file of permissions cannot be used and the previous rules apply")
            .tags(node)
            .register(registry));
    for (Action action : Action.values()) {
      kept(
          FunctionCounter.builder(
                  "treecast.permissions.denied", permissions.gate(), gate -> gate.refused(action))
              .description("Calls and requests refused for lack of a permission, by action")
              .tags(node.and("action", action.label()))
              .register(registry));
    }
  }

  /** Adds the meters of the agent's series. */
  public void count(SeriesFiles series) {
    kept(
        FunctionCounter.builder("treecast.series.lost", series, SeriesFiles::lostPoints)
            .description("Measurements lost because the disk was too slow or full")
            .tags(node)
            .register(registry));
  }

  /** Adds the meters of the applications that hold claims. */
  public void show(ClaimCalls claims) {
    kept(
        Gauge.builder("treecast.claims.held", claims, ClaimCalls::held)
            .description("Claims that applications of this agent hold")
            .tags(node)
            .register(registry));
    kept(
        FunctionCounter.builder("treecast.claims.granted", claims, ClaimCalls::granted)
            .description("Claims that applications of this agent have acquired")
            .tags(node)
            .register(registry));
    kept(
        FunctionCounter.builder("treecast.claims.lost", claims, ClaimCalls::lost)
            .description("Claims whose lease ended before their release")
            .tags(node)
            .register(registry));
  }

  /** Adds the meters of the applications that have joined groups. */
  public void show(GroupCalls groups) {
    kept(
        Gauge.builder("treecast.groups.joined", groups, GroupCalls::joined)
            .description("Memberships of groups that applications of this agent have")
            .tags(node)
            .register(registry));
  }

  private Counter reconfigurations(Tags node, String cause) {
    return kept(
        Counter.builder("treecast.tree.reconfigurations")
            .description("Trees committed, by cause; one with several causes counts for each")
            .tags(node.and("cause", cause))
            .register(registry));
  }

  private <M extends Meter> M kept(M meter) {
    meters.add(meter);
    return meter;
  }

  /**
   * Removes the meters from the registry, so that an agent of the same name can register its own.
   * Idempotent.
   */
  @Override
  public void close() {
    meters.forEach(registry::remove);
    deliveries.close();
    links.close();
  }

  public void update(AgentSnapshot snapshot) {
    updatedNanos.set(System.nanoTime());
    latest = snapshot;
    links.update(snapshot);
  }

  /**
   * Returns the last snapshot, and requests an update if it is old. A reading may be as old as the
   * previous one.
   */
  private AgentSnapshot latest() {
    long updated = updatedNanos.get();
    long now = System.nanoTime();
    if (now - updated > MAX_AGE_NANOS && updatedNanos.compareAndSet(updated, now)) {
      var unused = ask.get();
    }
    return latest;
  }

  /**
   * Records the delivery of a message.
   *
   * @param site the site of its origin; null if none is known
   * @param nanos the time since its publication
   */
  public void delivered(@Nullable String site, long nanos) {
    deliveries.record(site, nanos);
  }

  /** Counts a committed tree. */
  public void reconfigured(TreeChange change) {
    reconfigurationTime.record(change.durationNanos(), TimeUnit.NANOSECONDS);
    if (change.causes().isEmpty()) {
      count(WEIGHTS_ONLY);
    }
    change.causes().forEach(cause -> count(cause.label()));
  }

  private void count(String cause) {
    Counter counter = reconfigurations.get(cause);
    if (counter != null) {
      counter.increment();
    }
  }

  private static double tree(AgentSnapshot snapshot, ToDoubleFunction<CommittedTree> value) {
    CommittedTree tree = snapshot.tree().tree();
    return tree == null ? 0 : value.applyAsDouble(tree);
  }

  private static double absentMembers(AgentSnapshot snapshot) {
    CommittedTree tree = snapshot.tree().tree();
    return snapshot.links().stream()
        .filter(link -> tree == null || !tree.hasMember(link.peer().id()))
        .count();
  }

  private void gauge(String name, String description, ToDoubleFunction<AgentSnapshot> value) {
    gauge(node, name, description, value);
  }

  private void bytes(String name, String description, ToDoubleFunction<AgentSnapshot> value) {
    kept(
        Gauge.builder(name, this, m -> value.applyAsDouble(m.latest()))
            .description(description)
            .baseUnit("bytes")
            .tags(node)
            .register(registry));
  }

  private void counter(String name, String description, ToDoubleFunction<AgentSnapshot> value) {
    counter(node, name, description, value);
  }

  private void gauge(
      Tags tags, String name, String description, ToDoubleFunction<AgentSnapshot> value) {
    kept(
        Gauge.builder(name, this, m -> value.applyAsDouble(m.latest()))
            .description(description)
            .tags(tags)
            .register(registry));
  }

  private void counter(
      Tags tags, String name, String description, ToDoubleFunction<AgentSnapshot> value) {
    kept(
        FunctionCounter.builder(name, this, m -> value.applyAsDouble(m.latest()))
            .description(description)
            .tags(tags)
            .register(registry));
  }
}
