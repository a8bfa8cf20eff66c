package io.treecast.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.Member;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.MetricText;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A triangle of nodes 1, 2, 3, whose lightest links are 1-2 and 2-3. */
class ClusterVerificationTest {
  private static final LinkWeight LIGHT = Trees.edge(1, 2, 1_000);
  private static final LinkWeight MIDDLE = Trees.edge(2, 3, 2_000);
  private static final LinkWeight HEAVY = Trees.edge(1, 3, 3_000);
  private static final List<LinkWeight> LINKS = List.of(LIGHT, MIDDLE, HEAVY);
  private static final CommittedTree TREE = Trees.tree(2, List.of(LIGHT, MIDDLE));

  private static AgentReport report(
      int node, @Nullable CommittedTree tree, String notReadyReason, List<LinkWeight> links) {
    NodeId id = NodeId.of(Integer.toString(node));
    return new AgentReport(
        id,
        tree,
        notReadyReason.isEmpty(),
        notReadyReason,
        List.of(),
        links.stream()
            .filter(link -> link.touches(id))
            .map(
                link ->
                    new LinkReport(
                        new Member(link.opposite(id), "127.0.0.1:1"),
                        LinkState.UP,
                        1,
                        0,
                        0,
                        link,
                        true,
                        true,
                        null,
                        null,
                        null,
                        null,
                        0,
                        null,
                        "",
                        0,
                        ""))
            .toList(),
        "",
        0,
        null,
        true,
        Map.of(),
        AgentReport.SelfReport.UNKNOWN);
  }

  private static ClusterVerification verify(List<AgentReport> reports) {
    return ClusterVerification.of(reports, MetricText.LATENCY);
  }

  private static List<AgentReport> reports(CommittedTree tree) {
    return Stream.of(1, 2, 3).map(node -> report(node, tree, "", LINKS)).toList();
  }

  @Test
  void an_edge_that_has_become_faster_counts_with_what_it_weighs_now() {
    CommittedTree slower = Trees.tree(2, List.of(LIGHT, Trees.edge(2, 3, 2_500)));
    ClusterVerification verification = verify(reports(slower));
    assertThat(verification.isSound()).isTrue();
    assertThat(verification.weightMicros()).isEqualTo(3_000);
  }

  @Test
  void the_minimum_spanning_tree_is_sound() {
    ClusterVerification verification = verify(reports(TREE));
    assertThat(verification.isSound()).isTrue();
    assertThat(verification.trees()).containsExactly(TREE);
    assertThat(verification.links()).containsExactly(LIGHT, MIDDLE, HEAVY);
    assertThat(verification.treeEdges()).containsExactly(LIGHT, MIDDLE);
    assertThat(verification.weightMicros()).isEqualTo(3_000);
  }

  @Test
  void another_tree_differs_in_what_is_missing_and_what_is_superfluous() {
    ClusterVerification verification = verify(reports(Trees.tree(1, List.of(LIGHT, HEAVY))));
    assertThat(verification.isSound()).isFalse();
    assertThat(verification.difference().missing()).containsExactly(MIDDLE);
    assertThat(verification.difference().superfluous()).containsExactly(HEAVY);
    assertThat(verification.disagreements()).isEmpty();
  }

  @Test
  void an_edge_that_became_lighter_since_the_commit_is_still_the_same_edge() {
    CommittedTree older = Trees.tree(2, List.of(LIGHT, Trees.edge(2, 3, 2_900)));
    assertThat(verify(reports(older)).isSound()).isTrue();
  }

  @Test
  void members_with_different_trees_disagree() {
    CommittedTree newer = new CommittedTree(2, TREE.root(), TREE.edges());
    ClusterVerification verification =
        verify(
            List.of(
                report(1, TREE, "", LINKS),
                report(2, TREE, "", LINKS),
                report(3, newer, "", LINKS)));
    assertThat(verification.isSound()).isFalse();
    assertThat(verification.difference().isMinimal()).isTrue();
    assertThat(verification.disagreements())
        .singleElement()
        .asString()
        .startsWith("3 and 1 ")
        .contains("v2 root 2", "v1 root 2");
  }

  @Test
  void a_member_that_is_not_ready_is_named() {
    ClusterVerification verification =
        verify(
            List.of(
                report(1, TREE, "", LINKS),
                report(2, TREE, "", LINKS),
                report(3, null, "no-reason", LINKS)));
    assertThat(verification.isSound()).isFalse();
    assertThat(verification.disagreements())
        .singleElement()
        .asString()
        .startsWith("3 ")
        .endsWith(": no-reason");
  }

  @Test
  void where_ends_disagree_on_a_weight_the_lower_counts() {
    LinkWeight atTheOtherEnd = Trees.edge(1, 2, 9_000);
    ClusterVerification verification =
        verify(
            List.of(
                report(3, TREE, "", LINKS),
                report(2, TREE, "", List.of(atTheOtherEnd, MIDDLE)),
                report(1, TREE, "", LINKS)));
    assertThat(verification.links()).containsExactly(LIGHT, MIDDLE, HEAVY);
    assertThat(verification.difference().isMinimal()).isTrue();
    assertThat(verification.disagreements())
        .singleElement()
        .asString()
        .contains(" 1 - 2 ", "9.0 and 1.0 ms");
  }

  @Test
  void each_component_of_a_disconnected_network_has_its_own_tree() {
    LinkWeight apart = Trees.edge(4, 5, 100);
    ClusterVerification verification =
        verify(
            Stream.concat(
                    reports(TREE).stream(),
                    Stream.of(4, 5)
                        .map(n -> report(n, Trees.tree(4, List.of(apart)), "", List.of(apart))))
                .toList());
    assertThat(verification.trees()).containsExactly(TREE, Trees.tree(4, List.of(apart)));
    assertThat(verification.disagreements()).isEmpty();
    assertThat(verification.isSound()).isTrue();
  }

  @Test
  void a_member_of_no_tree_that_it_has_is_named() {
    ClusterVerification verification = verify(List.of(report(4, TREE, "", List.of())));
    assertThat(verification.disagreements())
        .singleElement()
        .asString()
        .startsWith("4 ")
        .contains("v1 root 2");
  }
}
