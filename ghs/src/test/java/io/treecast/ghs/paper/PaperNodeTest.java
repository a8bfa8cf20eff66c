package io.treecast.ghs.paper;

import static io.treecast.ghs.paper.NodeFixture.link;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each response of the paper's appendix, at one node n. Its neighbour a is the nearest. */
class PaperNodeTest {
  private static final LinkWeight AN = link("a", "n", 1);
  private static final LinkWeight BN = link("b", "n", 2);
  private static final LinkWeight CN = link("c", "n", 3);

  /** The core of a fragment that n is not an end of. */
  private static final LinkWeight FAR = link("x", "y", 9);

  @Nested
  class WakingUp {
    @Test
    void connects_over_the_lightest_link_at_once() {
      NodeFixture n = new NodeFixture("a", "b").wake();

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().branches()).containsExactly(AN);
      assertThat(n.node().fragment()).isNull();
    }

    @Test
    void happens_once() {
      NodeFixture n = new NodeFixture("a").wake().wake();

      assertThat(n.effects()).containsExactly("a: Connect(0)");
    }

    @Test
    void waking_a_lone_node_halts_it() {
      NodeFixture n = new NodeFixture().wake();

      assertThat(n.effects()).containsExactly("halted: root n, level 0, []");
      assertThat(n.node().halted()).isTrue();
    }

    @Test
    void follows_from_connect() {
      NodeFixture n = new NodeFixture("a", "b").connect("b", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().awake()).isTrue();
    }

    @Test
    void follows_from_test() {
      NodeFixture n = new NodeFixture("a", "b").test("b", 1, FAR);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
    }
  }

  @Nested
  class Connect {
    @Test
    void a_connect_over_the_link_that_this_node_chose_merges() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("a", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)", "a: Initiate(1, a-n@1, Find)");
      assertThat(n.node().level()).as("until the other end's Initiate").isZero();
    }

    @Test
    void a_connect_of_equal_level_over_another_link_waits() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("b", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().deferredCount()).isEqualTo(1);
      assertThat(n.node().branches()).containsExactly(AN);
    }

    @Test
    void a_waiting_connect_is_absorbed_when_this_fragment_outgrows_it() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("b", 0).connect("a", 0);
      n.effects();

      n.initiate("a", 1, AN);

      assertThat(n.effects()).as("no Test needed").containsExactly("b: Initiate(1, a-n@1, Find)");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void a_connect_of_lower_level_during_the_search_is_absorbed_and_awaited() {
      NodeFixture n = searching("a", "b", "c");

      n.connect("c", 0);
      assertThat(n.effects()).containsExactly("c: Initiate(1, a-n@1, Find)");

      n.accept("b");
      assertThat(n.effects()).as("c has not reported").isEmpty();
      n.report("c", link("c", "d", 1));
      assertThat(n.effects()).containsExactly("a: Report(c-d@1)");
    }

    @Test
    void a_connect_of_lower_level_after_the_search_is_absorbed_without_one() {
      NodeFixture n = searching("a", "b", "c").accept("b");
      n.effects();

      n.connect("c", 0);

      assertThat(n.effects()).containsExactly("c: Initiate(1, a-n@1, Found)");
      assertThat(n.node().branches()).containsExactly(AN, CN);
    }
  }

  @Nested
  class Initiate {
    @Test
    void goes_on_over_the_other_branches_and_starts_the_search() {
      NodeFixture n = absorbedChild("a", "b", "c");

      n.initiate("a", 2, FAR);

      assertThat(n.effects()).containsExactly("b: Initiate(2, x-y@9, Find)", "c: Test(2, x-y@9)");
      assertThat(n.node().level()).isEqualTo(2);
      assertThat(n.node().fragment()).isEqualTo(FAR);
      assertThat(n.node().inBranch()).isEqualTo(AN);
      assertThat(n.node().phase()).isEqualTo(PaperMessage.Phase.FIND);
    }

    @Test
    void without_search_only_names_the_fragment() {
      NodeFixture n = new NodeFixture("a", "b").wake();
      n.effects();

      n.initiateFound("a", 3, FAR);

      assertThat(n.effects()).isEmpty();
      assertThat(n.node().level()).isEqualTo(3);
      assertThat(n.node().phase()).isEqualTo(PaperMessage.Phase.FOUND);
    }
  }

  @Nested
  class TestMessage {
    @Test
    void a_test_of_another_fragment_is_accepted() {
      NodeFixture n = searching("a", "b", "c");

      n.test("c", 1, FAR);

      assertThat(n.effects()).containsExactly("c: Accept");
    }

    @Test
    void a_test_of_the_same_fragment_is_rejected_and_the_link_is_never_tested() {
      NodeFixture n = searching("a", "b", "c", "d");

      n.test("c", 1, AN);
      assertThat(n.effects()).containsExactly("c: Reject");

      n.reject("b");
      assertThat(n.effects()).as("c is left out").containsExactly("d: Test(1, a-n@1)");
    }

    @Test
    void a_test_that_crosses_this_nodes_own_is_its_answer() {
      NodeFixture n = searching("a", "b", "c");

      n.test("b", 1, AN);

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1)");
    }

    @Test
    void a_test_of_a_higher_level_waits_until_this_node_reaches_it() {
      NodeFixture n = new NodeFixture("a", "b").wake().test("b", 2, FAR);
      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().deferredCount()).isEqualTo(1);

      n.initiateFound("a", 2, link("x", "z", 9));

      assertThat(n.effects()).containsExactly("b: Accept");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void
        that_waited_and_comes_from_the_fragment_that_absorbed_this_node_leaves_the_branch_a_branch() {
      NodeFixture n = new NodeFixture("a", "b").wake().test("a", 1, FAR);
      n.effects();

      n.initiateFound("a", 1, FAR);

      assertThat(n.effects()).containsExactly("a: Reject");
      assertThat(n.node().branches()).containsExactly(AN);
    }
  }

  @Nested
  class Answers {
    @Test
    void accept_ends_the_search_of_this_node() {
      NodeFixture n = searching("a", "b", "c").accept("b");

      assertThat(n.effects()).containsExactly("a: Report(b-n@2)");
      assertThat(n.node().phase()).isEqualTo(PaperMessage.Phase.FOUND);
    }

    @Test
    void reject_moves_on_to_the_next_link() {
      NodeFixture n = searching("a", "b", "c").reject("b");

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1)");
    }

    @Test
    void reject_of_the_last_link_reports_no_outgoing_edge() {
      NodeFixture n = searching("a", "b").reject("b");

      assertThat(n.effects()).containsExactly("a: Report(none)");
    }

    @Test
    void reject_over_a_link_that_became_a_branch_leaves_it_a_branch() {
      NodeFixture n = searching("a", "b", "c").connect("b", 0);
      n.effects();

      n.reject("b");

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1)");
      assertThat(n.node().branches()).containsExactly(AN, BN);
    }
  }

  @Nested
  class Report {
    @Test
    void passes_on_the_lightest_of_own_and_reported() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.effects();

      n.accept("c");
      assertThat(n.effects()).isEmpty();
      n.report("b", link("b", "d", 7));

      assertThat(n.effects()).containsExactly("a: Report(c-n@3)");
    }

    @Test
    void a_report_without_an_outgoing_edge_lists_the_branches_below() {
      NodeFixture n = absorbedChild("a", "b").initiate("a", 2, FAR);
      n.effects();

      n.reportNone("b", link("b", "d", 7));

      assertThat(n.effects()).containsExactly("a: Report(none; below: b-n@2 b-d@7)");
    }

    @Test
    void forgets_the_branches_of_an_earlier_round() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.reportNone("b", link("b", "d", 7)).accept("c");
      n.effects();

      n.initiate("a", 3, link("x", "z", 10)).reject("c").reportNone("b");

      assertThat(n.effects()).last().isEqualTo("a: Report(none; below: b-n@2)");
    }

    @Test
    void a_report_of_the_other_end_of_the_core_waits_for_this_ends_own() {
      NodeFixture n = searching("a", "b").report("a", link("a", "d", 7));

      assertThat(n.effects()).isEmpty();
      assertThat(n.node().deferredCount()).isEqualTo(1);

      n.accept("b");
      assertThat(n.effects()).containsExactly("a: Report(b-n@2)", "b: Connect(1)");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void a_lighter_report_at_the_other_end_of_the_core_leaves_the_next_step_to_it() {
      NodeFixture n = searching("a", "b").accept("b");
      n.effects();

      n.report("a", link("a", "d", 1));

      assertThat(n.effects()).isEmpty();
    }

    @Test
    void two_reports_without_an_edge_at_the_core_end_the_run_with_the_whole_tree() {
      NodeFixture n = searching("a", "b").connect("b", 0);
      n.reject("b").reportNone("b", link("b", "e", 6));
      n.effects();

      n.reportNone("a", link("a", "d", 5));

      assertThat(n.effects())
          .containsExactly("halted: root a, level 1, [a-n@1, b-n@2, a-d@5, b-e@6]");
      assertThat(n.node().halted()).isTrue();
    }
  }

  @Nested
  class Counts {
    @Test
    void counts_cover_the_messages_sent() {
      PaperNode node = new NodeFixture("a", "b").wake().connect("a", 0).initiate("a", 1, AN).node();

      assertThat(PaperMessage.Kind.values())
          .extracting(node::sent)
          .containsExactly(1L, 1L, 1L, 0L, 0L, 0L, 0L);
      assertThat(node.sent()).isEqualTo(3);
    }
  }

  @Nested
  class ChangeRoot {
    @Test
    void goes_on_towards_the_minimum_outgoing_edge() {
      NodeFixture n = absorbedChild("a", "b").initiate("a", 2, FAR).report("b", link("b", "d", 7));
      n.effects();

      n.changeRoot("a");

      assertThat(n.effects()).containsExactly("b: ChangeRoot");
      assertThat(n.node().inBranch()).as("the core moved past this node").isEqualTo(BN);
    }

    @Test
    void connects_where_the_minimum_outgoing_edge_is() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.accept("c").report("b", link("b", "d", 7));
      n.effects();

      n.changeRoot("a");

      assertThat(n.effects()).containsExactly("c: Connect(2)");
      assertThat(n.node().branches()).containsExactly(AN, BN, CN);
    }
  }

  @Test
  void a_message_served_late_may_release_an_earlier_one() {
    NodeFixture n = new NodeFixture("a", "b", "c").wake().test("c", 2, FAR).connect("b", 0);
    assertThat(n.node().deferredCount()).isEqualTo(2);
    n.effects();

    n.initiateFound("a", 1, link("x", "z", 8));

    assertThat(n.effects()).as("not only the first may be served").hasSize(1);
    assertThat(n.node().deferredCount()).isEqualTo(1);
  }

  @Test
  void two_links_to_one_neighbour_are_refused() {
    assertThatThrownBy(
            () ->
                new PaperNode(
                    NodeId.of("n"),
                    List.of(AN, link("a", "n", 7)),
                    new PaperNode.Effects() {
                      @Override
                      public void send(NodeId neighbour, PaperMessage message) {}

                      @Override
                      public void halted(NodeId root, int level, List<LinkWeight> branches) {}
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("a-n@1", "a-n@7");
  }

  @Test
  void the_text_of_a_node_shows_its_state() {
    NodeFixture n = new NodeFixture("a", "b");
    assertThat(n.node()).hasToString("n: asleep");
    n.wake().connect("b", 0);
    assertThat(n.node())
        .hasToString("n: level 0, FOUND, in-branch a-n@1, branches [a-n@1], 1 waiting");
  }

  /** An end of the core a-n, at level 1, that has just sent Test to b. */
  private static NodeFixture searching(String... neighbours) {
    NodeFixture n = new NodeFixture(neighbours).wake().connect("a", 0).initiate("a", 1, AN);
    n.effects();
    return n;
  }

  /** Level 1, in-branch a, and b below it; its core is elsewhere. */
  private static NodeFixture absorbedChild(String... neighbours) {
    NodeFixture n = new NodeFixture(neighbours).wake().initiateFound("a", 1, link("x", "z", 8));
    n.connect("b", 0);
    n.effects();
    return n;
  }
}
