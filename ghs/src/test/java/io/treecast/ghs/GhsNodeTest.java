package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One node n, with neighbours a and b. */
class GhsNodeTest {
  private static final NodeId N = NodeId.of("n");
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");
  private static final LinkWeight AN = LinkWeight.between(A, N, 1);
  private static final LinkWeight BN = LinkWeight.between(B, N, 2);

  private final List<TreeMessage> sent = new ArrayList<>();
  private final Member member = new Member(N, 0, (from, to, message) -> sent.add(message));
  private final GhsNode node = member.ghs;

  private Connect connected() {
    member.linkUp(A, 1, AN);
    member.linkUp(B, 1, BN);
    member.start();
    return (Connect) sent.get(0);
  }

  /** Follows a, which takes n in. */
  private Initiate absorbed(Rank rank) throws TreeViolation {
    Round round = new Round(new FragmentId(rank, A, 0, 1), 1);
    Initiate offer =
        new Initiate(connected().id(), round, MemberList.of(List.of(A, N)), new TreeSet<>());
    member.receive(A, offer);
    return offer;
  }

  @Test
  void a_lone_node_is_a_complete_tree() {
    member.start();

    assertThat(member.isComplete()).isTrue();
    assertThat(member.tree())
        .isEqualTo(FragmentMap.of(MemberList.of(N), List.of(), new Member.Answers(1)));
    assertThat(node).hasToString("0.0/n#0.1 round 1, root, children []");
  }

  @Test
  void a_root_connects_over_the_minimum_outgoing_edge() {
    Connect connect = connected();

    assertThat(connect.weight()).isEqualTo(AN);
    assertThat(node.connectingTo()).isEqualTo(A);
    assertThat(node).hasToString("0.0/n#0.1 round 1, root, children [], asked a");
  }

  @Test
  void a_node_absorbed_by_a_higher_rank_reports_its_own_minimum() throws TreeViolation {
    absorbed(new Rank(0, 1));

    assertThat(node.parent()).isEqualTo(A);
    assertThat(node.parentWeight()).isEqualTo(AN);
    assertThat(sent.get(1)).isInstanceOf(Report.class);
    assertThat(((Report) sent.get(1)).best()).isEqualTo(new GhsMessage.OutgoingEdge(BN, B));
  }

  @Test
  void a_parent_of_lower_rank_is_refused() throws TreeViolation {
    Initiate offer = absorbed(new Rank(1, 0));

    assertThatThrownBy(
            () ->
                member.receive(
                    A,
                    new Initiate(
                        offer.edge(),
                        new Round(new FragmentId(new Rank(0, 1), A, 0, 2), 1),
                        offer.members(),
                        new TreeSet<>())))
        .isInstanceOf(TreeViolation.class)
        .hasMessageContaining("0.1");
    assertThat(node.rank()).isEqualTo(new Rank(1, 0));
  }

  @Test
  void suspects_are_left_out_of_the_search_that_names_them() throws TreeViolation {
    Round round = new Round(new FragmentId(new Rank(0, 1), A, 0, 1), 1);
    TreeSet<NodeId> suspects = new TreeSet<>(List.of(B));
    member.linkUp(A, 1, AN);
    member.linkUp(B, 1, BN);
    member.start();
    Connect connect = (Connect) sent.get(0);
    member.receive(A, new Initiate(connect.id(), round, MemberList.of(List.of(A, N)), suspects));

    assertThat(((Report) sent.get(1)).best()).isNull();
    assertThat(node.isSuspect(B)).isTrue();

    node.suspect(A);
    assertThat(node.clearSuspicion(A)).isTrue();
    assertThat(node.clearSuspicion(A)).isFalse();
  }

  @Test
  void two_fragments_that_chose_the_same_edge_merge_into_the_next_level() throws TreeViolation {
    mergeWithA();

    assertThat(node.rank()).isEqualTo(new Rank(0, 1));
    assertThat(node.children()).containsOnlyKeys(A);
    assertThat(sent.get(1)).isInstanceOf(Initiate.class);
    assertThat(node.isSearching()).isTrue();
  }

  @Test
  void an_echo_of_another_node_is_refused() throws TreeViolation {
    mergeWithA();

    assertThatThrownBy(() -> member.receive(A, reportOf(new Subtree(B, BN, List.of()))))
        .isInstanceOf(TreeViolation.class);
    assertThatThrownBy(
            () ->
                member.receive(A, reportOf(new Subtree(A, LinkWeight.between(A, B, 1), List.of()))))
        .isInstanceOf(TreeViolation.class);
    assertThat(node.isSearching()).isTrue();
  }

  private void mergeWithA() throws TreeViolation {
    connected();
    member.receive(
        A,
        new Connect(
            new ConnectId(A, 0, 1),
            new FragmentId(Rank.LOWEST, A, 0, 1),
            AN,
            FragmentMap.alone(A),
            0));
  }

  private Report reportOf(Subtree echo) {
    return new Report(node.round(), null, echo, 0, false, History.NONE);
  }

  @Test
  void misuse_is_an_error() {
    member.start();

    assertThatThrownBy(node::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> node.linkDown(A, false)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> node.linkUp(A, 1, BN)).isInstanceOf(IllegalArgumentException.class);
    member.linkUp(A, 1, AN);
    assertThatThrownBy(() -> node.linkUp(A, 2, AN)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> node.reweigh(B, BN)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new GhsNode(N, -1, member))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
