package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.ConfigException;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.util.List;
import java.util.Set;

/** The counters of a running agent, the only metrics that Prometheus corrects for restarts. */
final class ServedCounters {
  private ServedCounters() {}

  static void assertContain(Set<String> names) throws ConfigException {
    try (LocalCluster alone =
        LocalCluster.start(Topology.of(1, List.of()), LocalCluster.Settings.DEFAULT)) {
      String page = alone.registry().scrape();
      assertThat(names)
          .allMatch(
              name ->
                  page.contains("# TYPE " + name + " counter\n")
                      || page.contains("# TYPE " + name.replaceFirst("_count$", "") + " summary\n")
                      || page.contains(
                          "# TYPE " + name.replaceFirst("_(count|bucket)$", "") + " histogram\n"));
    }
  }
}
