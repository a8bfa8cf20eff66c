package io.treecast.cli.messages;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentReport;
import io.treecast.client.Confirmation;
import io.treecast.client.Confirmation.Hop;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Members that an agent knows and that are not in its tree: who asks for confirmation hears nothing
 * of them, since only members of the tree are asked. Stateless.
 */
final class AbsentMembers {
  private AbsentMembers() {}

  /** The ids of those that the confirmation does not name; empty if the agent cannot be asked. */
  static List<String> of(AgentInquiry agents, Confirmation confirmation) {
    try {
      return of(agents.ask(), confirmation);
    } catch (AgentInquiry.FailedException e) {
      // The broadcast is what was asked for, and that is done.
      return List.of();
    }
  }

  static List<String> of(AgentReport report, Confirmation confirmation) {
    CommittedTree tree = report.tree();
    Set<String> named = new HashSet<>(confirmation.failed());
    named.addAll(confirmation.unknown());
    confirmation.hops().stream().map(Hop::member).forEach(named::add);
    return report.members().stream()
        .map(Member::id)
        .filter(id -> !id.equals(report.id()) && (tree == null || !tree.hasMember(id)))
        .map(NodeId::toString)
        .filter(id -> !named.contains(id))
        .toList();
  }
}
