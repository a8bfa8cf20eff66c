package io.treecast.agent.core;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.mst.AdaptiveTree;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Set;

/**
 * The tree automaton of an agent's neighbour, for tests that play the rest of that neighbour
 * themselves. It hears what the agent has sent when it is told to, and answers at once.
 */
public final class TreeNeighbour implements AdaptiveTree.Effects {
  private final AgentHost agent;
  private final NodeId peer;
  private final RecordingConnection<PeerMessage> control;
  private final Hello self;
  private final AdaptiveTree automaton;

  public TreeNeighbour(AgentHost agent, RecordingConnection<PeerMessage> control, Hello self) {
    this.agent = agent;
    this.peer = agent.core().snapshot().self().id();
    this.control = control;
    this.self = self;
    this.automaton = new AdaptiveTree(self.node(), self.incarnation(), this);
  }

  /** A message that is in order at any time on a link that the tree knows, and changes nothing. */
  public static TreeMessage wake(Hello self) {
    return new GhsMessage.Wake(
        new Round(new FragmentId(Rank.LOWEST, self.node(), self.incarnation(), 1), 1));
  }

  /** Has the link, of this weight, in its first session, and starts. */
  void start(long rttMicros) {
    automaton.linkUp(peer, sessionName(), LinkWeight.between(self.node(), peer, rttMicros));
    automaton.start();
  }

  /** Has just told the agent this weight of the link. */
  void reweigh(long rttMicros) {
    automaton.weightChanged(peer, LinkWeight.between(self.node(), peer, rttMicros));
  }

  /** Starts, and goes on until both have a tree. */
  public void commit(long rttMicros) {
    start(rttMicros);
    hear();
  }

  private long sessionName() {
    Hello there = new Hello(peer, agent.incarnation(), agent.address());
    return new Link(there, 1, control, null, new SilenceDetector(SilencePolicy.DEFAULT, 0))
        .sessionName(self.incarnation());
  }

  /** Hears what the agent has sent and what it sends in answer, until both have said all. */
  void hear() {
    for (List<PeerMessage> sent = control.takeSent(); !sent.isEmpty(); sent = control.takeSent()) {
      for (PeerMessage message : sent) {
        if (message instanceof Tree tree) {
          try {
            automaton.receive(peer, tree.message());
          } catch (TreeViolation violation) {
            throw new AssertionError(violation);
          }
        }
      }
    }
  }

  @Override
  public void send(NodeId receiver, TreeMessage message) {
    agent.core().controlReceived(control, new Tree(message), agent.nowNanos());
  }

  @Override
  public void committed(CommittedTree tree, Set<ChangeCause> causes) {
    // The agent's tree is what a test looks at.
  }
}
