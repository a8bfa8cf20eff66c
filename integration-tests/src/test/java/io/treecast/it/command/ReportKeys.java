package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** The keys that tools rely on, in what {@code simulate} and {@code demo} report. */
final class ReportKeys {
  /** Those of which none was sent may be missing. */
  private static final List<String> TYPES =
      List.of("Connect", "Initiate", "Test", "Accept", "Reject", "Report", "ChangeCore", "Commit");

  private ReportKeys() {}

  static void assertAllThere(JsonNode report) {
    assertThat(report.propertyNames())
        .contains("nodes", "links", "tree", "weightMillis", "root", "messages", "controlMessages")
        .contains("buildMillis", "minimal", "sources", "ratioMean", "ratioWorst");
    assertThat(report.get("tree"))
        .allSatisfy(
            edge -> assertThat(edge.propertyNames()).containsExactly("a", "b", "weightMillis"));
    assertThat(report.get("sources"))
        .isNotEmpty()
        .allSatisfy(
            source ->
                assertThat(source.propertyNames())
                    .containsExactly("source", "lastMillis", "limitMillis", "ratio", "siteCopies"));
    assertThat(report.get("messages").propertyNames())
        .contains("Connect", "Report", "Commit")
        .isSubsetOf(TYPES);
  }
}
