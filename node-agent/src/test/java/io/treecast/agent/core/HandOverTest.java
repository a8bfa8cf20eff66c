package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.tree.LinkBatch;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * When an agent tells its tree of a link, and what becomes of messages that come before. The agent
 * under test is h1; a and b own their links to it, so the test tells the weights.
 */
class HandOverTest {
  private static final long MILLI = VirtualNetwork.MILLI;
  private static final long BATCH_MILLIS = LinkLimits.DEFAULT.batchNanos() / MILLI;
  private static final long QUIET_MILLIS = LinkLimits.DEFAULT.gatherQuietNanos() / MILLI;
  private static final long GATHER_MILLIS = LinkLimits.DEFAULT.gatherNanos() / MILLI;

  private final VirtualNetwork network = new VirtualNetwork(1, MILLI);
  private final Neighbour a = new Neighbour("a");
  private final Neighbour b = new Neighbour("b");
  private AgentHost agent = AgentHost.start(network, 1, Membership.discovered(List.of()));

  private final class Neighbour {
    final RecordingConnection<PeerMessage> control;
    final Hello hello;

    Neighbour(String id) {
      control = new RecordingConnection<>(id + ":9");
      hello = new Hello(NodeId.of(id), 77, id + ":1");
    }

    void say(PeerMessage message) {
      agent.core().controlReceived(control, message, network.nowNanos());
    }

    /** The link is open and not measured. */
    void link() {
      agent.core().controlAccepted(control, network.nowNanos());
      say(hello);
      say(new OpenLink(1));
    }

    void weigh(long rttMicros) {
      say(new WeightUpdate(1, rttMicros));
    }

    /** Returns the messages of the agent's tree to this node since the last call. */
    List<String> hear() {
      return control.takeSent().stream()
          .filter(Tree.class::isInstance)
          .map(message -> ((Tree) message).message().type())
          .toList();
    }

    boolean isRefused() {
      return control.takeSent().stream().anyMatch(RefuseLink.class::isInstance);
    }

    TreeMessage wake() {
      return TreeNeighbour.wake(hello);
    }
  }

  private TreePhase phase() {
    return agent.core().treeStatus().phase();
  }

  /** The agent has committed a tree of its own. */
  private void alone() {
    network.run(QUIET_MILLIS + 1);
    assertThat(phase()).isEqualTo(TreePhase.COMMITTED);
  }

  @Test
  void an_agent_that_meets_nobody_commits_a_tree_of_its_own_after_the_quiet_time() {
    network.run(QUIET_MILLIS - 1);
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    assertThat(agent.core().treeStatus().ready()).isFalse();
    network.run(1);
    assertThat(phase()).isEqualTo(TreePhase.COMMITTED);
    assertThat(agent.tree().members()).containsExactly(NodeId.of("h1"));
    assertThat(agent.controlMessagesSent()).isZero();
    assertThat(agent.publish(new byte[3], 0).messageId).isNotNull();
    assertThat(agent.delivered()).hasSize(1);
  }

  @Test
  void so_does_one_whose_seeds_cannot_be_reached() {
    agent = AgentHost.start(network, 1, Membership.discovered(List.of("down:1", "down:2")));
    network.run(QUIET_MILLIS + 100);
    assertThat(phase()).isEqualTo(TreePhase.COMMITTED);
  }

  @Test
  void one_whose_seed_accepts_and_says_nothing_waits_for_it_but_not_for_ever() {
    AgentHost silent = AgentHost.start(network, 2, Membership.discovered(List.of()));
    network.pause(silent.address());
    agent = AgentHost.start(network, 1, Membership.discovered(List.of(silent.address())));
    network.run(5_000);
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    network.run(GATHER_MILLIS - 5_000);
    assertThat(phase()).isEqualTo(TreePhase.COMMITTED);
  }

  @Test
  void before_the_start_links_wait_for_the_slowest() {
    a.link();
    b.link();
    a.weigh(500);
    network.run(BATCH_MILLIS + 100);
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    assertThat(a.hear()).isEmpty();
    b.weigh(700);
    assertThat(phase()).isEqualTo(TreePhase.MERGING);
    assertThat(a.hear()).as("to the lighter link").containsExactly("Connect");
  }

  @Test
  void before_the_start_links_wait_for_members_that_are_not_met_yet() {
    a.link();
    AgentHost other = AgentHost.start(network, 2, Membership.discovered(List.of()));
    network.hold(other.address(), agent.address());
    Member h2 = new Member(NodeId.of("h2"), other.address());
    a.say(new Members(List.of(new AnnouncedMember(h2, 1, 0)), List.of(), 0));
    a.weigh(500);
    network.run(BATCH_MILLIS + 100);
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    assertThat(a.hear()).isEmpty();
  }

  @Test
  void the_start_does_not_wait_for_ever_for_a_link_to_be_measured() {
    a.link();
    b.link();
    a.weigh(500);
    // The owner of the other link keeps quiet about its weight, but sends its probes.
    for (int i = 0; i < GATHER_MILLIS / 500 - 1; i++) {
      network.run(500);
      a.say(new PeerMessage.Probe(i, 500, 0, false, null));
      b.say(new PeerMessage.Probe(i, 500, 0, false, null));
    }
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    network.run(500);
    assertThat(phase()).isEqualTo(TreePhase.MERGING);
    assertThat(a.hear()).contains("Connect");
  }

  @Test
  void the_start_waits_no_longer_than_the_time_of_a_batch_when_the_tree_of_another_has_spoken() {
    a.link();
    b.link();
    network.run(BATCH_MILLIS);
    a.weigh(500);
    network.run(100);
    a.say(new Tree(a.wake()));
    network.run(BATCH_MILLIS - 1);
    assertThat(phase()).isEqualTo(TreePhase.STARTING);
    network.run(1);
    assertThat(phase()).isEqualTo(TreePhase.MERGING);
    assertThat(a.hear()).contains("Connect");
  }

  @Test
  void after_the_start_a_measured_link_waits_for_one_that_is_being_measured() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    network.run(BATCH_MILLIS - 100);
    assertThat(b.hear()).isEmpty();
    a.weigh(500);
    assertThat(b.hear()).as("both at once").isNotEmpty();
    assertThat(a.hear()).isNotEmpty();
  }

  @Test
  void after_the_start_it_waits_no_longer_than_the_time_of_a_batch() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    network.run(BATCH_MILLIS);
    assertThat(b.hear()).isNotEmpty();
    assertThat(a.hear()).isEmpty();
  }

  @Test
  void a_link_that_waits_alone_and_is_lost_leaves_nothing_to_do() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    agent.core().controlClosed(b.control, "connection reset", network.nowNanos());
    // Time would stand still if the agent asked for a tick again and again.
    network.run(BATCH_MILLIS);
    assertThat(phase()).isEqualTo(TreePhase.COMMITTED);
  }

  @Test
  void messages_before_the_hand_over_wait_for_it_in_order() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    // From here on the agent is late: b has started already, and joins it after a change of weight.
    TreeNeighbour neighbour = new TreeNeighbour(agent, b.control, b.hello);
    neighbour.start(700);
    b.say(new WeightUpdate(2, 900));
    neighbour.reweigh(900);
    assertThat(b.hear()).as("nothing is answered yet").isEmpty();
    a.weigh(100_000);
    neighbour.hear();
    assertThat(b.control.isClosed()).isFalse();
    assertThat(agent.link(b.hello.node()).weight()).hasToString("b-h1@900");
  }

  @Test
  void more_messages_than_may_wait_hand_the_link_over_at_once() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    for (int i = 0; i < LinkBatch.MAX_HELD_MESSAGES; i++) {
      b.say(new Tree(b.wake()));
    }
    assertThat(b.hear()).isEmpty();
    b.say(new Tree(b.wake()));
    assertThat(b.hear()).isNotEmpty();
    assertThat(b.control.isClosed()).isFalse();
  }

  @Test
  void changes_of_weight_count_among_the_messages_that_may_wait() {
    alone();
    a.link();
    b.link();
    b.weigh(700);
    for (int i = 0; i <= LinkBatch.MAX_HELD_MESSAGES; i++) {
      b.say(new WeightUpdate(2 + i, 700 + i));
    }
    assertThat(b.hear()).isNotEmpty();
  }

  @Test
  void a_message_of_the_tree_before_the_link_has_a_weight_ends_the_link() {
    a.link();
    a.hear();
    a.say(new Tree(a.wake()));
    assertThat(a.isRefused()).isTrue();
    assertThat(agent.notices(Notice.Kind.PROTOCOL_VIOLATION))
        .singleElement()
        .asString()
        .contains(" a: Wake ");
  }
}
