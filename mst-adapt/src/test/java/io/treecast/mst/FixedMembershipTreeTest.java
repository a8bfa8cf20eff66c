package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Phase;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One node, {@code m}, event by event. Its neighbours a, c, x, z are 1, 2, 3 and 4 microseconds
 * away.
 */
class FixedMembershipTreeTest {
  private static final NodeId M = NodeId.of("m");
  private static final List<String> BY_DISTANCE = List.of("a", "c", "x", "z");

  private final List<String> effects = new ArrayList<>();

  private static LinkWeight link(String neighbour) {
    return LinkWeight.between(M, NodeId.of(neighbour), BY_DISTANCE.indexOf(neighbour) + 1);
  }

  private FixedMembershipTree node(int expectedLinks) {
    return new FixedMembershipTree(
        M,
        expectedLinks,
        new TreeProtocol.Effects() {
          @Override
          public void send(NodeId neighbour, TreeMessage message) {
            effects.add(neighbour + ": " + message.type());
          }

          @Override
          public void committed(CommittedTree tree) {
            effects.add("committed " + tree);
          }
        });
  }

  private List<String> takeEffects() {
    List<String> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** A node that expects links to these and is awake. */
  private FixedMembershipTree awake(String... neighbours) {
    FixedMembershipTree node = node(neighbours.length);
    node.start();
    measure(node, neighbours);
    for (String neighbour : neighbours) {
      node.neighbourMeasured(NodeId.of(neighbour));
    }
    assertThat(node.status().phase()).isEqualTo(TreePhase.MERGING);
    return node;
  }

  private static void measure(FixedMembershipTree node, String... neighbours) {
    for (String neighbour : neighbours) {
      node.linkMeasured(link(neighbour));
    }
    node.weightsFinal();
  }

  private static void receive(FixedMembershipTree node, String from, GhsMessage message) {
    try {
      node.receive(NodeId.of(from), new TreeMessage.Merge(message));
    } catch (TreeViolation violation) {
      throw new AssertionError(violation);
    }
  }

  private void assertRefused(
      FixedMembershipTree node, String from, TreeMessage message, String reason) {
    TreeStatus before = node.status();
    takeEffects();
    assertThatExceptionOfType(TreeViolation.class)
        .isThrownBy(() -> node.receive(NodeId.of(from), message))
        .withMessageContaining(reason)
        .satisfies(violation -> assertThat(violation.reason()).isEqualTo(violation.getMessage()));
    assertThat(node.status()).isEqualTo(before);
    assertThat(takeEffects()).isEmpty();
  }

  private static TreeMessage merge(GhsMessage message) {
    return new TreeMessage.Merge(message);
  }

  private static TreeMessage commit(String root, LinkWeight... edges) {
    return new TreeMessage.Commit(new CommittedTree(1, NodeId.of(root), List.of(edges)));
  }

  // Waiting.

  @Test
  void a_node_that_expects_no_links_is_a_tree_of_its_own_from_the_start() {
    FixedMembershipTree lone = node(0);
    assertThat(lone.status().ready()).isFalse();
    lone.start();
    assertThat(takeEffects()).containsExactly("committed v1 root m, 0 edges");
    assertThat(lone.status().ready()).isTrue();
    assertThat(lone.status().reason()).isEmpty();
  }

  @Test
  void waits_until_all_links_are_measured_and_final_here_and_at_the_neighbours() {
    FixedMembershipTree node = node(2);
    node.start();
    assertThat(node.status().reason()).isEqualTo("0 of 2 expected links are measured");
    node.linkMeasured(link("a"));
    assertThat(node.allLinksMeasured()).isFalse();
    node.neighbourMeasured(NodeId.of("a"));
    node.linkMeasured(link("c"));
    assertThat(node.allLinksMeasured()).isTrue();
    assertThat(takeEffects()).isEmpty();
    node.weightsFinal();
    assertThat(node.status().phase()).isEqualTo(TreePhase.WAITING);
    assertThat(node.status().reason()).isEqualTo("1 neighbours still measure their links");
    assertThat(takeEffects()).isEmpty();
    node.neighbourMeasured(NodeId.of("c"));
    assertThat(node.status().phase()).isEqualTo(TreePhase.MERGING);
    assertThat(node.status().reason()).isEqualTo("the tree is being built");
    assertThat(takeEffects()).containsExactly("a: Connect");
  }

  @Test
  void the_last_weight_of_a_link_counts() {
    FixedMembershipTree node = node(2);
    node.start();
    node.linkMeasured(link("a"));
    node.linkMeasured(link("c"));
    node.linkMeasured(LinkWeight.between(M, NodeId.of("a"), 99));
    node.weightsFinal();
    node.neighbourMeasured(NodeId.of("a"));
    node.neighbourMeasured(NodeId.of("c"));
    assertThat(takeEffects()).as("c is nearer now").containsExactly("c: Connect");
  }

  @Test
  void a_link_lost_while_waiting_is_waited_for_again_with_everything_about_it() {
    FixedMembershipTree node = node(2);
    node.start();
    measure(node, "a", "c");
    receive(node, "a", new Connect(0));
    node.neighbourMeasured(NodeId.of("a"));
    node.linkLost(NodeId.of("a"));
    assertThat(node.status().phase()).isEqualTo(TreePhase.WAITING);
    node.neighbourMeasured(NodeId.of("c"));
    node.linkMeasured(link("a"));
    assertThat(takeEffects()).as("weights are not final again yet").isEmpty();
    node.weightsFinal();
    assertThat(takeEffects()).as("nor has a said so for the new session").isEmpty();
    node.neighbourMeasured(NodeId.of("a"));
    assertThat(takeEffects())
        .as("the Connect of the lost session is forgotten")
        .containsExactly("a: Connect");
  }

  @Test
  void messages_of_neighbours_that_woke_earlier_wait_until_this_node_is_awake() {
    FixedMembershipTree node = node(2);
    node.start();
    measure(node, "a", "c");
    node.neighbourMeasured(NodeId.of("a"));
    receive(node, "a", new Connect(0));
    receive(
        node, "c", new GhsMessage.Test(1, LinkWeight.between(NodeId.of("c"), NodeId.of("d"), 1)));
    assertThat(takeEffects()).isEmpty();
    node.neighbourMeasured(NodeId.of("c"));
    assertThat(takeEffects()).as("merges with a").containsExactly("a: Connect", "a: Initiate");
    receive(node, "a", new Initiate(1, link("a"), Phase.FIND));
    assertThat(takeEffects()).as("answers c").containsExactly("c: Accept", "c: Test");
  }

  static List<GhsMessage> whatNobodySendsFirst() {
    LinkWeight far = LinkWeight.between(NodeId.of("p"), NodeId.of("q"), 1);
    return List.of(
        new Connect(1),
        new Connect(-1),
        new GhsMessage.Test(0, far),
        new GhsMessage.Test(21, far),
        new Initiate(1, far, Phase.FIND),
        new GhsMessage.Accept(),
        new GhsMessage.Reject(),
        new Report(null, List.of()),
        new GhsMessage.ChangeCore());
  }

  @ParameterizedTest
  @MethodSource("whatNobodySendsFirst")
  void what_nobody_can_send_to_a_sleeping_node_is_refused_and_not_kept(GhsMessage message) {
    FixedMembershipTree node = node(2);
    node.start();
    measure(node, "a", "c");
    assertRefused(node, "a", merge(message), "a node that has not said anything yet");
    // It wakes as if nothing had happened.
    node.neighbourMeasured(NodeId.of("a"));
    assertThatNoException().isThrownBy(() -> node.neighbourMeasured(NodeId.of("c")));
    assertThat(takeEffects()).containsExactly("a: Connect");
  }

  @Test
  void no_more_than_one_message_of_a_link_is_kept() {
    FixedMembershipTree node = node(2);
    node.start();
    measure(node, "a", "c");
    receive(node, "a", new Connect(0));
    assertRefused(
        node, "a", merge(new Connect(0)), "a sent Connect before its last message had an answer");
  }

  @Test
  void a_message_before_the_link_is_measured_is_refused() {
    FixedMembershipTree node = node(2);
    node.start();
    assertRefused(
        node, "a", merge(new Connect(0)), "tree message from a before its link was measured");
    assertRefused(node, "a", commit("a", link("a")), "before its link was measured");
  }

  @Test
  void a_commit_before_this_node_is_awake_is_refused() {
    FixedMembershipTree node = node(1);
    node.start();
    measure(node, "a");
    assertRefused(
        node, "a", commit("a", link("a")), "a committed a tree that this node has no part in");
  }

  // Merging, to the commit.

  @Test
  void the_lower_end_of_the_core_announces_the_tree() {
    FixedMembershipTree node = awake("x");
    receive(node, "x", new Connect(0));
    receive(node, "x", new Initiate(1, link("x"), Phase.FIND));
    takeEffects();
    receive(node, "x", new Report(null, List.of()));
    assertThat(takeEffects()).containsExactly("x: Commit", "committed v1 root m, 1 edges");
    assertThat(node.status().ready()).isTrue();
  }

  @Test
  void the_higher_end_of_the_core_waits_for_the_announcement_and_passes_it_on() throws Exception {
    FixedMembershipTree node = awake("a", "c");
    receive(node, "a", new Connect(0));
    receive(node, "a", new Initiate(1, link("a"), Phase.FIND));
    receive(node, "c", new Connect(0));
    receive(node, "c", new Report(null, List.of()));
    takeEffects();
    receive(node, "a", new Report(null, List.of()));
    assertThat(takeEffects()).isEmpty();
    assertThat(node.status().phase()).isEqualTo(TreePhase.MERGING);
    node.receive(NodeId.of("a"), commit("a", link("a"), link("c")));
    assertThat(takeEffects()).containsExactly("c: Commit", "committed v1 root a, 2 edges");
    assertThat(node.status().ready()).isTrue();
  }

  /** With a as the other end of the core and c as a leaf; only the announcement is missing. */
  private FixedMembershipTree beforeTheCommit() {
    FixedMembershipTree node = awake("a", "c", "z");
    receive(node, "a", new Connect(0));
    receive(node, "c", new Connect(0));
    receive(node, "a", new Initiate(1, link("a"), Phase.FIND));
    receive(node, "z", new GhsMessage.Reject());
    receive(node, "c", new Report(null, List.of()));
    receive(node, "a", new Report(null, List.of()));
    return node;
  }

  @Test
  void a_commit_that_is_not_the_tree_as_this_node_knows_it_is_refused() throws Exception {
    FixedMembershipTree node = beforeTheCommit();
    assertRefused(
        node,
        "c",
        commit("a", link("a"), link("c")),
        "c committed a tree in which it is not the neighbour of m towards the root");
    assertRefused(
        node, "a", commit("m", link("a"), link("c")), "not the neighbour of m towards the root");
    assertRefused(
        node,
        "a",
        commit("a", LinkWeight.between(NodeId.of("a"), NodeId.of("b"), 1)),
        "not the neighbour of m towards the root");
    assertRefused(node, "a", commit("a", link("a")), "m has 2 branches and it names 1");
    assertRefused(
        node,
        "a",
        commit("a", link("a"), link("c"), link("z")),
        "its edge m-z@4us is no branch of m");
    assertRefused(
        node,
        "a",
        commit("a", link("a"), LinkWeight.between(M, NodeId.of("c"), 7)),
        "its edge c-m@7us is no branch of m");
    assertRefused(
        node,
        "a",
        commit("a", link("a"), link("c"), LinkWeight.between(M, NodeId.of("stranger"), 7)),
        "its edge m-stranger@7us is no branch of m");

    // And then the true one.
    node.receive(NodeId.of("a"), commit("a", link("a"), link("c")));
    assertThat(node.status().ready()).isTrue();
    assertRefused(
        node, "a", commit("a", link("a"), link("c")), "a committed a tree that this node has");
  }

  @Test
  void branches_reported_from_afar_that_make_no_tree_are_not_announced() {
    FixedMembershipTree cycle = awake("x");
    receive(cycle, "x", new Connect(0));
    receive(cycle, "x", new Initiate(1, link("x"), Phase.FIND));
    takeEffects();
    List<LinkWeight> apart = List.of(LinkWeight.between(NodeId.of("p"), NodeId.of("q"), 1));
    assertThatExceptionOfType(TreeViolation.class)
        .isThrownBy(() -> cycle.receive(NodeId.of("x"), merge(new Report(null, apart))))
        .withMessage(
            "the branches that x reported: 2 edges between 4 nodes are not one tree with root m");
    assertThat(takeEffects()).isEmpty();
    assertThat(cycle.status().ready()).isFalse();

    FixedMembershipTree stranger = awake("x");
    receive(stranger, "x", new Connect(0));
    receive(stranger, "x", new Initiate(1, link("x"), Phase.FIND));
    takeEffects();
    List<LinkWeight> here = List.of(LinkWeight.between(M, NodeId.of("q"), 1));
    assertThatExceptionOfType(TreeViolation.class)
        .isThrownBy(() -> stranger.receive(NodeId.of("x"), merge(new Report(null, here))))
        .withMessage("the branches that x reported: its edge m-q@1us is no branch of m");
    assertThat(takeEffects()).isEmpty();
  }

  @Test
  void what_the_automaton_refuses_is_a_violation() {
    assertRefused(
        awake("a", "c"),
        "c",
        merge(new GhsMessage.Accept()),
        "node m refused Accept from c: no Test to it is unanswered");
  }

  // Losses.

  @Test
  void a_link_lost_while_merging_is_final_and_said_plainly() throws Exception {
    FixedMembershipTree node = awake("a", "c");
    takeEffects();
    node.linkLost(NodeId.of("c"));
    assertThat(node.status().isFinal()).isTrue();
    assertThat(node.status().reason())
        .isEqualTo(
            "the link to c was lost while the tree was being built; the membership is fixed: "
                + "restart all agents to build a new tree");
    // Nothing that still comes changes that, or is answered.
    node.receive(NodeId.of("a"), merge(new Connect(0)));
    node.linkLost(NodeId.of("a"));
    node.linkMeasured(link("c"));
    node.neighbourMeasured(NodeId.of("c"));
    node.weightsFinal();
    assertThat(node.status().reason()).startsWith("the link to c was lost");
    assertThat(takeEffects()).isEmpty();
  }

  @Test
  void a_link_lost_after_the_commit_makes_the_node_not_ready_and_keeps_the_tree_to_be_seen()
      throws Exception {
    for (String lost : List.of("c", "z")) {
      FixedMembershipTree node = beforeTheCommit();
      node.receive(NodeId.of("a"), commit("a", link("a"), link("c")));
      // z is no tree edge; the membership counts on it all the same.
      node.linkLost(NodeId.of(lost));
      assertThat(node.status().ready()).isFalse();
      assertThat(node.status().isFinal()).isTrue();
      assertThat(node.status().tree()).isNotNull();
      assertThat(node.status().reason())
          .isEqualTo(
              "the link to "
                  + lost
                  + " was lost after the tree was built; the membership is fixed: restart all "
                  + "agents to build a new tree");
    }
  }

  @Test
  void a_link_that_is_none_of_the_tree_s_may_come_and_go_later() {
    FixedMembershipTree node = awake("a");
    node.linkMeasured(link("z"));
    node.linkLost(NodeId.of("z"));
    assertThat(node.status().phase()).isEqualTo(TreePhase.MERGING);
  }
}
