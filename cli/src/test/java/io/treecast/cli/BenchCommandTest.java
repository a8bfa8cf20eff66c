package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.treecast.cli.bench.BenchCluster;
import io.treecast.cli.bench.BenchReport;
import io.treecast.cli.bench.Throughput;
import io.treecast.cli.console.ExitCode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The measures of {@code treecast bench} and their ratios, not their values. */
@Order(2)
class BenchCommandTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  @Test
  void sums_of_vectors_are_measured_in_a_real_tree_of_that_shape() {
    CommandRun run =
        CommandRun.of(
            "bench --reduce --seconds 1 --payload-bytes 400 --shape star --agents 3 --output json"
                .split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("shape").asString()).isEqualTo("star");
    assertThat(json.get("agents").asInt()).isEqualTo(3);
    assertThat(json.get("vectorBytes").asInt()).isEqualTo(400);
    assertThat(json.get("megabytesPerSecond").asDouble()).isPositive();
  }

  /** Each case occupies both processors for eight seconds. */
  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({
    "line, 2, 100000000",
    "line, 3, 100000",
    "star, 3, 100000",
    "star, 4, 1000000",
  })
  void payloads_reach_the_far_end_of_a_real_tree_of_that_shape(
      String shape, int agents, int payloadBytes) {
    CommandRun run =
        CommandRun.of(
            ("bench --seconds 1 --output json --payload-bytes "
                    + payloadBytes
                    + " --shape "
                    + shape
                    + " --agents "
                    + agents)
                .split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("shape").asString()).isEqualTo(shape);
    assertThat(json.get("agents").asInt()).isEqualTo(agents);
    assertThat(json.get("plainStream").get("megabytesPerSecond").asDouble()).isPositive();
    assertThat(json.get("plainRelays").get("megabytesPerSecond").asDouble()).isPositive();
    assertThat(json.get("oneAgent").get("megabytesPerSecond").asDouble()).isPositive();
    assertThat(json.get("cluster").get("megabytesPerSecond").asDouble()).isPositive();
  }

  /** Counts the same queens six times, for twenty seconds of a processor. */
  @Tag("nightly")
  @Test
  void jobs_of_one_member_and_of_two_are_compared_with_a_loop() {
    CommandRun run =
        CommandRun.of("bench", "--jobs", "--agents", "2", "--seconds", "1", "--output", "json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    double loopSeconds = run.json().get("loopSeconds").asDouble();
    JsonNode jobs = run.json().get("jobs");
    assertThat(jobs).extracting(job -> job.get("members").asInt()).containsExactly(1, 2);
    assertThat(jobs)
        .allSatisfy(
            job ->
                assertThat(job.get("speedUp").asDouble() * job.get("seconds").asDouble())
                    .isCloseTo(loopSeconds, withinPercentage(1)));
  }

  @Test
  void one_load_is_measured_at_a_time() {
    assertThat(CommandRun.of("bench", "--jobs", "--reduce").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_hop_costs_what_each_further_agent_adds() {
    Throughput plain = new Throughput(4_000L << 20, 1 << 20, 2 * SECOND_NANOS, SECOND_NANOS);
    Throughput relays = new Throughput(2_000L << 20, 1 << 20, 2 * SECOND_NANOS, 2 * SECOND_NANOS);
    Throughput alone = new Throughput(1_000L << 20, 1 << 20, SECOND_NANOS, SECOND_NANOS);
    Throughput cluster = new Throughput(500L << 20, 1 << 20, SECOND_NANOS, 2 * SECOND_NANOS);

    JsonNode json =
        new BenchReport(BenchCluster.Shape.LINE, 4, 1 << 20, plain, relays, alone, cluster)
            .toJson();

    assertThat(json.get("hopCpuMicrosPerMessage").asDouble()).isEqualTo((4_000 - 1_000) / 3.0);
    assertThat(json.get("hopCpuSecondsPerGib").asDouble()).isEqualTo(1.024);
    assertThat(json.get("relayCpuMicrosPerMessage").asDouble()).isEqualTo((1_000 - 250) / 3.0);
    assertThat(json.get("relayCpuSecondsPerGib").asDouble()).isEqualTo(0.256);
    assertThat(json.get("hopToRelayCpuRatio").asDouble()).isEqualTo(4.0);
    assertThat(json.get("hopCpuRatio").asDouble()).isEqualTo(1_000 / 250.0);
    assertThat(json.get("rateRatio").asDouble()).isEqualTo(500 / 2_000.0);
  }
}
