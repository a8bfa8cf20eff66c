package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import tools.jackson.databind.JsonNode;

/** The keys in the reports of {@code simulate} and {@code demo} on which tools rely. */
final class ReportKeys {
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
        .contains("Initiate", "Report", "Connect", "Commit")
        .isSubsetOf(AgentSnapshot.CONTROL_MESSAGE_TYPES);
  }
}
