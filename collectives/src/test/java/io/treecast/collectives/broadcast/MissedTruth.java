package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;

/** Compares the misses reported to the subscribers of a run with the permitted ones. */
final class MissedTruth {
  private final RunKind kind;
  private final BroadcastLimits limits;
  private final Published published;
  private final List<CommittedTree> trees;
  private final RunCoverage coverage;

  /**
   * Creates the comparison for one run.
   *
   * @param trees all proposed trees, in the order of their versions; grows during the run
   */
  MissedTruth(
      RunKind kind,
      BroadcastLimits limits,
      Published published,
      List<CommittedTree> trees,
      RunCoverage coverage) {
    this.kind = kind;
    this.limits = limits;
    this.published = published;
    this.trees = trees;
    this.coverage = coverage;
  }

  /**
   * Checks at the end of the run.
   *
   * @param longAway whether any node may have been absent for longer than it is awaited
   */
  void check(NodeId who, Audience audience, boolean longAway) {
    boolean neverMoved =
        audience.options().start() instanceof SubscriptionStart.Now
            && audience.options().whenSlow() == WhenSlow.SLOW_PUBLISHER;
    List<MessageId> away = missed(audience, MissedReason.AGENT_AWAY, neverMoved);
    List<MessageId> notRetained = missed(audience, MissedReason.NOT_RETAINED, neverMoved);
    if (neverMoved && kind == RunKind.CROWDED && !notRetained.isEmpty()) {
      throw new AssertionError(who + " was not waited for and missed " + notRetained);
    }
    boolean allIsRetained =
        kind.isRoomy() && kind != RunKind.CROWDED && limits.retainedBytes() == limits.logBytes();
    if (allIsRetained && !(away.isEmpty() && notRetained.isEmpty())) {
      throw new AssertionError(who + " missed " + away + notRetained + " though all is retained");
    }
    if (neverMoved || kind.nobodyCrashes()) {
      away.forEach(message -> check(who, audience, message, longAway));
    }
    if (neverMoved) {
      notRetained.forEach(message -> check(who, audience, message, longAway));
    }
  }

  /** Outside the default topic, only messages published during the subscription. */
  private static List<MessageId> missed(
      Audience audience, MissedReason reason, boolean neverMoved) {
    return audience.missed(reason).stream()
        .filter(
            message ->
                message.topic().equals(Topic.DEFAULT)
                    || (neverMoved && audience.wasThereFor(message)))
        .toList();
  }

  private void check(NodeId who, Audience audience, MessageId message, boolean longAway) {
    if (message.stream().isOfUploads() && audience.isAbandoned(message)) {
      coverage.count("upload abandoned, then missed");
      return;
    }
    long since = published.get(message.stream(), message.sequence()).treeVersion();
    boolean stayed =
        trees.subList((int) since - 1, trees.size()).stream().allMatch(t -> t.hasMember(who));
    if (!kind.allowsMiss(stayed, longAway)) {
      throw new AssertionError(
          who + " missed " + message + " of tree " + since + " in a run that is " + kind);
    }
    coverage.count("missed in a run that is " + kind);
  }
}
