package io.treecast.cli;

import io.treecast.agent.core.LinkState;
import io.treecast.agent.core.Member;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.LinkQuality;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent answers when it is asked where it stands. Immutable.
 *
 * @param id the agent
 * @param tree its committed tree, or null
 * @param ready whether it can broadcast
 * @param notReadyReason why not; empty when ready
 * @param members all members that it knows, itself included
 * @param links its links, by peer
 */
record AgentReport(
    NodeId id,
    @Nullable CommittedTree tree,
    boolean ready,
    String notReadyReason,
    List<Member> members,
    List<LinkReport> links) {

  /**
   * One of its links.
   *
   * @param peer the other end
   * @param state where it stands
   * @param session counts its sessions; 0 before the first
   * @param rttLeastMicros least round trip of the agent's recent probes; 0 where the other end
   *     probes
   * @param rttLastMicros last round trip; 0 where the other end probes
   * @param weight what both ends agreed on, or null
   * @param treeEdge whether it is an edge of the committed tree
   * @param carriesData whether its data stream is open
   * @param expectation of its round trip; null where the other end probes, and before it is
   *     measured
   * @param quality its jitter and loss; null where the other end probes
   * @param throughput what is expected of it; null where the other end measures, and before it is
   *     measured
   */
  record LinkReport(
      Member peer,
      LinkState state,
      long session,
      long rttLeastMicros,
      long rttLastMicros,
      @Nullable LinkWeight weight,
      boolean treeEdge,
      boolean carriesData,
      @Nullable Expectation expectation,
      @Nullable LinkQuality quality,
      @Nullable ThroughputExpectation throughput) {}
}
