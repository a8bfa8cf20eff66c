package io.treecast.ghs.paper;

import static io.treecast.ghs.paper.NodeFixture.link;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A message that no correct neighbour sends is refused, and changes nothing. */
class PaperViolationTest {
  private static final LinkWeight AN = link("a", "n", 1);
  private static final LinkWeight FAR = link("x", "y", 9);

  @Test
  void the_text_names_the_refused_message_and_both_nodes() {
    NodeFixture n = new NodeFixture("a", "b").wake();

    assertThatExceptionOfType(PaperViolation.class)
        .isThrownBy(() -> n.accept("b"))
        .withMessageMatching("node n\\b.* Accept\\b.* b\\b.*")
        .satisfies(violation -> assertThat(violation.neighbour()).isEqualTo(NodeId.of("b")));
  }

  @Test
  void a_stranger_is_refused() {
    assertRefused(new NodeFixture("a"), n -> n.connect("z", 0), "not a neighbour");
  }

  @Test
  void a_refused_message_does_not_wake_a_sleeping_node() {
    NodeFixture n = new NodeFixture("a");
    assertRefused(n, m -> m.connect("a", 1), "level 1 is not within 0 to 0");
    assertRefused(n, m -> m.test("a", 0, FAR), "level 0 is not within 1 to 20");
    assertRefused(n, m -> m.initiate("a", 1, FAR), "the core is not behind this link");
    assertThat(n.node().awake()).isFalse();
  }

  @Test
  void levels_have_limits() {
    NodeFixture n = new NodeFixture("a", "b").wake();
    assertRefused(n, m -> m.connect("a", -1), "level -1");
    assertRefused(n, m -> m.test("b", PaperNode.MAX_LEVEL + 1, FAR), "level 21");
    assertRefused(n, m -> m.initiate("a", PaperNode.MAX_LEVEL + 1, FAR), "level 21");
  }

  @Test
  void a_fragment_connects_once() {
    assertRefused(
        new NodeFixture("a", "b").wake().connect("a", 0), n -> n.connect("a", 0), "same fragment");
    assertRefused(
        new NodeFixture("a", "b").wake().connect("b", 0), n -> n.connect("b", 0), "still deferred");
  }

  @Test
  void a_test_is_not_repeated_before_its_answer() {
    assertRefused(
        new NodeFixture("a", "b").wake().test("b", 1, FAR),
        n -> n.test("b", 2, FAR),
        "still deferred");
  }

  @Test
  void a_test_does_not_come_over_a_branch() {
    assertRefused(core("a", "b"), n -> n.test("a", 1, FAR), "same fragment");
  }

  @Test
  void initiate_comes_from_the_core_and_raises_the_level() {
    assertRefused(core("a", "b"), n -> n.initiate("b", 2, FAR), "the core is not behind this link");
    assertRefused(core("a", "b"), n -> n.initiate("a", 2, FAR), "is not over");
    assertRefused(core("a"), n -> n.initiate("a", 1, FAR), "level 1 is not within 2 to 20");
  }

  @Test
  void answers_need_a_test() {
    assertRefused(core("a", "b", "c"), n -> n.accept("c"), "no Test");
    assertRefused(core("a", "b", "c"), n -> n.reject("c"), "no Test");
  }

  @Test
  void reports_are_awaited() {
    assertRefused(core("a", "b"), n -> n.report("b", FAR), "no Report from it is expected");
    assertRefused(
        core("a", "b").report("a", FAR), n -> n.report("a", FAR), "no Report from it is expected");
    assertRefused(
        core("a").reportNone("a"), n -> n.reportNone("a"), "no Report from it is expected");
    assertRefused(
        new NodeFixture("a").wake().initiateFound("a", 1, FAR),
        n -> n.reportNone("a"),
        "no Report from it is expected");
  }

  @Test
  void a_report_lists_branches_only_without_an_outgoing_edge_and_below_the_limit() {
    assertRefused(
        core("a", "b"),
        n -> receive(n, new PaperMessage.Report(FAR, Collections.nCopies(1, AN))),
        "although it names an outgoing edge");
    assertRefused(
        core("a", "b"),
        n ->
            receive(n, new PaperMessage.Report(null, Collections.nCopies(PaperNode.MAX_NODES, AN))),
        "1048576 branches");
  }

  @Test
  void the_core_moves_only_towards_a_reported_edge() {
    assertRefused(core("a", "b"), n -> n.changeRoot("a"), "cannot move over this link");
    assertRefused(core("a", "b"), n -> n.changeRoot("b"), "cannot move over this link");
    NodeFixture leaf = new NodeFixture("a").wake().initiateFound("a", 1, FAR);
    assertRefused(leaf, n -> n.changeRoot("a"), "no outgoing edge was reported");
  }

  private static void receive(NodeFixture n, PaperMessage message) {
    n.node().receive(NodeId.of("a"), message);
  }

  private static void assertRefused(NodeFixture n, Consumer<NodeFixture> event, String reason) {
    n.effects();
    String before = n.node().toString();

    assertThatExceptionOfType(PaperViolation.class)
        .isThrownBy(() -> event.accept(n))
        .withMessageContaining(reason);

    assertThat(n.effects()).isEmpty();
    assertThat(n.node()).hasToString(before);
  }

  /** An end of the core a-n, at level 1. */
  private static NodeFixture core(String... neighbours) {
    return new NodeFixture(neighbours).wake().connect("a", 0).initiate("a", 1, AN);
  }
}
