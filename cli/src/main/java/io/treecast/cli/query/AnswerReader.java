package io.treecast.cli.query;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.AgentReport.SelfReport;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.Link;
import io.treecast.proto.v1.ListLinksResponse;
import io.treecast.proto.v1.NetworkAddress;
import io.treecast.proto.v1.TreeStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes the answers of an agent. Stateless. */
final class AnswerReader {
  private AnswerReader() {}

  /**
   * Returns an agent's report.
   *
   * @throws WireViolation if the answers are invalid
   * @throws IllegalArgumentException if the answers are invalid
   */
  static AgentReport report(GetStatusResponse status, ListLinksResponse links)
      throws WireViolation {
    TreeStatus tree = status.getTree();
    List<Member> members = new ArrayList<>();
    Map<NodeId, String> sites = new HashMap<>();
    for (io.treecast.proto.v1.Member told : status.getMembersList()) {
      Member member = member(told.getNodeId(), told.getAddress(), told.getNetworksList());
      members.add(member);
      if (!told.getSite().isEmpty()) {
        sites.put(member.id(), told.getSite());
      }
    }
    List<LinkReport> views = new ArrayList<>();
    for (Link link : links.getLinksList()) {
      views.add(
          new LinkReport(
              member(link.getPeer(), link.getAddress(), link.getNetworksList()),
              state(link),
              link.getSession(),
              link.getRttMinMicros(),
              link.getRttLastMicros(),
              link.hasWeight() ? ValueCodec.decode(link.getWeight()) : null,
              link.getTreeEdge(),
              link.getCarriesData(),
              link.hasExpectation() ? link.getExpectation() : null,
              link.hasQuality() ? link.getQuality() : null,
              link.hasThroughput() ? link.getThroughput() : null,
              link.hasBandwidthWeight() ? ValueCodec.decode(link.getBandwidthWeight()) : null,
              link.getAbsentMillis(),
              link.getSite().isEmpty() ? null : link.getSite(),
              link.getDownReason(),
              link.getDownMillis(),
              link.getNetwork()));
    }
    return new AgentReport(
        NodeId.of(tree.getNodeId()),
        tree.hasTree() ? ValueCodec.decode(tree.getTree()) : null,
        tree.getReady(),
        tree.getNotReadyReason(),
        List.copyOf(members),
        List.copyOf(views),
        links.getRefusal(),
        links.getRefusedMillis(),
        status.hasWidestTree() ? ValueCodec.decode(status.getWidestTree()) : null,
        !status.getThroughputDisabled(),
        Map.copyOf(sites),
        new SelfReport(
            status.getVersion(),
            status.getUpMillis(),
            status.getTreeAgeMillis(),
            tree.hasChange() ? tree.getChange() : null,
            status.getSeeds(),
            List.copyOf(status.getUnansweredSeedsList()),
            status.getUnixMillis()));
  }

  private static Member member(String id, String address, List<NetworkAddress> networks)
      throws WireViolation {
    boolean hasNetworks = !networks.isEmpty();
    return new Member(NodeId.of(id), hasNetworks ? ValueCodec.address(address, networks) : address);
  }

  private static LinkState state(Link link) throws WireViolation {
    return switch (link.getState()) {
      case LINK_STATE_DIALING -> LinkState.DIALING;
      case LINK_STATE_MEASURING -> LinkState.MEASURING;
      case LINK_STATE_UP -> LinkState.UP;
      case LINK_STATE_SUSPENDED -> LinkState.SUSPENDED;
      case LINK_STATE_NO_DATA -> LinkState.NO_DATA;
      case LINK_STATE_UNLINKED -> LinkState.UNLINKED;
      case LINK_STATE_UNSPECIFIED, UNRECOGNIZED ->
          throw new WireViolation("link state " + link.getStateValue() + " is not known");
    };
  }
}
