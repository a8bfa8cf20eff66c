package io.treecast.cli.tree;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.RttText;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentReport;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.ReadClockResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ArrayNode;

/** The bounds of the error of the root's time at each member of a tree. */
final class TreeClocks {
  private final Map<NodeId, Long> errorNanos;

  private TreeClocks(Map<NodeId, Long> errorNanos) {
    this.errorNanos = new TreeMap<>(errorNanos);
  }

  /** Asks all members of a tree that an agent knows; members without an answer are left out. */
  static TreeClocks of(AgentInquiry agents, AgentReport report, CommittedTree tree) {
    Map<NodeId, Long> errorNanos = new ConcurrentHashMap<>();
    report.members().parallelStream()
        .filter(member -> tree.hasMember(member.id()))
        .forEach(member -> ask(agents, member, tree, errorNanos));
    return new TreeClocks(errorNanos);
  }

  private static void ask(
      AgentInquiry agents, Member member, CommittedTree tree, Map<NodeId, Long> errorNanos) {
    try {
      ReadClockResponse answer = agents.clock(member);
      if (answer.getTreeVersion() == tree.version()
          && answer.getRoot().equals(tree.root().toString())
          && answer.getMember().equals(member.id().toString())) {
        errorNanos.put(member.id(), answer.getErrorNanos());
      }
    } catch (AgentInquiry.FailedException silent) {
      // Drawn without a bound.
    }
  }

  /** Returns for example {@code 4 ±0.3 ms}, or {@code 4 ±?} for a member that did not answer. */
  String name(NodeId member) {
    Long nanos = errorNanos.get(member);
    return member
        + " ±"
        + (nanos == null ? "?" : RttText.millis(TimeUnit.NANOSECONDS.toMicros(nanos)) + " ms");
  }

  void addTo(ArrayNode clocks) {
    errorNanos.forEach(
        (member, nanos) ->
            clocks.addObject().put("node", member.toString()).put("errorMillis", nanos / 1e6));
  }
}
