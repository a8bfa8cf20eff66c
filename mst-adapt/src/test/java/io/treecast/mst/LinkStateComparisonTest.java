package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Compares GHS with epochs to link-state flooding, on the reference network and the same events:
 * messages, bytes by {@link MessageBytes} with handshakes, and virtual milliseconds until the last
 * node has the tree.
 */
class LinkStateComparisonTest {
  private final ReferenceNetwork ghs = new ReferenceNetwork();
  private final LinkStateNetwork flooded = new LinkStateNetwork(ReferenceNetwork.matrix());
  private final List<String> table = new ArrayList<>();

  @Test
  void the_same_events_on_both(TestReporter reporter) {
    compare("build", ghs.build(), flooded.build());
    compare("4-6 worsens", ghs.reweigh(4, 6, 6_001), flooded.reweigh(4, 6, 6_001_000));
    compare("8-16 improves", ghs.reweigh(8, 16, 300), flooded.reweigh(8, 16, 300_000));
    compare("12-20 lost", ghs.lose(12, 20), flooded.lose(12, 20));
    compare("crash of 1", ghs.crash(1), flooded.crash(1));
    compare("site 5 isolated", ghs.isolateSite(5), flooded.isolate(20, 23));
    compare("site 5 back", ghs.healSite(5), flooded.heal(20, 23));
    reporter.publishEntry("comparison", String.join(System.lineSeparator(), table));

    assertThat(flooded.agree(2, 23)).isTrue();
    assertThat(table)
        .containsExactly(
            "build            merging   237   23808 B    821 ms, flooding  12167  1946720 B    361 ms",
            "4-6 worsens      merging    74   13408 B   3190 ms, flooding    529    14812 B    184 ms",
            "8-16 improves    merging    75   13864 B    752 ms, flooding    529    14812 B    327 ms",
            "12-20 lost       merging    72   12408 B   1027 ms, flooding    528    14784 B    315 ms",
            "crash of 1       merging    68   11776 B   1024 ms, flooding  11086   310408 B    328 ms",
            "site 5 isolated  merging    63    8872 B    946 ms, flooding  25752   721056 B    316 ms",
            "site 5 back      merging   229   15144 B    999 ms, flooding  33936  1538004 B    328 ms");
  }

  private void compare(String event, EventCosts.Cost merging, LinkStateNetwork.Cost flooding) {
    table.add(
        String.format(
            Locale.ROOT,
            "%-16s merging %5d %7d B %6d ms, flooding %6d %8d B %6d ms",
            event,
            merging.total() + merging.handshakes(),
            merging.bytes(),
            merging.millis(),
            flooding.messages(),
            flooding.bytes(),
            flooding.millis()));
  }
}
