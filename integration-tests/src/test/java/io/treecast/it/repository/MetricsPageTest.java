package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page on metrics names exactly the metrics of running agents. */
class MetricsPageTest {
  /**
   * Metrics of agents with series, a certificate or permissions, which the agents of this test
   * lack.
   */
  private static final Set<String> OPTIONAL =
      Set.of(
          "treecast_series_lost_total",
          "treecast_certificate_expires_seconds",
          "treecast_permissions_denied_total",
          "treecast_permissions_stale");

  @Test
  void names_each_metric_and_no_other() throws ConfigException {
    Set<String> documented =
        names("(?m)^\\| `(treecast_\\w+)`", Repository.text(Path.of("docs/metrics.md")));
    assertThat(documented).containsAll(OPTIONAL);
    documented.removeAll(OPTIONAL);

    Topology two = Topology.of(2, List.of(new Topology.Link(0, 1, 1_000)));
    try (LocalCluster cluster = LocalCluster.start(two, LocalCluster.Settings.DEFAULT)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(served(cluster)).isEqualTo(documented));
    }
  }

  private static Set<String> served(LocalCluster cluster) {
    String page = cluster.registry().scrape();
    Set<String> served = names("(?m)^# TYPE (treecast_\\w+) (?!summary|histogram)", page);
    // Prometheus gets two series of a summary, and a gauge of its largest value.
    for (String summary : names("(?m)^# TYPE (treecast_\\w+) summary", page)) {
      served.add(summary + "_count");
      served.add(summary + "_sum");
    }
    for (String histogram : names("(?m)^# TYPE (treecast_\\w+) histogram", page)) {
      served.add(histogram + "_bucket");
      served.add(histogram + "_count");
      served.add(histogram + "_sum");
    }
    return served;
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
