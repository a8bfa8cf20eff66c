package io.treecast.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.treecast.client.Codec;
import io.treecast.client.Treecast;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.run.ScheduleRunner;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs at the clients of real agents in two sites. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobsTest {
  private static final int MEMBERS = 4;

  private static LocalCluster cluster;
  private static List<Treecast> clients;

  @BeforeAll
  static void start() throws Exception {
    cluster = LocalCluster.start(TestNetwork.SITES.of(MEMBERS, 0), LocalCluster.Settings.DEFAULT);
    assertThat(cluster.runUntilReady(ScheduleRunner.MAX_BUILD_MILLIS)).isTrue();
    clients =
        IntStream.range(0, MEMBERS).mapToObj(i -> Treecast.connect(cluster.address(i))).toList();
  }

  @AfterAll
  static void stop() {
    clients.forEach(Treecast::close);
    cluster.close();
  }

  private static List<Jobs<Queens.Board, Long>> queens(String name) {
    return joined(name, new Queens(8), Queens.BOARDS, Queens.COUNTS);
  }

  private static <T, R> List<Jobs<T, R>> joined(
      String name, Problem<T, R> problem, Codec<T> tasks, Codec<R> results) {
    JobOptions options = JobOptions.defaults().withWorkers(1);
    List<Jobs<T, R>> jobs =
        clients.stream()
            .map(client -> Jobs.join(client, name, problem, tasks, results, options))
            .toList();
    jobs.forEach(each -> each.ready().join());
    return jobs;
  }

  @Test
  void members_in_two_sites_share_a_job_and_its_result_is_right() {
    List<Jobs<Queens.Board, Long>> jobs = clients.stream().map(Queens::join).toList();
    jobs.forEach(each -> each.ready().join());

    long solutions = Queens.solutions(jobs.get(0), 13);

    assertThat(solutions).isEqualTo(73_712);
    assertThat(jobs).allSatisfy(each -> assertThat(each.counts().solved()).isPositive());
    assertThat(jobs.stream().mapToLong(each -> each.counts().lent()).sum()).isPositive();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new JobsMetrics(jobs.get(1)).bindTo(registry);
    assertThat(registry.get("treecast.jobs.tasks").tag("event", "solved").functionCounter().count())
        .isEqualTo((double) jobs.get(1).counts().solved());
    assertThat(registry.get("treecast.jobs.idle").timeGauge().value()).isPositive();
    jobs.forEach(Jobs::close);
  }

  @Test
  void an_application_may_define_the_sites() {
    JobOptions options = JobOptions.defaults().withWorkers(1).withSites(member -> "everywhere");
    List<Jobs<Queens.Board, Long>> jobs =
        clients.stream()
            .map(
                client ->
                    Jobs.join(
                        client, "sites", new Queens(8), Queens.BOARDS, Queens.COUNTS, options))
            .toList();
    jobs.forEach(each -> each.ready().join());

    assertThat(Queens.solutions(jobs.get(0), 13)).isEqualTo(73_712);

    assertThat(jobs.stream().mapToLong(each -> each.counts().lent()).sum()).isPositive();
    assertThat(jobs).allSatisfy(each -> assertThat(each.counts().attemptsBetweenSites()).isZero());
    jobs.forEach(Jobs::close);
  }

  @Test
  void a_knapsack_is_filled_by_branch_and_bound_with_a_shared_best_value() {
    Random random = new Random(1);
    List<Knapsack.Item> items =
        Stream.generate(() -> new Knapsack.Item(20 + random.nextInt(100), 20 + random.nextInt(100)))
            .limit(32)
            .sorted(Comparator.comparingDouble(item -> (double) -item.value() / item.weight()))
            .toList();
    List<Jobs<Knapsack.Choice, Long>> jobs =
        joined("knapsack", new Knapsack(items), Knapsack.CHOICES, Queens.COUNTS);

    long value = jobs.get(2).run(new Knapsack.Choice(0, 900, 0)).join();

    assertThat(value).isEqualTo(bestValue(items, 900));
    jobs.forEach(Jobs::close);
  }

  /** Returns the greatest value of items that are not too heavy, by dynamic programming. */
  private static long bestValue(List<Knapsack.Item> items, int room) {
    long[] best = new long[room + 1];
    for (Knapsack.Item item : items) {
      for (int used = room; used >= item.weight(); used--) {
        best[used] = Math.max(best[used], best[(int) (used - item.weight())] + item.value());
      }
    }
    return best[room];
  }

  @Test
  void a_file_is_sorted_by_tasks_that_name_ranges_of_it(@TempDir Path directory) throws Exception {
    long[] numbers = new Random(1).longs(200_000).toArray();
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    bytes.asLongBuffer().put(numbers);
    Files.write(FileSort.input(directory), bytes.array());
    FileSort sort = new FileSort(directory, 10_000);
    List<Jobs<FileSort.Range, FileSort.Range>> jobs =
        joined("sort", sort, FileSort.RANGES, FileSort.RANGES);

    FileSort.Range all = jobs.get(0).run(new FileSort.Range(0, numbers.length)).join();

    long[] sorted = new long[numbers.length];
    ByteBuffer.wrap(Files.readAllBytes(sort.sorted(all))).asLongBuffer().get(sorted);
    Arrays.sort(numbers);
    assertThat(sorted).isEqualTo(numbers);
    jobs.forEach(Jobs::close);
  }

  @Test
  void tasks_of_a_member_that_leaves_run_again() {
    List<Jobs<Queens.Board, Long>> jobs = queens("leaving");
    CompletableFuture<Long> solutions = jobs.get(0).run(Queens.Board.empty(14));
    assertThat(cluster.runUntil(() -> jobs.get(3).counts().solved() > 0, 60_000)).isTrue();

    jobs.get(3).close();

    assertThat(solutions.join()).isEqualTo(365_596);
    jobs.forEach(Jobs::close);
  }

  @Test
  void a_member_whose_subscription_fails_fails_its_jobs() {
    Codec<Long> unreadable =
        Codec.of(
            Queens.COUNTS::encode,
            bytes -> {
              throw new AssertionError("unreadable");
            });
    List<Jobs<Queens.Board, Long>> jobs =
        joined("unreadable", new Queens(8), Queens.BOARDS, unreadable);

    CompletableFuture<Long> solutions = jobs.get(0).run(Queens.Board.empty(14));

    assertThat(solutions)
        .failsWithin(Duration.ofMinutes(2))
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(JobFailedException.class)
        .withMessageContaining("unreadable");
    jobs.forEach(Jobs::close);
  }

  @Test
  void a_task_that_throws_at_any_member_fails_its_job_and_workers_go_on() {
    Problem<Integer, Integer> broken =
        new Problem<>() {
          @Override
          public boolean isSmall(Integer task, Incumbent best) {
            return task < 100;
          }

          @Override
          public Integer solve(Integer task, Incumbent best) {
            if (task == 13) {
              throw new IllegalStateException("bad-luck");
            }
            return 1;
          }

          @Override
          public List<Integer> divide(Integer task) {
            return IntStream.range(0, task - 100).boxed().toList();
          }

          @Override
          public Integer combine(Integer task, List<Integer> results) {
            return results.size();
          }
        };
    Codec<Integer> numbers =
        Codec.of(n -> n.toString().getBytes(UTF_8), b -> Integer.valueOf(new String(b, UTF_8)));
    try (Jobs<Integer, Integer> jobs =
        Jobs.join(clients.get(1), "broken", broken, numbers, numbers)) {
      assertThatThrownBy(() -> jobs.run(120).join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(JobFailedException.class)
          .hasMessageContaining("13")
          .hasMessageContaining("bad-luck");
      assertThat(jobs.run(110).join()).isEqualTo(10);
    }
  }
}
