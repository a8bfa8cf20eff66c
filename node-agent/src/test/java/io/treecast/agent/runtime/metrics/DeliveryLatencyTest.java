package io.treecast.agent.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Members name their sites, so their number has a limit. */
class DeliveryLatencyTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private long count(String site) {
    return registry.get("treecast.broadcast.delivery").tag("site", site).timer().count();
  }

  @Test
  void sites_beyond_the_limit_count_as_other() {
    DeliveryLatency latency = new DeliveryLatency(registry, Tags.of("node", "h1"), "own");

    IntStream.range(0, 200).forEach(i -> latency.record("site" + i, 1));
    latency.record("own", 1);
    latency.record(null, 1);

    assertThat(registry.getMeters()).hasSize(DeliveryLatency.MAX_SITES + 1);
    assertThat(count("own")).isEqualTo(1);
    assertThat(count("site0")).isEqualTo(1);
    assertThat(count("other")).isEqualTo(200 - 99 + 1);

    latency.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void a_negative_time_from_errors_of_clocks_counts_as_zero() {
    DeliveryLatency latency = new DeliveryLatency(registry, Tags.of("node", "h1"), null);

    latency.record(null, -5);

    assertThat(count("")).isEqualTo(1);
  }
}
