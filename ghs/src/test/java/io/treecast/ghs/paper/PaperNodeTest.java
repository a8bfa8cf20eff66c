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
    void connectsOverTheLightestLinkAtOnce() {
      NodeFixture n = new NodeFixture("a", "b").wake();

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().branches()).containsExactly(AN);
      assertThat(n.node().fragment()).isNull();
    }

    @Test
    void happensOnce() {
      NodeFixture n = new NodeFixture("a").wake().wake();

      assertThat(n.effects()).containsExactly("a: Connect(0)");
    }

    @Test
    void ofALoneNodeIsTheEnd() {
      NodeFixture n = new NodeFixture().wake();

      assertThat(n.effects()).containsExactly("halted: root n, level 0, []");
      assertThat(n.node().halted()).isTrue();
    }

    @Test
    void followsFromConnect() {
      NodeFixture n = new NodeFixture("a", "b").connect("b", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().awake()).isTrue();
    }

    @Test
    void followsFromTest() {
      NodeFixture n = new NodeFixture("a", "b").test("b", 1, FAR);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
    }
  }

  @Nested
  class Connect {
    @Test
    void overTheLinkThatThisNodeChoseMerges() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("a", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)", "a: Initiate(1, a-n@1us, Find)");
      assertThat(n.node().level()).as("until the other end's Initiate").isZero();
    }

    @Test
    void ofEqualLevelOverAnotherLinkWaits() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("b", 0);

      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().deferredCount()).isEqualTo(1);
      assertThat(n.node().branches()).containsExactly(AN);
    }

    @Test
    void thatWaitedIsAbsorbedWhenThisFragmentOutgrowsIt() {
      NodeFixture n = new NodeFixture("a", "b").wake().connect("b", 0).connect("a", 0);
      n.effects();

      n.initiate("a", 1, AN);

      assertThat(n.effects()).as("no Test needed").containsExactly("b: Initiate(1, a-n@1us, Find)");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void ofLowerLevelDuringTheSearchIsAbsorbedAndAwaited() {
      NodeFixture n = searching("a", "b", "c");

      n.connect("c", 0);
      assertThat(n.effects()).containsExactly("c: Initiate(1, a-n@1us, Find)");

      n.accept("b");
      assertThat(n.effects()).as("c has not reported").isEmpty();
      n.report("c", link("c", "d", 1));
      assertThat(n.effects()).containsExactly("a: Report(c-d@1us)");
    }

    @Test
    void ofLowerLevelAfterTheSearchIsAbsorbedWithoutOne() {
      NodeFixture n = searching("a", "b", "c").accept("b");
      n.effects();

      n.connect("c", 0);

      assertThat(n.effects()).containsExactly("c: Initiate(1, a-n@1us, Found)");
      assertThat(n.node().branches()).containsExactly(AN, CN);
    }
  }

  @Nested
  class Initiate {
    @Test
    void goesOnOverTheOtherBranchesAndStartsTheSearch() {
      NodeFixture n = absorbedChild("a", "b", "c");

      n.initiate("a", 2, FAR);

      assertThat(n.effects())
          .containsExactly("b: Initiate(2, x-y@9us, Find)", "c: Test(2, x-y@9us)");
      assertThat(n.node().level()).isEqualTo(2);
      assertThat(n.node().fragment()).isEqualTo(FAR);
      assertThat(n.node().inBranch()).isEqualTo(AN);
      assertThat(n.node().phase()).isEqualTo(PaperMessage.Phase.FIND);
    }

    @Test
    void withoutSearchOnlyNamesTheFragment() {
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
    void ofAnotherFragmentIsAccepted() {
      NodeFixture n = searching("a", "b", "c");

      n.test("c", 1, FAR);

      assertThat(n.effects()).containsExactly("c: Accept");
    }

    @Test
    void ofTheSameFragmentIsRejectedAndTheLinkIsNeverTested() {
      NodeFixture n = searching("a", "b", "c", "d");

      n.test("c", 1, AN);
      assertThat(n.effects()).containsExactly("c: Reject");

      n.reject("b");
      assertThat(n.effects()).as("c is left out").containsExactly("d: Test(1, a-n@1us)");
    }

    @Test
    void thatCrossesThisNodesOwnIsTheAnswerToIt() {
      NodeFixture n = searching("a", "b", "c");

      n.test("b", 1, AN);

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1us)");
    }

    @Test
    void ofAHigherLevelWaitsUntilThisNodeReachesIt() {
      NodeFixture n = new NodeFixture("a", "b").wake().test("b", 2, FAR);
      assertThat(n.effects()).containsExactly("a: Connect(0)");
      assertThat(n.node().deferredCount()).isEqualTo(1);

      n.initiateFound("a", 2, link("x", "z", 9));

      assertThat(n.effects()).containsExactly("b: Accept");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void thatWaitedAndComesFromTheFragmentThatAbsorbedThisNodeLeavesTheBranchABranch() {
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
    void acceptEndsTheSearchOfThisNode() {
      NodeFixture n = searching("a", "b", "c").accept("b");

      assertThat(n.effects()).containsExactly("a: Report(b-n@2us)");
      assertThat(n.node().phase()).isEqualTo(PaperMessage.Phase.FOUND);
    }

    @Test
    void rejectMovesOnToTheNextLink() {
      NodeFixture n = searching("a", "b", "c").reject("b");

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1us)");
    }

    @Test
    void rejectOfTheLastLinkReportsThatThereIsNone() {
      NodeFixture n = searching("a", "b").reject("b");

      assertThat(n.effects()).containsExactly("a: Report(none)");
    }

    @Test
    void rejectOverALinkThatBecameABranchLeavesItOne() {
      NodeFixture n = searching("a", "b", "c").connect("b", 0);
      n.effects();

      n.reject("b");

      assertThat(n.effects()).containsExactly("c: Test(1, a-n@1us)");
      assertThat(n.node().branches()).containsExactly(AN, BN);
    }
  }

  @Nested
  class Report {
    @Test
    void passesOnTheLightestOfOwnAndReported() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.effects();

      n.accept("c");
      assertThat(n.effects()).isEmpty();
      n.report("b", link("b", "d", 7));

      assertThat(n.effects()).containsExactly("a: Report(c-n@3us)");
    }

    @Test
    void ofNoOutgoingEdgeListsTheBranchesBelow() {
      NodeFixture n = absorbedChild("a", "b").initiate("a", 2, FAR);
      n.effects();

      n.reportNone("b", link("b", "d", 7));

      assertThat(n.effects()).containsExactly("a: Report(none; below: b-n@2us b-d@7us)");
    }

    @Test
    void forgetsTheBranchesOfAnEarlierRound() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.reportNone("b", link("b", "d", 7)).accept("c");
      n.effects();

      n.initiate("a", 3, link("x", "z", 10)).reject("c").reportNone("b");

      assertThat(n.effects()).last().isEqualTo("a: Report(none; below: b-n@2us)");
    }

    @Test
    void ofTheOtherEndOfTheCoreWaitsForThisEndsOwn() {
      NodeFixture n = searching("a", "b").report("a", link("a", "d", 7));

      assertThat(n.effects()).isEmpty();
      assertThat(n.node().deferredCount()).isEqualTo(1);

      n.accept("b");
      assertThat(n.effects()).containsExactly("a: Report(b-n@2us)", "b: Connect(1)");
      assertThat(n.node().deferredCount()).isZero();
    }

    @Test
    void ofALighterEdgeAtTheOtherEndOfTheCoreLeavesTheNextStepToIt() {
      NodeFixture n = searching("a", "b").accept("b");
      n.effects();

      n.report("a", link("a", "d", 1));

      assertThat(n.effects()).isEmpty();
    }

    @Test
    void ofNoneAtBothEndsOfTheCoreIsTheEndAndTheWholeTreeIsKnown() {
      NodeFixture n = searching("a", "b").connect("b", 0);
      n.reject("b").reportNone("b", link("b", "e", 6));
      n.effects();

      n.reportNone("a", link("a", "d", 5));

      assertThat(n.effects())
          .containsExactly("halted: root a, level 1, [a-n@1us, b-n@2us, a-d@5us, b-e@6us]");
      assertThat(n.node().halted()).isTrue();
    }
  }

  @Nested
  class Counts {
    @Test
    void areOfTheMessagesSent() {
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
    void goesOnTowardsTheMinimumOutgoingEdge() {
      NodeFixture n = absorbedChild("a", "b").initiate("a", 2, FAR).report("b", link("b", "d", 7));
      n.effects();

      n.changeRoot("a");

      assertThat(n.effects()).containsExactly("b: ChangeRoot");
      assertThat(n.node().inBranch()).as("the core moved past this node").isEqualTo(BN);
    }

    @Test
    void connectsWhereTheMinimumOutgoingEdgeIs() {
      NodeFixture n = absorbedChild("a", "b", "c").initiate("a", 2, FAR);
      n.accept("c").report("b", link("b", "d", 7));
      n.effects();

      n.changeRoot("a");

      assertThat(n.effects()).containsExactly("c: Connect(2)");
      assertThat(n.node().branches()).containsExactly(AN, BN, CN);
    }
  }

  @Test
  void whatIsServedLateMayFreeWhatCameEarlier() {
    NodeFixture n = new NodeFixture("a", "b", "c").wake().test("c", 2, FAR).connect("b", 0);
    assertThat(n.node().deferredCount()).isEqualTo(2);
    n.effects();

    n.initiateFound("a", 1, link("x", "z", 8));

    assertThat(n.effects()).as("not only the first may be served").hasSize(1);
    assertThat(n.node().deferredCount()).isEqualTo(1);
  }

  @Test
  void twoLinksToOneNeighbourAreRefused() {
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
        .hasMessage("node n has two links to a: a-n@1us, a-n@7us");
  }

  @Test
  void itsTextTellsItsState() {
    NodeFixture n = new NodeFixture("a", "b");
    assertThat(n.node()).hasToString("n: asleep");
    n.wake().connect("b", 0);
    assertThat(n.node())
        .hasToString("n: level 0, FOUND, in-branch a-n@1us, branches [a-n@1us], 1 waiting");
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
