package org.example.prices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.ClusterTime;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.run.ScheduleRunner;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The examples of the page on collective operations do on real agents what they say. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT) // An example prints.
class CollectiveExamplesTest {
  private static final long MAX_MILLIS = 60_000;

  private static LocalCluster cluster;
  private static List<Treecast> members;

  @BeforeAll
  static void start() throws Exception {
    cluster = LocalCluster.start(TestNetwork.SITES.of(3, 0), LocalCluster.Settings.DEFAULT);
    assertThat(cluster.runUntilReady(ScheduleRunner.MAX_BUILD_MILLIS)).isTrue();
    members = IntStream.range(0, 3).mapToObj(i -> Treecast.connect(cluster.address(i))).toList();
  }

  @AfterAll
  static void stop() {
    members.forEach(Treecast::close);
    cluster.close();
  }

  @Test
  void all_get_the_mean_of_the_weights() {
    int weights = 100_000;
    List<FloatBuffer> means =
        IntStream.range(0, 3).mapToObj(i -> FloatBuffer.allocate(weights)).toList();
    List<CompletableFuture<Integer>> contributors =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          float[] own = new float[weights];
                          Arrays.fill(own, 3 * i);
                          return CollectiveExamples.average(
                              members.get(i), 1, FloatBuffer.wrap(own), means.get(i));
                        }))
            .toList();

    assertThat(contributors).allSatisfy(count -> assertThat(count.join()).isEqualTo(3));
    assertThat(means)
        .allSatisfy(
            mean -> {
              for (float weight : mean.array()) {
                assertThat(weight).isEqualTo(3);
              }
            });
  }

  @Test
  void the_trainers_of_a_region_combine_among_themselves() {
    List<CompletableFuture<Long>> trained =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            CollectiveExamples.trained(
                                members.get(i), i < 2 ? "west" : "east", i < 2 ? 2 : 1, i + 1)))
            .toList();

    assertThat(trained.stream().map(CompletableFuture::join)).containsExactly(3L, 3L, 3L);
  }

  @Test
  void all_know_what_was_sold() {
    List<CompletableFuture<String>> sold =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            CollectiveExamples.sold(members.get(i), 1, new long[] {i, 10L * i})))
            .toList();

    assertThat(sold).allSatisfy(s -> assertThat(s.join()).isEqualTo("[3, 30] by [0, 1, 2]"));
  }

  @Test
  void a_round_is_counted_once() {
    IntStream.range(0, 3)
        .mapToObj(
            i ->
                CompletableFuture.runAsync(
                    () -> CollectiveExamples.sold(members.get(i), 2, new long[] {1})))
        .toList()
        .forEach(CompletableFuture::join);

    assertThatThrownBy(() -> CollectiveExamples.sold(members.get(0), 2, new long[] {1}))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NAME_USED));
  }

  @Test
  void each_gets_its_share() {
    Map<String, byte[]> shares = Map.of("0", "a".getBytes(UTF_8), "2", "c".getBytes(UTF_8));
    List<CompletableFuture<Optional<byte[]>>> got =
        IntStream.range(0, 3)
            .mapToObj(
                i -> CollectiveExamples.share(members.get(i), "shares", "" + i, "1", shares))
            .toList();

    assertThat(got.get(0).join()).hasValueSatisfying(s -> assertThat(s).asString().isEqualTo("a"));
    assertThat(got.get(1).join()).isEmpty();
    assertThat(got.get(2).join()).hasValueSatisfying(s -> assertThat(s).asString().isEqualTo("c"));
  }

  @Test
  void steps_that_all_begin_together_have_comparable_times() {
    List<CompletableFuture<List<ClusterTime>>> steps =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> CollectiveExamples.timed(members.get(i), "step", () -> {})))
            .toList();
    for (CompletableFuture<List<ClusterTime>> step : steps) {
      ClusterTime begun = step.join().get(0);
      assertThat(begun.order(step.join().get(1))).isNotEqualTo(ClusterTime.Order.AFTER);
      assertThat(begun.order(steps.get(0).join().get(0)))
          .isNotEqualTo(ClusterTime.Order.OTHER_EPOCH);
    }
  }

  @Test
  void a_waiting_member_learns_which_one_is_missing_and_goes_on_waiting() {
    Set<String> two = Set.of("0", "2");
    List<String> told = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> early =
        CompletableFuture.runAsync(
            () ->
                CollectiveExamples.meet(
                    members.get(0), "meeting", two, Duration.ofSeconds(3), told::add));
    // An agent without time to answer is not the first reason on a machine that stands still.
    assertThat(
            cluster.runUntil(
                () ->
                    told.stream()
                        .anyMatch(
                            line -> line.startsWith("MEMBERS_MISSING: ") && line.contains("): 2 ")),
                MAX_MILLIS))
        .isTrue();
    assertThat(early).isNotDone();

    CollectiveExamples.meet(members.get(2), "meeting", two, Duration.ofSeconds(30), told::add);

    early.join();
  }
}
