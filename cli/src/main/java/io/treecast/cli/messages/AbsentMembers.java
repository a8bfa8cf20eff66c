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
 * Members that an agent knows outside its tree. Confirmations do not mention them, since only
 * members of the tree are asked. Stateless.
 */
final class AbsentMembers {
  private AbsentMembers() {}

  /** Returns their ids, without members in the confirmation; empty if the agent does not answer. */
  static List<String> of(AgentInquiry agents, Confirmation confirmation) {
    try {
      return of(agents.ask(), confirmation);
    } catch (AgentInquiry.FailedException e) {
      // The broadcast itself has succeeded.
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
