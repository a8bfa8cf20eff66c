package io.treecast.ghs;

import io.treecast.ghs.GhsMessage.Phase;
import java.util.Optional;

/**
 * What a correct neighbour can send to a node in the node's present state. Each answer is empty, or
 * the reason why it cannot have sent the message. Changes nothing.
 *
 * <p>The rules follow from links that neither lose, duplicate nor reorder messages, and from the
 * automaton being the same at both ends. They are about messages as they arrive: one that waited
 * may meet a later state.
 *
 * <p>They bound what waits. Only Connect, Test and a Report of the core's other end ever wait, and
 * no neighbour sends another of these before it has an answer: at most one message waits for each
 * link.
 */
final class Contract implements GhsMessage.Visitor<Optional<String>> {
  private static final Optional<String> KEPT = Optional.empty();

  private final Responses node;
  private final Link link;
  private final boolean lastWaits;

  /**
   * @param node the receiver
   * @param link the link over which the message came
   * @param lastWaits whether an earlier message of that link waits
   */
  Contract(Responses node, Link link, boolean lastWaits) {
    this.node = node;
    this.link = link;
    this.lastWaits = lastWaits;
  }

  /** Why the neighbour cannot have sent that; empty if it can. */
  Optional<String> breach(GhsMessage message) {
    return message.visit(this);
  }

  /**
   * A fragment above level 0 connects over a link only after the other end accepted its Test, and
   * that end's level was no lower then and never falls.
   */
  @Override
  public Optional<String> connect(GhsMessage.Connect connect) {
    return levelWithin(0, node.level, connect.level()).or(this::atFirstContact);
  }

  /** The core is behind the in-branch; only a fragment of higher level absorbs or follows. */
  @Override
  public Optional<String> initiate(GhsMessage.Initiate initiate) {
    if (link != node.inBranch) {
      return Optional.of("the core is not behind this link");
    }
    if (node.phase == Phase.FIND) {
      return Optional.of("the search of the present fragment is not over");
    }
    return levelWithin(node.level + 1, GhsNode.MAX_LEVEL, initiate.level());
  }

  @Override
  public Optional<String> test(GhsMessage.Test test) {
    return levelWithin(1, GhsNode.MAX_LEVEL, test.level()).or(this::atFirstContact);
  }

  @Override
  public Optional<String> accept(GhsMessage.Accept accept) {
    return answersTest();
  }

  @Override
  public Optional<String> reject(GhsMessage.Reject reject) {
    return answersTest();
  }

  @Override
  public Optional<String> report(GhsMessage.Report report) {
    boolean isCore = link == node.inBranch && link.weight().equals(node.fragment);
    if (isCore ? lastWaits || node.halted : !node.searching.contains(link)) {
      return Optional.of("no report of it is awaited");
    }
    int branchCount = report.branches().size();
    if (branchCount >= GhsNode.MAX_NODES) {
      return Optional.of(
          "it lists " + branchCount + " branches of " + GhsNode.MAX_NODES + " nodes");
    }
    return report.minimumOutgoingEdge() != null && branchCount > 0
        ? Optional.of("it lists branches although an edge goes out")
        : KEPT;
  }

  @Override
  public Optional<String> changeCore(GhsMessage.ChangeCore changeCore) {
    if (link != node.inBranch || link.weight().equals(node.fragment)) {
      return Optional.of("the core cannot come over this link");
    }
    return node.phase == Phase.FIND || node.best == null
        ? Optional.of("no outgoing edge was reported")
        : KEPT;
  }

  private Optional<String> answersTest() {
    return link == node.testLink ? KEPT : Optional.of("no Test to it is unanswered");
  }

  /**
   * Connect and Test come over a link only until both ends know that they are in one fragment: it
   * is Basic here, or a Connect sent over it is unanswered.
   */
  private Optional<String> atFirstContact() {
    if (!link.isBasic() && link != node.connecting) {
      return Optional.of("both ends are in the same fragment");
    }
    return lastWaits ? Optional.of("an earlier message of it still waits") : KEPT;
  }

  private static Optional<String> levelWithin(int least, int most, int level) {
    return least <= level && level <= most
        ? KEPT
        : Optional.of("level " + level + " is not within " + least + " to " + most);
  }
}
