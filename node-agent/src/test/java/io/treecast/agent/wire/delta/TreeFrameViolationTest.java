package io.treecast.agent.wire.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.Echo;
import io.treecast.proto.v1.FragmentTree;
import io.treecast.proto.v1.NumberedLink;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames of the tree that no agent sends, and what is said about them. They arrive on a stream that
 * one tree has crossed in the same direction: b is the root of a, c and d.
 */
class TreeFrameViolationTest {
  private static final long OWN = 2;

  private static Commit commit(long number) {
    List<LinkWeight> edges =
        Stream.of("a", "c", "d")
            .map(name -> LinkWeight.between(NodeId.of("b"), NodeId.of(name), 7))
            .toList();
    Round round = new Round(new FragmentId(new Rank(1, 0), NodeId.of("b"), 1, 1), number);
    return new Commit(
        new ConnectId(NodeId.of("b"), 1, 1),
        new CommittedView(round, new CommittedTree(number, NodeId.of("b"), edges), Set.of()),
        false);
  }

  private static io.treecast.proto.v1.FragmentId.Builder fragment() {
    return io.treecast.proto.v1.FragmentId.newBuilder().setEpoch(1).setIncarnation(1).setNumber(1);
  }

  private static Arguments refused(String reason, Consumer<ControlFrame.Builder> content) {
    return Arguments.of(reason, content);
  }

  private static FragmentTree.Builder added(long... numbers) {
    FragmentTree.Builder tree = FragmentTree.newBuilder();
    for (long number : numbers) {
      tree.addAddedEdges(number);
    }
    return tree;
  }

  private static Consumer<ControlFrame.Builder> echo(Echo.Builder echo) {
    return frame -> frame.setBaseTree(OWN).getReportBuilder().setEcho(echo);
  }

  private static Consumer<ControlFrame.Builder> answers(long... numbers) {
    Echo.Builder echo = Echo.newBuilder().setIsWholeFragment(true);
    for (long number : numbers) {
      echo.addAnswers(number);
    }
    return echo(echo);
  }

  private static Consumer<ControlFrame.Builder> changeRoot(FragmentTree.Builder tree) {
    return frame -> frame.setBaseTree(OWN).getChangeRootBuilder().setTree(tree);
  }

  private static Consumer<ControlFrame.Builder> names(String names) {
    return frame -> frame.setBaseTree(OWN).setNames(names).getWakeBuilder();
  }

  private static String manyNames() {
    return IntStream.rangeClosed(0, NodeTable.MAX_NAMES)
        .mapToObj(number -> "x" + number)
        .collect(Collectors.joining(","));
  }

  private static NumberedLink link(long rttMicros, int low, int high) {
    return NumberedLink.newBuilder().setCost(rttMicros).setLow(low).setHigh(high).build();
  }

  static Stream<Arguments> frames() {
    return Stream.of(
        refused("base tree 4, which is not among", f -> f.setBaseTree(4).getWakeBuilder()),
        refused("base tree 3, which is not among", f -> f.setBaseTree(3).getWakeBuilder()),
        refused("base tree 1, which is not among", f -> f.setBaseTree(1).getWakeBuilder()),
        refused("base tree 18446744073709551614", f -> f.setBaseTree(-2).getWakeBuilder()),
        refused("1 trees received, after 0 and of 0", f -> f.setTreesReceived(1).getWakeBuilder()),
        refused("neither a fragment nor a base", ControlFrame.Builder::getFragmentHelloBuilder),
        refused("neither a round nor a base", ControlFrame.Builder::getCutOrderBuilder),
        refused("node id: ", names("e f")),
        refused("node id: ", names(",")),
        refused("node id f is out of order", names("g,f")),
        refused("node id e is out of order", names("e,e")),
        refused("node id c is already in the base", names("c")),
        refused("more than 10008 node ids", names(manyNames())),
        refused(
            "node number 4; allowed are 0 to 3",
            f -> f.setBaseTree(OWN).getCutBuilder().getEdgeBuilder().setSender(4)),
        refused(
            "node number 4294967295; allowed are 0 to 3",
            f -> f.setBaseTree(OWN).getCutBuilder().getEdgeBuilder().setSender(-1)),
        refused(
            "epoch 18446744073709551615; allowed are 0 to",
            f -> f.setBaseTree(OWN).getFragmentHelloBuilder().getFragmentBuilder().setEpoch(-1)),
        refused(
            "level is 4294967295; allowed are 0 to 62",
            f -> f.setBaseTree(OWN).getFragmentHelloBuilder().getFragmentBuilder().setLevel(-1)),
        // It could not be counted on from there.
        refused(
            "level is 2147483647; allowed are 0 to 62",
            f ->
                f.setBaseTree(OWN)
                    .getInitiateBuilder()
                    .getRoundBuilder()
                    .getFragmentBuilder()
                    .setLevel(Integer.MAX_VALUE)),
        refused(
            "level is 63; allowed are 0 to 62",
            f -> f.setBaseTree(OWN).getFragmentHelloBuilder().getFragmentBuilder().setLevel(63)),
        refused(
            "FAILURE: low end b is not lower than high end a",
            f -> f.setBaseTree(OWN).getFailureBuilder().setHigh(1)),
        refused(
            "CUT_ORDER: cost is 0",
            f -> f.setBaseTree(OWN).getCutOrderBuilder().setLighterLink(link(0, 1, 0))),
        refused(
            "run of 5 from 0 on, of 4",
            f -> f.setBaseTree(OWN).getInitiateBuilder().addMembers(5).addMembers(1)),
        refused(
            "run of 2147483647 from 1 on, of 4",
            f ->
                f.setBaseTree(OWN)
                    .getInitiateBuilder()
                    .addMembers(1)
                    .addMembers(Integer.MAX_VALUE)),
        refused(
            "run of 4294967295 from 0 on",
            f -> f.setBaseTree(OWN).getInitiateBuilder().addMembers(-1).addMembers(1)),
        refused(
            "run of 0 from 2 on",
            f -> f.setBaseTree(OWN).getInitiateBuilder().addAllMembers(List.of(1, 1, 0, 1))),
        refused(
            "the last run is of numbers that are not in the set",
            f -> f.setBaseTree(OWN).getInitiateBuilder().addMembers(1)),
        refused("edge to 4 nodes further", changeRoot(added(0, 4, 1))),
        refused("edge to 18446744073709551615 nodes further", changeRoot(added(-1, 1, 1))),
        refused("node number 5; allowed are 0 to 3", changeRoot(added(3, 2, 1))),
        refused("2 numbers, where each edge takes three", changeRoot(added(1, 1))),
        refused("CHANGE_ROOT: low end", changeRoot(added(1, 0, 9))),
        refused("5 tree edges between 4 members", changeRoot(added(1, 1, 9, 0, 2, 9))),
        refused(
            "version 18446744073709551615; allowed are 0 to",
            f -> f.setBaseTree(OWN).getChangeRootBuilder().getHistoryBuilder().setVersion(-1)),
        refused(
            "neither a tree nor a base",
            f ->
                f.setNames("b,c")
                    .getReportBuilder()
                    .setRound(io.treecast.proto.v1.Round.newBuilder().setFragment(fragment()))
                    .setEcho(Echo.newBuilder().setIsWholeFragment(true).setTree(added(0, 1, 9)))
                    .getHistoryBuilder()
                    .setAllHaveBase(true)),
        refused(
            "node number 4; allowed are 0 to 3",
            f -> f.setBaseTree(OWN).getChangeRootBuilder().getHistoryBuilder().setCommonRoot(4)),
        refused(
            "node number 4; allowed are 0 to 3",
            f -> f.setBaseTree(OWN).getCommitBuilder().setVersion(9).setFragmentRoot(4)),
        refused(
            "an unknown cause of change",
            f -> f.setBaseTree(OWN).getCommitBuilder().setVersion(9).addCausesValue(77)),
        refused(
            "the cause CHANGE_CAUSE_LIGHTER_LINK twice",
            f ->
                f.setBaseTree(OWN)
                    .getCommitBuilder()
                    .setVersion(9)
                    .addCausesValue(4)
                    .addCausesValue(4)),
        refused(
            "COMMIT: tree version 0 is less than 1", f -> f.setBaseTree(OWN).getCommitBuilder()),
        refused(
            "COMMIT: 4 edges between 4 nodes are not one tree",
            f -> f.setBaseTree(OWN).getCommitBuilder().setVersion(9).setTree(added(1, 1, 9))),
        refused(
            "which differ from the members sent with it",
            f -> f.setBaseTree(OWN).setNames("e").getCommitBuilder().setVersion(9)),
        refused("top 4 of 4 members", echo(Echo.newBuilder().setTop(4))),
        refused("top 4294967295 of 4 members", echo(Echo.newBuilder().setTop(-1))),
        refused("echo of b without the edge to its parent", echo(Echo.newBuilder())),
        refused(
            "REPORT: the parent edge of b is c-d",
            echo(Echo.newBuilder().setParentEdge(link(5, 2, 3)))),
        refused(
            "echo of 4 members and 4 edges, which are not one tree",
            echo(Echo.newBuilder().setTree(added(1, 1, 9)).setIsWholeFragment(true))),
        refused(
            "echo of 4 members and 3 edges, which are not one tree",
            echo(
                Echo.newBuilder()
                    .setIsWholeFragment(true)
                    .setTree(added(1, 1, 9).addRemovedEdges(3).addRemovedEdges(1)))),
        refused(
            "to a node outside of it",
            echo(
                Echo.newBuilder()
                    .setIsWholeFragment(true)
                    .setTree(added(1, 1, 9).addMembers(0).addMembers(2)))),
        refused("2 numbers, where each answer takes three", answers(1, 1)),
        refused("echo with an answer of c without a parent", answers(0, 0, 0, 2, 0, 5)),
        refused("echo with missing answers", answers(0, 1, 0)),
        refused("18446744073709551615 answers below b, of 1", answers(0, -1, 0)),
        refused("REPORT: cost is 0", answers(0, 1, 0, 2, 0, 0)),
        refused("allowed are 20000 answers", answers(new long[3 * 20_001])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("frames")
  void a_frame_that_no_agent_sends_is_refused(String reason, Consumer<ControlFrame.Builder> content)
      throws Exception {
    TreeCodec codec = new TreeCodec(TreeSharing.NONE);
    codec.decode(new TreeCodec(TreeSharing.NONE).encode(commit(1)));
    ControlFrame.Builder frame = ControlFrame.newBuilder();
    content.accept(frame);
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> codec.decode(frame.build()))
        .withMessageContaining(reason);
  }

  @Test
  void a_tree_that_is_not_among_the_last_ones_cannot_be_a_base() throws Exception {
    TreeCodec near = new TreeCodec(TreeSharing.NONE);
    TreeCodec far = new TreeCodec(TreeSharing.NONE);
    for (int number = 1; number <= TreeBook.RECENT_TREES + 1; number++) {
      far.decode(near.encode(commit(number)));
      near.decode(far.encode(new Wake(commit(number).view().round())));
    }
    ControlFrame second = ControlFrame.newBuilder().setBaseTree(2 * 2).setNames("").build();
    assertThat(far.decode(second.toBuilder().setWake(wake()).build())).isInstanceOf(Wake.class);
    ControlFrame first = ControlFrame.newBuilder().setBaseTree(2 * 1).build();
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> far.decode(first.toBuilder().setWake(wake()).build()))
        .withMessageContaining(" 2,");
  }

  private static io.treecast.proto.v1.Wake wake() {
    return io.treecast.proto.v1.Wake.getDefaultInstance();
  }

  @Test
  void a_sender_that_hears_nothing_back_stops_making_bases() {
    TreeCodec near = new TreeCodec(TreeSharing.NONE);
    for (int number = 1; number <= 3 * TreeBook.RECENT_TREES; number++) {
      assertThat(near.encode(commit(number)).getCommit().getIsNotKept())
          .isEqualTo(number > TreeBook.RECENT_TREES);
    }
  }
}
