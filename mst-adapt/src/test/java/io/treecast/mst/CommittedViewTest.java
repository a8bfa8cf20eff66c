package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Committed trees as values, and the numbers of their members. */
class CommittedViewTest {
  private static final Round ROUND =
      new Round(new FragmentId(Rank.LOWEST, NodeId.of("c"), 0, 1), 1);

  private static LinkWeight edge(String one, String other, long rttMicros) {
    return LinkWeight.between(NodeId.of(one), NodeId.of(other), rttMicros);
  }

  private static CommittedView view(LinkWeight... edges) {
    return new CommittedView(ROUND, new CommittedTree(1, NodeId.of("c"), List.of(edges)), Set.of());
  }

  @Test
  void members_are_numbered_from_the_root_each_before_those_below_it() {
    CommittedView view =
        view(edge("c", "d", 9), edge("b", "c", 8), edge("b", "e", 7), edge("a", "b", 6));

    assertThat(IntStream.range(0, view.size()).mapToObj(view::member))
        .extracting(NodeId::toString)
        .containsExactly("c", "b", "a", "e", "d");
    assertThat(view.number(NodeId.of("e"))).isEqualTo(3);
    assertThat(view.number(NodeId.of("f"))).isEqualTo(-1);
    assertThat(view.parent(NodeId.of("e"))).isEqualTo(NodeId.of("b"));
    assertThat(view.parentEdge(NodeId.of("e"))).isEqualTo(edge("b", "e", 7));
    assertThat(view.parent(NodeId.of("c"))).isNull();
    assertThat(view.parentNumber(3)).isEqualTo(1);
    assertThat(view.parentEdge(3)).isEqualTo(edge("b", "e", 7));
    assertThat(view.parentNumber(0)).isEqualTo(-1);
    assertThat(view.parentEdge(0)).isNull();
    assertThat(view.members())
        .extracting(NodeId::toString)
        .containsExactly("c", "b", "a", "e", "d");
  }

  @Test
  void a_view_has_an_edge_only_with_its_weight() {
    CommittedView view = view(edge("c", "d", 9), edge("b", "c", 8));

    assertThat(view.hasEdge(edge("d", "c", 9))).isTrue();
    assertThat(view.hasEdge(edge("c", "d", 8))).isFalse();
    assertThat(view.hasEdge(edge("b", "d", 9))).isFalse();
    assertThat(view.hasEdge(edge("d", "e", 9))).isFalse();
  }

  @Test
  void a_view_consists_of_its_edges_in_any_order_each_once() {
    CommittedView view = view(edge("c", "d", 9), edge("b", "c", 8));

    assertThat(view.consistsOf(List.of(edge("c", "d", 9), edge("b", "c", 8)))).isTrue();
    assertThat(view.consistsOf(List.of(edge("b", "c", 8), edge("c", "d", 9)))).isTrue();
    assertThat(view.consistsOf(List.of(edge("b", "c", 8)))).isFalse();
    assertThat(view.consistsOf(List.of(edge("b", "c", 8), edge("b", "c", 8)))).isFalse();
    assertThat(view.consistsOf(List.of(edge("b", "c", 8), edge("c", "d", 7)))).isFalse();
  }

  @Test
  void views_are_equal_if_round_tree_and_causes_are() {
    CommittedView view = view(edge("b", "c", 8), edge("c", "d", 9));

    assertThat(view)
        .isEqualTo(view(edge("c", "d", 9), edge("b", "c", 8)))
        .hasSameHashCodeAs(view(edge("c", "d", 9), edge("b", "c", 8)))
        .isNotEqualTo(view(edge("c", "d", 9), edge("b", "c", 7)))
        .isNotEqualTo(new CommittedView(ROUND.next(), view.tree(), Set.of()))
        .isNotEqualTo(new CommittedView(ROUND, view.tree(), Set.of(ChangeCause.TREE_LINK_LOST)));
  }

  @Test
  void maps_of_a_fragment_are_equal_whatever_the_order_of_members_and_edges() {
    List<NodeId> members = List.of(NodeId.of("b"), NodeId.of("c"), NodeId.of("d"));
    FragmentMap map =
        FragmentMap.of(
            MemberList.of(members),
            List.of(edge("b", "c", 8), edge("c", "d", 9)),
            new ChangeHistory(1, Set.of()));
    FragmentMap same =
        FragmentMap.of(
            MemberList.of(List.of(members.get(2), members.get(0), members.get(1))),
            List.of(edge("c", "d", 9), edge("b", "c", 8)),
            new ChangeHistory(1, Set.of()));
    FragmentMap heavier =
        FragmentMap.of(
            MemberList.of(members),
            List.of(edge("b", "c", 8), edge("c", "d", 10)),
            new ChangeHistory(1, Set.of()));

    assertThat(map).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(heavier);
  }
}
