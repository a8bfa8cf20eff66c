package io.treecast.testkit.run;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ClusterHistory.Commit;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.DeliveryLog.Broadcast;
import io.treecast.testkit.cluster.Rest;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Schedule.Step;
import io.treecast.testkit.schedule.ScheduleEvent;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one schedule on one cluster. Time 0 of the schedule is when every agent has committed the
 * first tree. Changes between an event and the next one that is not a broadcast are attributed to
 * this event; a broadcast has only the time of its last delivery. After the last event the run
 * continues until the cluster is at rest. In real time, the waits for the first tree and for rest
 * are limited to {@link Cluster#patienceMillis}.
 *
 * <p>For one use by one thread.
 */
public final class ScheduleRunner {
  /** Timeout of the first tree. */
  public static final long MAX_BUILD_MILLIS = 3_600_000;

  /** Timeout after the last event for the cluster to be at rest. */
  public static final long MAX_REST_MILLIS = 1_800_000;

  /** Interval at which a run in real time reports the condition for which it waits. */
  public static final long PROGRESS_MILLIS = 20_000;

  /** Approximate time of the first tree of real agents. */
  private static final long USUAL_BUILD_MILLIS = 20_000;

  private static final long NOT_STARTED = Long.MIN_VALUE;
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Cluster cluster;
  private final EventReport[] events;
  private final Schedule schedule;
  private final RunProgress progress;
  private final long beginNanos;
  private long startNanos = NOT_STARTED;

  /** Index of the broadcast among the published ones, by the index of its event. */
  private final SortedMap<Integer, Integer> broadcasts = new TreeMap<>();

  /** An event whose effects are still being recorded. */
  private record Watched(
      int index,
      Step step,
      @Nullable String skipped,
      long atNanos,
      SortedMap<Edge, LinkWeight> edges,
      long version,
      ControlTraffic traffic) {}

  private ScheduleRunner(Cluster cluster, Schedule schedule, RunProgress progress) {
    this.cluster = cluster;
    this.schedule = schedule;
    this.events = new EventReport[schedule.steps().size()];
    this.progress = progress;
    this.beginNanos = cluster.nowNanos();
  }

  /**
   * Runs a schedule on a cluster.
   *
   * @throws IllegalStateException if the agents never became ready
   */
  public static ScheduleReport run(Cluster cluster, Schedule schedule) {
    return run(cluster, schedule, (line, leftMillis) -> {});
  }

  /**
   * Runs a schedule on a cluster and reports the progress.
   *
   * @param progress receives a line for a person for each stage and event, on the calling thread;
   *     in real time, every {@link #PROGRESS_MILLIS} also what the run waits for
   * @throws IllegalStateException if the agents never became ready
   */
  public static ScheduleReport run(Cluster cluster, Schedule schedule, RunProgress progress) {
    return new ScheduleRunner(cluster, schedule, progress).run();
  }

  /**
   * Returns the duration of a run in real time if each tree is built at once: the first tree, the
   * schedule, and the quiet time after it.
   *
   * @param last the network after the last event
   */
  public static long expectedMillis(Schedule schedule, Topology last) {
    long longestRttMicros =
        last.links().stream().mapToLong(Topology.Link::rttMicros).max().orElse(0);
    return USUAL_BUILD_MILLIS + schedule.endMillis() + quietMillis(longestRttMicros);
  }

  private static long quietMillis(long longestRttMicros) {
    return Rest.QUIET_ROUND_TRIPS * longestRttMicros / 1_000;
  }

  private long leftMillis() {
    long builtMillis = (cluster.nowNanos() - beginNanos) / NANOS_PER_MILLI;
    long leftMillis =
        startNanos == NOT_STARTED
            ? Math.max(0, USUAL_BUILD_MILLIS - builtMillis) + schedule.endMillis()
            : schedule.endMillis() - (cluster.nowNanos() - startNanos) / NANOS_PER_MILLI;
    return Math.max(0, leftMillis) + quietMillis(cluster.network().longestRttMicros());
  }

  private void say(String line) {
    progress.at(line, leftMillis());
  }

  private ScheduleReport run() {
    progress.begin(leftMillis());
    long buildBoundMillis = Math.min(MAX_BUILD_MILLIS, cluster.patienceMillis());
    say("waiting for the first tree, " + buildBoundMillis / MILLIS_PER_SECOND + " s at most");
    if (!within(
        buildBoundMillis, cluster::runUntilReady, () -> "no first tree yet: " + notReady())) {
      throw new IllegalStateException(
          "the first tree was not committed by all within %s s: %s"
              .formatted(buildBoundMillis / MILLIS_PER_SECOND, notReady()));
    }
    startNanos = cluster.nowNanos();
    List<AgentSnapshot> built = List.copyOf(cluster.unpaused().values());
    ControlTraffic buildTraffic = cluster.controlTraffic();
    say("the first tree is committed; the schedule begins");
    Watched watched = null;
    for (int i = 0; i < schedule.steps().size(); i++) {
      Step step = schedule.steps().get(i);
      String event = "event " + (i + 1) + " of " + events.length + ": " + step.event();
      runTo(startNanos + step.atMillis() * NANOS_PER_MILLI, event);
      say(event);
      if (step.event() instanceof ScheduleEvent.Broadcast) {
        events[i] = broadcast(i, step);
        continue;
      }
      if (watched != null) {
        events[watched.index] = report(watched);
      }
      watched = apply(i, step);
    }
    long restBoundMillis = Math.min(MAX_REST_MILLIS, cluster.patienceMillis());
    say(
        "waiting until the cluster is at rest, "
            + restBoundMillis / MILLIS_PER_SECOND
            + " s at most");
    String notAtRest = comesToRest(restBoundMillis) ? null : Rest.awaitedCondition(cluster);
    if (watched != null) {
      events[watched.index] = report(watched);
    }
    addDeliveries();
    return new ScheduleReport(
        built,
        buildTraffic,
        List.of(events),
        notAtRest,
        restBoundMillis,
        (cluster.nowNanos() - startNanos) / 1e6,
        cluster.controlTraffic(),
        TreeVerdict.of(cluster),
        BroadcastVerdict.of(cluster));
  }

  private boolean comesToRest(long boundMillis) {
    return within(
        boundMillis,
        cluster::runUntilAtRest,
        () -> "not at rest yet: " + Rest.awaitedCondition(cluster));
  }

  private void runTo(long dueNanos, String next) {
    long waitMillis = (dueNanos - cluster.nowNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    var unused =
        within(
            Math.max(0, waitMillis),
            millis -> cluster.runUntil(() -> cluster.nowNanos() >= dueNanos, millis),
            () ->
                (dueNanos - cluster.nowNanos()) / NANOS_PER_MILLI / MILLIS_PER_SECOND
                    + " s until "
                    + next);
  }

  /** Waits for a condition; in real time, reports it every {@link #PROGRESS_MILLIS}. */
  private boolean within(long boundMillis, LongPredicate wait, Supplier<String> awaited) {
    if (cluster.patienceMillis() > MAX_REST_MILLIS) {
      return wait.test(boundMillis); // Waiting in virtual time needs no progress reports.
    }
    for (long leftMillis = boundMillis; leftMillis > 0; leftMillis -= PROGRESS_MILLIS) {
      if (wait.test(Math.min(leftMillis, PROGRESS_MILLIS))) {
        return true;
      }
      say(awaited.get());
    }
    return false;
  }

  private String notReady() {
    for (AgentSnapshot agent : cluster.unpaused().values()) {
      if (!agent.tree().ready()) {
        return "agent " + agent.self().id() + ": " + agent.tree().reason();
      }
    }
    return String.valueOf(TreeVerdict.of(cluster).problems());
  }

  private Watched apply(int index, Step step) {
    long atNanos = cluster.nowNanos();
    SortedMap<Edge, LinkWeight> edges = edges();
    long version = version();
    ControlTraffic traffic = cluster.controlTraffic();
    cluster.history().expectReaction();
    return new Watched(index, step, skipped(step), atNanos, edges, version, traffic);
  }

  /** Applies an event; returns the reason if it could not be applied, or null. */
  private @Nullable String skipped(Step step) {
    try {
      step.event().applyTo(cluster);
      return null;
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Publishes a broadcast. It changes no tree, so later changes are still attributed to the event
   * before it.
   */
  private EventReport broadcast(int index, Step step) {
    int published = cluster.deliveries().broadcasts().size();
    long version = version();
    String skipped = skipped(step);
    if (skipped == null) {
      broadcasts.put(index, published);
    }
    return new EventReport(
        step.atMillis(),
        step.event().toString(),
        skipped,
        Set.of(),
        version,
        version,
        List.of(),
        List.of(),
        ControlTraffic.NONE,
        null,
        null,
        null,
        null);
  }

  private EventReport report(Watched watched) {
    List<Commit> commits = cluster.history().commitsSince(watched.atNanos);
    Set<ChangeCause> causes = EnumSet.noneOf(ChangeCause.class);
    commits.forEach(commit -> causes.addAll(commit.causes()));
    SortedMap<Edge, LinkWeight> edges = edges();
    long reactionNanos = cluster.history().firstReactionNanos();
    return new EventReport(
        watched.step.atMillis(),
        watched.step.event().toString(),
        watched.skipped,
        causes,
        watched.version,
        version(),
        without(watched.edges, edges),
        without(edges, watched.edges),
        cluster.controlTraffic().since(watched.traffic),
        reactionNanos == Long.MAX_VALUE ? null : (reactionNanos - watched.atNanos) / 1e6,
        commits.isEmpty() ? null : (commits.get(0).atNanos() - watched.atNanos) / 1e6,
        commits.isEmpty()
            ? null
            : (commits.get(commits.size() - 1).atNanos() - watched.atNanos) / 1e6,
        null);
  }

  /**
   * Adds the deliveries at the end of the run, since a broadcast may still be in flight at the next
   * event.
   */
  private void addDeliveries() {
    List<Broadcast> published = cluster.deliveries().broadcasts();
    broadcasts.forEach(
        (event, broadcast) -> {
          if (!published.get(broadcast).deliveredNanos().isEmpty()) {
            events[event] =
                events[event].withDeliveredMillis(published.get(broadcast).lastNanos() / 1e6);
          }
        });
  }

  /** Returns the edges of all trees that running members have committed. */
  private SortedMap<Edge, LinkWeight> edges() {
    SortedMap<Edge, LinkWeight> edges = new TreeMap<>();
    for (AgentSnapshot agent : cluster.unpaused().values()) {
      CommittedTree tree = agent.tree().tree();
      if (tree != null) {
        tree.edges().forEach(edge -> edges.put(Edge.between(edge.low(), edge.high()), edge));
      }
    }
    return edges;
  }

  private long version() {
    long version = 0;
    for (AgentSnapshot agent : cluster.unpaused().values()) {
      CommittedTree tree = agent.tree().tree();
      version = Math.max(version, tree == null ? 0 : tree.version());
    }
    return version;
  }

  private static List<LinkWeight> without(
      SortedMap<Edge, LinkWeight> edges, SortedMap<Edge, LinkWeight> others) {
    Set<LinkWeight> rest = new TreeSet<>();
    edges.forEach(
        (edge, weight) -> {
          if (!others.containsKey(edge)) {
            rest.add(weight);
          }
        });
    return List.copyOf(rest);
  }
}
