package io.treecast.testkit.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.RunProgress;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.sim.SimCluster;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Experiments as on real agents, but in virtual time, which passes without waiting. */
class LiveExperimentsTest {
  private static final long PATIENCE_MILLIS = 300_000;

  /** The state that the cluster of a test never reaches. */
  private enum Never {
    NOTHING,
    READY,
    AT_REST
  }

  /** Records the times of progress reports, by the time of the cluster. */
  private static final class NotedProgress implements Lab.LiveClusters {
    /** The ends that the run expected, in the order of its reports. */
    final List<Long> endMillis = new ArrayList<>();

    final List<Long> atMillis = new ArrayList<>(List.of(0L));
    final Never never;
    Thresholds thresholds = Thresholds.NONE;
    private @Nullable SimCluster cluster;

    NotedProgress(Never never) {
      this.never = never;
    }

    @Override
    public Cluster start(Topology network, Thresholds thresholds) {
      this.thresholds = thresholds;
      SimCluster started = SimCluster.judging(network, 1, thresholds::applyTo);
      cluster = started;
      return (Cluster)
          Proxy.newProxyInstance(
              Cluster.class.getClassLoader(),
              new Class<?>[] {Cluster.class},
              (proxy, method, args) ->
                  switch (method.getName()) {
                    case "patienceMillis" -> PATIENCE_MILLIS;
                    case "runUntilReady" ->
                        never == Never.READY
                            ? started.runUntil(() -> false, (long) args[0])
                            : method.invoke(started, args);
                    case "runUntilAtRest" ->
                        never == Never.AT_REST
                            ? started.runUntil(() -> false, (long) args[0])
                            : method.invoke(started, args);
                    default -> method.invoke(started, args);
                  });
    }

    @Override
    public RunProgress progress() {
      return (line, leftMillis) -> {
        atMillis.add(nowMillis());
        endMillis.add(nowMillis() + leftMillis);
      };
    }

    long nowMillis() {
      return Objects.requireNonNull(cluster).nowNanos() / 1_000_000;
    }

    long longestSilenceMillis() {
      long longest = nowMillis() - atMillis.get(atMillis.size() - 1);
      for (int i = 1; i < atMillis.size(); i++) {
        longest = Math.max(longest, atMillis.get(i) - atMillis.get(i - 1));
      }
      return longest;
    }
  }

  private static Experiment experiment(String id) {
    return Objects.requireNonNull(Experiments.of(id));
  }

  @Test
  void experiments_of_one_set_and_a_few_minutes_run_live_and_the_others_say_why_not() {
    List<String> offered = new ArrayList<>();
    for (Experiment one : Experiments.all()) {
      if (one.live().refusal() == null) {
        offered.add(one.id());
        assertThat(one.live().expectedMillis()).isBetween(60_000L, LiveRun.MAX_MINUTES * 60_000L);
      } else {
        assertThat(one.live().refusal()).isNotEmpty();
      }
    }
    assertThat(offered).containsExactly("4.14", "4.15", "4.17a", "4.17b", "4.18a", "4.18b", "4.19");
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"4.15", "4.17b"})
  void another_live_run_reports_progress_all_the_time_and_ends_about_when_it_is_expected(
      String id) {
    a_live_run_reports_progress_all_the_time_and_ends_about_when_it_is_expected(id);
  }

  @ParameterizedTest
  @ValueSource(strings = "4.19")
  void a_live_run_reports_progress_all_the_time_and_ends_about_when_it_is_expected(String id) {
    NotedProgress real = new NotedProgress(Never.NOTHING);
    Lab lab = Lab.live(real);

    Result result = experiment(id).run(lab);

    assertThat(result.rows().get(0).own().values()).containsKey(Measure.EDGES_REPLACED);
    assertThat(lab.shortcomings()).isEmpty();
    assertThat(real.longestSilenceMillis()).isBetween(1L, ScheduleRunner.PROGRESS_MILLIS);
    assertThat(real.nowMillis())
        .isBetween(0L, experiment(id).live().expectedMillis() + PATIENCE_MILLIS / 5);
    assertThat(real.thresholds.floorMillis()).isEqualByComparingTo("1");
    assertThat(real.thresholds.errorPercent()).isEqualByComparingTo("50");
  }

  @Test
  void a_live_run_without_a_first_tree_fails_when_its_patience_is_over() {
    NotedProgress real = new NotedProgress(Never.READY);
    Lab lab = Lab.live(real);

    assertThatThrownBy(() -> experiment("4.17a").run(lab))
        .isInstanceOf(IllegalStateException.class);

    assertThat(real.nowMillis()).isBetween(PATIENCE_MILLIS, PATIENCE_MILLIS + 1_000);
    assertThat(real.longestSilenceMillis()).isBetween(1L, ScheduleRunner.PROGRESS_MILLIS);
  }

  @Test
  void a_live_run_that_does_not_come_to_rest_has_figures_and_names_what_they_lack() {
    NotedProgress real = new NotedProgress(Never.AT_REST);
    Lab lab = Lab.live(real);

    Result result = experiment("4.17b").run(lab);

    assertThat(result.rows().get(0).own().values()).containsKey(Measure.EDGES_REPLACED);
    assertThat(lab.shortcomings()).hasSize(1);
    assertThat(real.longestSilenceMillis()).isBetween(1L, ScheduleRunner.PROGRESS_MILLIS);
    assertThat(real.nowMillis())
        .isBetween(PATIENCE_MILLIS, experiment("4.17b").live().expectedMillis() + PATIENCE_MILLIS);
    assertThat(real.endMillis.get(0)).isLessThan(real.nowMillis());
    assertThat(real.endMillis.get(real.endMillis.size() - 1))
        .isGreaterThanOrEqualTo(real.nowMillis());
  }

  @Test
  void weights_that_agents_tell_do_not_count_as_a_change_of_the_tree() {
    ControlTraffic before = new ControlTraffic(new TreeMap<>(Map.of("Commit", 23L)), 0);
    ControlTraffic weights =
        new ControlTraffic(new TreeMap<>(Map.of("Commit", 23L, ControlTraffic.WEIGHT, 7L)), 0);
    ControlTraffic change = new ControlTraffic(new TreeMap<>(Map.of("Commit", 46L)), 0);

    assertThat(weights.ofTheTree()).isEqualTo(before.ofTheTree());
    assertThat(change.ofTheTree()).isNotEqualTo(before.ofTheTree());
  }
}
