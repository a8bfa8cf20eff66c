package io.treecast.mst;

import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.GhsNode;
import io.treecast.ghs.GhsViolation;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a membership that is known beforehand: waits until all expected links are measured,
 * here and at the neighbours, merges once by {@link GhsNode}, and has the core announce the result.
 *
 * <p>Waiting for the neighbours too is not needed for the result. It saves messages: a node that
 * wakes much earlier than its neighbours tests links over which those are about to connect.
 *
 * <p>The announcement: a core that halts knows the whole tree. Of its two ends the one with the
 * lower id is the root; it sends a {@link TreeMessage.Commit} along the branches, N-1 messages for
 * N members.
 *
 * <p>A neighbour may be ready earlier and send before this node is awake. Such messages are held
 * until then, as if the link were slow: a node wakes with all its links or not at all.
 *
 * <p>Driven by one thread at a time.
 */
public final class FixedMembershipTree implements TreeProtocol {
  private static final long FIRST_VERSION = 1;

  private final NodeId self;
  private final int expectedLinks;
  private final Effects effects;
  private final TreeMap<NodeId, LinkWeight> links = new TreeMap<>();
  private final TreeSet<NodeId> measuredNeighbours = new TreeSet<>();
  private boolean weightsFinal;

  /** In order of arrival, at most one of each link. */
  private final LinkedHashMap<NodeId, GhsMessage> held = new LinkedHashMap<>();

  private TreePhase phase = TreePhase.WAITING;
  private String reason = "";
  private @Nullable GhsNode automaton;
  private @Nullable CommittedTree tree;

  /** Why the tree that this node is to announce as root is none. */
  private @Nullable String flawOfOwnTree;

  /**
   * A node that has not started.
   *
   * @param self this node
   * @param expectedLinks how many links are measured before the node wakes; 0 makes it a tree of
   *     its own at {@link #start}
   * @param effects told what to do, inside the calls to this object
   */
  public FixedMembershipTree(NodeId self, int expectedLinks, Effects effects) {
    this.self = self;
    this.expectedLinks = expectedLinks;
    this.effects = effects;
  }

  /** To be called once, before any event. A node that expects no links is a tree at once. */
  public void start() {
    weightsFinal = expectedLinks == 0;
    wakeIfComplete();
  }

  /** Whether as many links are measured as are expected, and their weights may still change. */
  public boolean allLinksMeasured() {
    return phase == TreePhase.WAITING && !weightsFinal && links.size() >= expectedLinks;
  }

  @Override
  public void linkMeasured(LinkWeight weight) {
    if (phase == TreePhase.WAITING) {
      links.put(weight.opposite(self), weight);
    }
  }

  /**
   * All links are measured, and this end changes the weight of none any more. To be called before
   * the neighbours are told, who then call {@link #neighbourMeasured}.
   */
  public void weightsFinal() {
    weightsFinal = true;
    wakeIfComplete();
  }

  /** All links of a neighbour are measured, and it changes the weight of none any more. */
  public void neighbourMeasured(NodeId neighbour) {
    measuredNeighbours.add(neighbour);
    wakeIfComplete();
  }

  @Override
  public void linkLost(NodeId neighbour) {
    if (phase == TreePhase.WAITING) {
      links.remove(neighbour);
      measuredNeighbours.remove(neighbour);
      weightsFinal = false;
      held.remove(neighbour);
    } else if (links.containsKey(neighbour) && phase != TreePhase.BROKEN) {
      String when =
          phase == TreePhase.MERGING
              ? "while the tree was being built"
              : "after the tree was built";
      reason =
          "the link to "
              + neighbour
              + " was lost "
              + when
              + "; the membership is fixed: restart all agents to build a new tree";
      enter(TreePhase.BROKEN);
    }
  }

  @Override
  public void receive(NodeId neighbour, TreeMessage message) throws TreeViolation {
    if (phase == TreePhase.BROKEN) {
      return;
    }
    if (!links.containsKey(neighbour)) {
      throw new TreeViolation("tree message from " + neighbour + " before its link was measured");
    }
    if (message instanceof TreeMessage.Merge merge) {
      receiveMerge(neighbour, merge.message());
    } else if (message instanceof TreeMessage.Commit commit) {
      receiveCommit(neighbour, commit.tree());
    }
  }

  private void receiveMerge(NodeId neighbour, GhsMessage message) throws TreeViolation {
    if (automaton != null) {
      deliver(automaton, neighbour, message);
      return;
    }
    if (!mayComeFirst(message)) {
      throw new TreeViolation(
          neighbour + " sent " + nameOf(message) + " to a node that has not said anything yet");
    }
    if (held.putIfAbsent(neighbour, message) != null) {
      throw new TreeViolation(
          neighbour + " sent " + nameOf(message) + " before its last message had an answer");
    }
  }

  private static String nameOf(GhsMessage message) {
    return new TreeMessage.Merge(message).type();
  }

  /**
   * What a neighbour can send to a node that has sent it nothing. It sends no more before it has an
   * answer.
   */
  private static boolean mayComeFirst(GhsMessage message) {
    return message instanceof GhsMessage.Connect connect
        ? connect.level() == 0
        : message instanceof GhsMessage.Test test
            && test.level() >= 1
            && test.level() <= GhsNode.MAX_LEVEL;
  }

  private void deliver(GhsNode node, NodeId neighbour, GhsMessage message) throws TreeViolation {
    try {
      node.receive(neighbour, message);
    } catch (GhsViolation violation) {
      throw new TreeViolation(String.valueOf(violation.getMessage()));
    }
    if (flawOfOwnTree != null) {
      throw new TreeViolation("the branches that " + neighbour + " reported: " + flawOfOwnTree);
    }
  }

  private void wakeIfComplete() {
    if (phase != TreePhase.WAITING
        || !weightsFinal
        || links.size() < expectedLinks
        || !measuredNeighbours.containsAll(links.keySet())) {
      return;
    }
    enter(TreePhase.MERGING);
    GhsNode node = new GhsNode(self, links.values(), new Merging());
    automaton = node;
    node.wake();
    held.forEach(
        (neighbour, message) -> {
          try {
            deliver(node, neighbour, message);
          } catch (TreeViolation violation) {
            throw new IllegalStateException("held a message that may not come first", violation);
          }
        });
    held.clear();
  }

  private final class Merging implements GhsNode.Effects {
    @Override
    public void send(NodeId neighbour, GhsMessage message) {
      effects.send(neighbour, new TreeMessage.Merge(message));
    }

    @Override
    public void halted(NodeId root, int level, List<LinkWeight> branches) {
      if (!root.equals(self)) {
        return;
      }
      // The branches far away are hearsay.
      CommittedTree built;
      try {
        built = new CommittedTree(FIRST_VERSION, root, branches);
      } catch (IllegalArgumentException notATree) {
        flawOfOwnTree = notATree.getMessage();
        return;
      }
      flawOfOwnTree = flawHere(built);
      if (flawOfOwnTree == null) {
        commit(built, null);
      }
    }
  }

  /** What is wrong with a tree as far as this node can tell; null if nothing is. */
  private @Nullable String flawHere(CommittedTree announced) {
    SortedSet<LinkWeight> branches = automaton == null ? new TreeSet<>() : automaton.branches();
    int edgesHere = 0;
    for (LinkWeight edge : announced.edges()) {
      if (edge.touches(self)) {
        edgesHere++;
        if (!branches.contains(edge)) {
          return "its edge " + edge + " is no branch of " + self;
        }
      }
    }
    return edgesHere == branches.size()
        ? null
        : self + " has " + branches.size() + " branches and it names " + edgesHere;
  }

  private void receiveCommit(NodeId neighbour, CommittedTree announced) throws TreeViolation {
    if (tree != null || automaton == null) {
      throw new TreeViolation(
          neighbour
              + " committed a tree that this node "
              + (tree != null ? "has" : "has no part in"));
    }
    if (!Objects.equals(announced.parents().get(self), neighbour)) {
      throw new TreeViolation(
          neighbour
              + " committed a tree in which it is not the neighbour of "
              + self
              + " towards the root");
    }
    String flaw = flawHere(announced);
    if (flaw != null) {
      throw new TreeViolation(neighbour + " committed a tree that can not be: " + flaw);
    }
    commit(announced, neighbour);
  }

  private void commit(CommittedTree committed, @Nullable NodeId from) {
    tree = committed;
    enter(TreePhase.COMMITTED);
    List<NodeId> onwards = new ArrayList<>(committed.neighbours(self));
    onwards.remove(from);
    for (NodeId next : onwards) {
      effects.send(next, new TreeMessage.Commit(committed));
    }
    effects.committed(committed);
  }

  /** The one place where the phase changes. */
  private void enter(TreePhase next) {
    if (next.compareTo(phase) <= 0) {
      throw new IllegalStateException("phase " + phase + " can not be followed by " + next);
    }
    phase = next;
  }

  @Override
  public TreeStatus status() {
    String why =
        switch (phase) {
          case WAITING -> waitingFor();
          case MERGING -> "the tree is being built";
          case COMMITTED -> "";
          case BROKEN -> reason;
        };
    return new TreeStatus(phase, tree, why);
  }

  private String waitingFor() {
    return links.size() < expectedLinks
        ? links.size() + " of " + expectedLinks + " expected links are measured"
        : (links.size() - measuredNeighbours.size()) + " neighbours still measure their links";
  }

  /** The measured links, by neighbour. */
  public Map<NodeId, LinkWeight> links() {
    return Map.copyOf(links);
  }
}
