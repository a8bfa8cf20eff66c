package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the messages of subscribers in total order: any two whose members were in the same trees
 * all the time have their common messages in the same order, at the same positions.
 */
final class OrderTruth {
  private record Member(NodeId node, Audience audience) {}

  private final List<CommittedTree> trees;
  private final RunCoverage coverage;
  private final List<Member> members = new ArrayList<>();

  /**
   * Creates the comparison for one run.
   *
   * @param trees all proposed trees, in the order of their versions; grows during the run
   */
  OrderTruth(List<CommittedTree> trees, RunCoverage coverage) {
    this.trees = trees;
    this.coverage = coverage;
  }

  /** Adds a subscriber at the end of the run; compares it with all added before. */
  void add(NodeId node, Audience audience) {
    if (!audience.options().inTotalOrder() || !audience.isOfOneMember()) {
      return;
    }
    Member added = new Member(node, audience);
    members.forEach(other -> compare(other, added));
    members.add(added);
  }

  private void compare(Member one, Member other) {
    if (!one.audience.options().topics().equals(other.audience.options().topics())
        || !wereTogether(one, other)) {
      return;
    }
    List<MessageId> ofOne = common(one, other);
    List<MessageId> ofOther = common(other, one);
    if (!ofOne.equals(ofOther)) {
      throw new AssertionError(
          one.node + " was handed " + ofOne + ", and " + other.node + " " + ofOther);
    }
    for (MessageId message : ofOne) {
      OrderPosition position = one.audience.position(message);
      if (!position.equals(other.audience.position(message))) {
        throw new AssertionError(
            message + " is " + position + " at " + one.node + ", elsewhere at " + other.node);
      }
    }
    if (ofOne.size() > 1) {
      coverage.count(neverCutOff(one) ? "same order" : "same order, while others were cut off");
    }
  }

  private boolean wereTogether(Member one, Member other) {
    long since = Math.min(one.audience.begunVersion(), other.audience.begunVersion());
    return trees.stream()
        .filter(tree -> tree.version() >= since)
        .allMatch(tree -> tree.hasMember(one.node) == tree.hasMember(other.node));
  }

  /**
   * Whether all that were ever in a tree with the member were in all its trees since it had one.
   */
  private boolean neverCutOff(Member member) {
    return trees.stream()
            .filter(tree -> tree.version() >= member.audience.begunVersion())
            .filter(tree -> tree.hasMember(member.node))
            .map(CommittedTree::members)
            .distinct()
            .count()
        <= 1;
  }

  /** The common messages for which both were present, in the order of the first. */
  private static List<MessageId> common(Member one, Member other) {
    Set<MessageId> ofOther = new HashSet<>(other.audience.inOrder());
    return one.audience.inOrder().stream()
        .filter(ofOther::contains)
        .filter(message -> one.audience.wasThereFor(message) && other.audience.wasThereFor(message))
        .toList();
  }

  /** Checks that no message waits at the node for its place, or for an earlier one. */
  void checkAtRest(SimulatedNode node) {
    long waiting = node.relay.counters().unorderedMessages();
    if (waiting > 0) {
      throw new AssertionError(waiting + " messages wait at " + node.id + " for their places");
    }
  }
}
