package io.treecast.testkit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.treecast.agent.core.message.TreeMetric;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.schedule.RandomScenarios;
import io.treecast.testkit.schedule.Scenario;
import io.treecast.testkit.schedule.ScenarioShrinker;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Schedule.Step;
import io.treecast.testkit.schedule.ScheduleEvent;
import io.treecast.testkit.sim.SimCluster;
import io.treecast.testkit.sim.SimOrder;
import io.treecast.testkit.sim.SimSubscriber;
import io.treecast.testkit.sim.UploadPlan;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whole agents under random schedules of all kinds of faults, with continuous broadcasts, and with
 * uploads, some of which are abandoned. Each run ends at rest: each component has one tree, minimal
 * by both oracles, the ends of links agree, and every broadcast was delivered once to its audience.
 * The audience includes an application that moves between agents and, in every other run, an
 * application in total order at each agent. Many broadcasts have a confirmation; its receipts, with
 * times by skewed clocks, must be true and complete. In every third run agents measure throughput,
 * and the same oracles judge their widest trees.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
class SwarmTest {
  private static final long DEFAULT_SEEDS = 30;

  /** Interval of large scenarios; the others are small. */
  private static final int LARGE_EVERY = 25;

  private static final int SHRINK_TRIES = 200;

  /** Number of moves of an application to another agent. */
  private static final int MOVES = 30;

  private static final long LONGEST_STAY_NANOS = 20_000_000_000L;

  private static final int MAX_UPLOADS = 8;

  /** Time in which uploads begin, about the duration of a schedule. */
  private static final long UPLOADS_WITHIN_NANOS = 180_000_000_000L;

  private static final long MAX_UPLOAD_SECONDS = 300;

  private static Scenario scenario(long seed) {
    return seed % LARGE_EVERY == 0
        ? RandomScenarios.draw(seed, 24, 60)
        : RandomScenarios.draw(seed, 10, 20);
  }

  @Test
  @Tag("seeded")
  void whatever_happens_agents_come_to_rest_with_minimal_trees_and_every_broadcast_delivered() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      String failure = failure(scenario(seed), seed);
      if (failure != null) {
        fail(describe(seed, failure));
      }
    }
  }

  /** Returns the problem at the end of a run; null without one. */
  private static @Nullable String failure(Scenario scenario, long seed) {
    boolean measuresThroughput = seed % 3 == 0;
    try (SimCluster cluster =
        measuresThroughput
            ? SimCluster.measuringThroughput(scenario.topology(), seed)
            : SimCluster.withSkewedClocks(scenario.topology(), seed)) {
      limit(cluster, new Random(~seed));
      Random random = new Random(seed);
      SimOrder order = seed % 2 == 0 ? null : cluster.listenInOrder();
      SimSubscriber roamer = cluster.roam(MOVES, LONGEST_STAY_NANOS, random);
      for (int uploads = random.nextInt(MAX_UPLOADS); uploads > 0; uploads--) {
        UploadPlan plan =
            UploadPlan.draw(random, UPLOADS_WITHIN_NANOS, scenario.topology().nodes());
        cluster.uploads().plan(plan);
      }
      ScheduleReport report = ScheduleRunner.run(cluster, scenario.schedule());
      // Uploads may outlast the schedule; those of ended origins are abandoned after a timeout.
      long left = Math.max(0, UPLOADS_WITHIN_NANOS - cluster.nowNanos());
      var unused = cluster.runUntil(() -> false, left / 1_000_000);
      if (!runUntil(cluster, () -> isOver(cluster))) {
        return "subscribers wait for "
            + cluster.uploads().unfinished()
            + (cluster.uploads().areUnderWay() ? ", uploads go on, " : ", ")
            + BroadcastVerdict.of(cluster);
      }
      List<MessageId> lacked = cluster.lackedBy(roamer);
      if (!lacked.isEmpty() || roamer.missedMessages() > 0) {
        return "who subscribes here and there, after what it has had, lacks "
            + lacked
            + " and was told that it misses "
            + roamer.missedMessages();
      }
      if (order != null && !runUntil(cluster, () -> order.problems().isEmpty())) {
        return "in total order: " + order.problems();
      }
      // Receipts of the last uploads are in flight.
      unused = runUntil(cluster, () -> cluster.unconfirmed().isEmpty());
      List<String> unconfirmed = cluster.unconfirmed();
      if (!unconfirmed.isEmpty()) {
        return "not confirmed: " + unconfirmed;
      }
      if (!report.atRest() || !report.trees().minimal()) {
        return (report.atRest() ? "at rest" : "not at rest")
            + ", trees "
            + report.trees().problems();
      }
      return measuresThroughput ? wrongWithWidestTree(cluster) : null;
    } catch (AssertionError | RuntimeException e) {
      return e.toString();
    }
  }

  /** Limits the throughput of links to values at which no payload takes long. */
  private static void limit(SimCluster cluster, Random random) {
    for (Link link : cluster.topology().links()) {
      cluster.network().throughput(link.low(), link.high(), 125_000L << random.nextInt(4));
    }
  }

  private static @Nullable String wrongWithWidestTree(SimCluster cluster) {
    if (!cluster.runUntilAtRest(ScheduleRunner.MAX_REST_MILLIS)) {
      return "the widest tree does not come to rest";
    }
    TreeVerdict widest = TreeVerdict.of(cluster, TreeMetric.BANDWIDTH);
    return widest.minimal() ? null : "widest trees " + widest.problems();
  }

  /** Waits for a condition, checked once a second. */
  private static boolean runUntil(SimCluster cluster, BooleanSupplier condition) {
    for (int seconds = 0; seconds < MAX_UPLOAD_SECONDS && !condition.getAsBoolean(); seconds++) {
      var unused = cluster.runUntil(() -> false, 1_000);
    }
    return condition.getAsBoolean();
  }

  /** Returns whether every upload is delivered to all its receivers, or reported as abandoned. */
  private static boolean isOver(SimCluster cluster) {
    return !cluster.uploads().areUnderWay()
        && cluster.uploads().unfinished().isEmpty()
        && BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce();
  }

  private static String describe(long seed, String failure) {
    Scenario smallest =
        ScenarioShrinker.shrink(
            scenario(seed), smaller -> failure(smaller, seed) != null, SHRINK_TRIES);
    return "seed "
        + seed
        + ": "
        + failure
        + "\nto repeat it: mvn -B -pl simulations -am test -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dtest=SwarmTest -Dtreecast.seed="
        + seed
        + "\nthe smallest that fails: "
        + failure(smallest, seed)
        + "\nfor 'treecast simulate --seed "
        + seed
        + "':\n"
        + smallest;
  }

  @Test
  void a_tree_that_is_not_minimal_for_the_network_is_noticed() {
    Topology ring =
        Topology.of(
            3, List.of(new Link(0, 1, 1_000), new Link(1, 2, 2_000), new Link(0, 2, 3_000)));
    SimCluster cluster = new SimCluster(ring, 1);
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    assertThat(TreeVerdict.of(cluster).minimal()).isTrue();

    // Before any agent can notice.
    cluster.links().rtt(0, 1, 9);
    assertThat(TreeVerdict.of(cluster).components())
        .singleElement()
        .satisfies(
            component -> {
              assertThat(component.minimal()).isTrue();
              assertThat(component.minimalOnNetwork()).isFalse();
            });
    cluster.links().cut(0, 2);
    assertThat(TreeVerdict.of(cluster).minimal()).as("a dead link that is up").isFalse();
    cluster.links().cut(1, 2);
    assertThat(TreeVerdict.of(cluster).problems()).anyMatch(problem -> problem.contains("members"));
  }

  @Test
  void a_schedule_of_every_kind_of_event_is_drawn_sooner_or_later() {
    assertThat(
            LongStream.range(0, 40)
                .boxed()
                .flatMap(seed -> scenario(seed).schedule().steps().stream())
                .map(Step::event)
                .map(ScheduleEvent::getClass)
                .map(Class::getSimpleName))
        .contains("Rtt", "Down", "OneWay", "Up", "Loss", "Reset", "Crash", "Restart", "Pause")
        .contains("Resume", "Partition", "Heal", "Leave", "Broadcast")
        .contains("Subscribe", "Unsubscribe");
  }

  @Test
  void schedules_restart_all_agents_at_once_sooner_or_later() {
    assertThat(LongStream.range(0, 40).boxed()).anyMatch(seed -> restartsAll(scenario(seed)));
  }

  /** Returns whether a scenario crashes and restarts all running nodes at once. */
  private static boolean restartsAll(Scenario scenario) {
    TreeSet<Integer> running = new TreeSet<>();
    IntStream.range(0, scenario.topology().nodes()).forEach(running::add);
    boolean isDown = false;
    for (Step step : scenario.schedule().steps()) {
      if (step.event() instanceof ScheduleEvent.Crash crash) {
        running.remove(crash.node());
      } else if (step.event() instanceof ScheduleEvent.Leave leave) {
        running.remove(leave.node());
      } else if (step.event() instanceof ScheduleEvent.Restart restart) {
        if (isDown && scenario.topology().nodes() > 2) {
          return true;
        }
        running.add(restart.node());
      }
      isDown = running.isEmpty();
    }
    return false;
  }

  @Test
  void the_smallest_failing_scenario_is_reported() {
    Scenario scenario = RandomScenarios.draw(75, 12, 60);
    Scenario smallest =
        ScenarioShrinker.shrink(
            scenario,
            smaller ->
                smaller.schedule().steps().stream()
                    .anyMatch(step -> step.event() instanceof ScheduleEvent.Broadcast),
            1_000);
    assertThat(smallest.topology().nodes()).isEqualTo(1);
    assertThat(smallest.schedule().steps()).hasSize(1);
    Schedule schedule = smallest.schedule();
    assertThat(smallest)
        .hasToString("# network (--matrix)\n-\n# schedule (--schedule)\n" + schedule);
  }
}
