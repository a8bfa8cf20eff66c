package io.treecast.ghs.paper;

import io.treecast.ghs.paper.PaperMessage.Phase;
import java.util.Optional;

/**
 * The messages that a correct neighbour can send to a node in the node's present state. Each check
 * returns empty, or the reason why no correct neighbour sent the message. Checks change nothing.
 *
 * <p>The rules follow from two facts: links neither lose, duplicate nor reorder messages, and both
 * ends run the same automaton. They apply when a message arrives; a deferred message may meet a
 * later state.
 *
 * <p>The rules bound the number of deferred messages. Only Connect, Test and the Report of the
 * core's other end can be deferred, and no neighbour sends another of these before it has an
 * answer. So at most one message is deferred for each link.
 */
final class Contract implements PaperMessage.Visitor<Optional<String>> {
  private static final Optional<String> KEPT = Optional.empty();

  private final Responses node;
  private final Link link;
  private final boolean lastWaits;

  /**
   * @param node the receiver
   * @param link the link over which the message came
   * @param lastWaits whether an earlier message of that link is deferred
   */
  Contract(Responses node, Link link, boolean lastWaits) {
    this.node = node;
    this.link = link;
    this.lastWaits = lastWaits;
  }

  /** The reason why no correct neighbour sent this message; empty if one can have. */
  Optional<String> breach(PaperMessage message) {
    return message.visit(this);
  }

  /**
   * A fragment above level 0 connects over a link only after the other end accepted its Test. The
   * level of that end was at least as high then, and never falls.
   */
  @Override
  public Optional<String> connect(PaperMessage.Connect connect) {
    return levelWithin(0, node.level, connect.level()).or(this::atFirstContact);
  }

  /** Initiate comes from the core, over the in-branch, and always raises the level. */
  @Override
  public Optional<String> initiate(PaperMessage.Initiate initiate) {
    if (link != node.inBranch) {
      return Optional.of("the core is not behind this link");
    }
    if (node.phase == Phase.FIND) {
      return Optional.of("the search of the present fragment is not over");
    }
    return levelWithin(node.level + 1, PaperNode.MAX_LEVEL, initiate.level());
  }

  @Override
  public Optional<String> test(PaperMessage.Test test) {
    return levelWithin(1, PaperNode.MAX_LEVEL, test.level()).or(this::atFirstContact);
  }

  @Override
  public Optional<String> accept(PaperMessage.Accept accept) {
    return answersTest();
  }

  @Override
  public Optional<String> reject(PaperMessage.Reject reject) {
    return answersTest();
  }

  @Override
  public Optional<String> report(PaperMessage.Report report) {
    boolean isCore = link == node.inBranch && link.weight().equals(node.fragment);
    if (isCore ? lastWaits || node.halted : !node.searching.contains(link)) {
      return Optional.of("no Report from it is expected");
    }
    int branchCount = report.branches().size();
    if (branchCount >= PaperNode.MAX_NODES) {
      return Optional.of(
          "it lists %s branches; a network has at most %s nodes"
              .formatted(branchCount, PaperNode.MAX_NODES));
    }
    return report.minimumOutgoingEdge() != null && branchCount > 0
        ? Optional.of("it lists branches although it names an outgoing edge")
        : KEPT;
  }

  @Override
  public Optional<String> changeRoot(PaperMessage.ChangeRoot changeRoot) {
    if (link != node.inBranch || link.weight().equals(node.fragment)) {
      return Optional.of("the core cannot move over this link");
    }
    return node.phase == Phase.FIND || node.best == null
        ? Optional.of("no outgoing edge was reported")
        : KEPT;
  }

  private Optional<String> answersTest() {
    return link == node.testLink ? KEPT : Optional.of("no Test to it is unanswered");
  }

  /**
   * Connect and Test come over a link only until both ends know that they are in one fragment: the
   * link is Basic here, or this node's Connect over it is unanswered.
   */
  private Optional<String> atFirstContact() {
    if (!link.isBasic() && link != node.connecting) {
      return Optional.of("both ends are in the same fragment");
    }
    return lastWaits ? Optional.of("an earlier message from it is still deferred") : KEPT;
  }

  private static Optional<String> levelWithin(int least, int most, int level) {
    return least <= level && level <= most
        ? KEPT
        : Optional.of("level " + level + " is not within " + least + " to " + most);
  }
}
