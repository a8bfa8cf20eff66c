package io.treecast.agent.core.settings;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one agent's core.
 *
 * @param self its node id
 * @param incarnation its incarnation, higher than at every earlier start of the node; at least 0
 * @param address the HOST:PORT at which other agents reach it
 * @param site the name of its site; null if none is configured
 * @param cluster the name of its cluster, the same at all members; may be empty
 * @param membership the members that it links with
 * @param overlay the choice of links in a cluster whose members are discovered
 * @param links times and limits of links
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes of a measured round trip change the link's weight
 * @param throughput when throughput is measured
 * @param broadcast limits of broadcasts
 * @param collectives limits of collective operations
 * @param readyMembers the number of members in the tree from which the agent is ready; at least 1
 */
public record CoreConfig(
    NodeId self,
    long incarnation,
    String address,
    @Nullable String site,
    String cluster,
    Membership membership,
    OverlayLimits overlay,
    LinkLimits links,
    ProbePolicy probes,
    SilencePolicy silence,
    SignificancePolicy significance,
    ThroughputPolicy throughput,
    BroadcastLimits broadcast,
    CombiningLimits collectives,
    int readyMembers) {

  /** Returns the Hello that this agent sends to all others. */
  public PeerMessage.Hello hello() {
    return new PeerMessage.Hello(
        self, incarnation, address, site, cluster, throughput.enabled(), broadcast.chunkBytes());
  }
}
