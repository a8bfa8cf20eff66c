package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.mst.MstMessage.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * One node whose neighbours are played by the test: the mailbox, and rules that a sweep rarely
 * needs.
 */
class AdaptiveTreeTest {
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");
  private static final NodeId Y = NodeId.of("y");
  private static final FragmentId Y_ALONE = new FragmentId(Rank.LOWEST, Y, 0, 1);

  private final List<String> effects = new ArrayList<>();
  private final List<TreeMessage> sent = new ArrayList<>();
  private final List<Set<ChangeCause>> causes = new ArrayList<>();
  private final AdaptiveTree node =
      new AdaptiveTree(
          B,
          0,
          new AdaptiveTree.Effects() {
            @Override
            public void send(NodeId peer, TreeMessage message) {
              effects.add(message.type() + " to " + peer);
              sent.add(message);
            }

            @Override
            public void committed(CommittedTree tree, Set<ChangeCause> why) {
              effects.add("committed " + tree);
              causes.add(why);
            }
          });

  @Test
  void a_lone_node_is_a_tree_at_once() {
    node.start();

    assertThat(effects).containsExactly("committed v1 root b, 0 edges");
    assertThat(causes).containsExactly(Set.of(ChangeCause.MEMBER_STARTED));
    assertThat(node.phase()).isEqualTo(NodePhase.COMMITTED);
  }

  @Test
  void a_node_with_a_link_connects_over_it() {
    startWithLinkTo(A, 5);

    assertThat(effects).containsExactly("Connect to a");
    assertThat(node.phase()).isEqualTo(NodePhase.CONNECTING);
    assertThat(node.connectingTo()).isEqualTo(A);
  }

  @Test
  void two_nodes_that_ask_each_other_and_have_no_other_link_commit_at_once() throws TreeViolation {
    startWithLinkTo(A, 5);
    node.receive(A, connectOf(A, 1, 5));

    assertThat(effects)
        .containsExactly("Connect to a", "Commit to a", "committed v1 root b, 1 edges");
  }

  @Test
  void a_merge_does_not_commit_at_once_if_a_link_came_up_since_the_search() throws TreeViolation {
    startWithLinkTo(A, 5);
    node.linkUp(Y, 2, LinkWeight.between(B, Y, 1));
    node.receive(A, connectOf(A, 1, 5));

    assertThat(effects)
        .containsExactly("Connect to a", "Hello to y", "Cancel to a", "Initiate to a");
    assertThat(node.rank()).isEqualTo(new Rank(0, 1));
  }

  @Test
  void a_newer_connect_of_a_child_waits_until_the_offer_to_its_older_one_is_declined()
      throws TreeViolation {
    node.linkUp(Y, 2, LinkWeight.between(B, Y, 9));
    startWithLinkTo(A, 5);
    node.receive(A, connectOf(A, 1, 5));
    node.receive(Y, connectOf(Y, 1, 9));
    assertThat(node.children()).containsExactly(A, Y);
    effects.clear();

    node.receive(Y, connectOf(Y, 2, 9));
    assertThat(effects).isEmpty();
    assertThat(node.waitingToJoin()).containsExactly(Y);

    node.receive(Y, new Decline(new ConnectId(Y, 0, 1)));
    assertThat(effects).containsExactly("Initiate to y");
    assertThat(((Initiate) sent.get(sent.size() - 1)).edge()).isEqualTo(new ConnectId(Y, 0, 2));
    assertThat(node.waitingToJoin()).isEmpty();
  }

  @Test
  void a_connect_for_an_outdated_weight_is_void() throws TreeViolation {
    startWithLinkTo(Y, 5);
    node.receive(Y, connectOf(Y, 1, 4));

    assertThat(effects).containsExactly("Connect to y", "Nack to y");
  }

  @Test
  void messages_of_an_older_fragment_or_edge_change_nothing() throws TreeViolation {
    startWithLinkTo(Y, 5);
    effects.clear();

    node.receive(Y, new Wake(new Round(Y_ALONE, 1)));
    node.receive(Y, new MstMessage.Failure(Y_ALONE, Edge.between(A, Y), null));
    node.receive(Y, new Cut(new ConnectId(Y, 0, 1)));
    node.receive(Y, new GhsMessage.Nack(new ConnectId(B, 0, 7)));

    assertThat(effects).isEmpty();
    assertThat(node.connectingTo()).isEqualTo(Y);
  }

  @Test
  void an_echo_whose_edge_to_its_parent_leads_elsewhere_is_a_violation() throws TreeViolation {
    node.linkUp(Y, 2, LinkWeight.between(B, Y, 9));
    startWithLinkTo(A, 5);
    node.receive(A, connectOf(A, 1, 5));
    Round round = ((Initiate) sent.get(sent.size() - 1)).round();
    Subtree echo = new Subtree(A, LinkWeight.between(A, Y, 3), List.of());

    assertThatThrownBy(
            () ->
                node.receive(
                    A, new GhsMessage.Report(round, null, echo, 0, false, ChangeHistory.NONE)))
        .isInstanceOf(TreeViolation.class)
        .hasMessageContaining("a-y@3");
  }

  @Test
  void a_parent_of_lower_rank_is_a_violation() throws TreeViolation {
    startWithLinkTo(Y, 5);
    ConnectId edge = new ConnectId(B, 0, 1);
    node.receive(Y, initiate(edge, new Rank(3, 0)));
    assertThat(node.parent()).isEqualTo(Y);

    assertThatThrownBy(() -> node.receive(Y, initiate(edge, new Rank(2, 4))))
        .isInstanceOf(TreeViolation.class)
        .hasMessageContainingAll("rank 2.4", "3.0");
    assertThat(node.rank()).isEqualTo(new Rank(3, 0));
  }

  @Test
  void an_offer_of_no_higher_rank_is_declined() throws TreeViolation {
    startWithLinkTo(Y, 5);
    effects.clear();

    node.receive(Y, initiate(new ConnectId(B, 0, 1), Rank.LOWEST));

    assertThat(effects).containsExactly("Decline to y", "Connect to y");
    assertThat(node.parent()).isNull();
  }

  @Test
  void a_message_starts_the_node() throws TreeViolation {
    node.linkUp(A, 1, LinkWeight.between(A, B, 5));
    node.receive(A, connectOf(A, 1, 5));

    assertThat(effects).startsWith("Connect to a");
    assertThat(node.phase()).isEqualTo(NodePhase.COMMITTED);
  }

  @Test
  void a_driver_that_breaks_its_contract_gets_an_exception() {
    startWithLinkTo(A, 5);

    assertThatThrownBy(node::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> node.linkUp(A, 2, LinkWeight.between(A, B, 5)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(" a ");
    assertThatThrownBy(() -> node.linkDown(Y)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> node.weightChanged(A, LinkWeight.between(A, Y, 5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> node.receive(Y, new Wake(new Round(Y_ALONE, 1))))
        .isInstanceOf(TreeViolation.class)
        .hasMessageMatching("Wake .*\\by\\b.*");
  }

  private void startWithLinkTo(NodeId peer, long rttMicros) {
    node.linkUp(peer, 1, LinkWeight.between(B, peer, rttMicros));
    node.start();
  }

  /** The Connect of a node without any other link. */
  private static Connect connectOf(NodeId sender, long number, long rttMicros) {
    LinkWeight weight = LinkWeight.between(sender, B, rttMicros);
    return new Connect(
        new ConnectId(sender, 0, number),
        new FragmentId(Rank.LOWEST, sender, 0, 1),
        weight,
        FragmentMap.alone(sender),
        crossingOf(sender, weight));
  }

  /** The value that a node computes for its only link. */
  private static long crossingOf(NodeId sender, LinkWeight weight) {
    List<Connect> connects = new ArrayList<>();
    AdaptiveTree other =
        new AdaptiveTree(
            sender,
            0,
            new AdaptiveTree.Effects() {
              @Override
              public void send(NodeId peer, TreeMessage message) {
                if (message instanceof Connect connect) {
                  connects.add(connect);
                }
              }

              @Override
              public void committed(CommittedTree tree, Set<ChangeCause> causes) {}
            });
    other.linkUp(B, 1, weight);
    other.start();
    return connects.get(0).crossing();
  }

  private static Initiate initiate(ConnectId edge, Rank rank) {
    Round round = new Round(new FragmentId(rank, Y, 0, 1), 1);
    return new Initiate(edge, round, MemberList.of(List.of(Y, B)), new TreeSet<>());
  }
}
