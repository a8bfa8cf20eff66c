package io.treecast.agent.core.settings;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.CombiningLimits;
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
 * @param incarnation higher than at every earlier start of this node; at least 0
 * @param address HOST:PORT where other agents reach it
 * @param site the name of its site; null to go by what links show
 * @param cluster the name of its cluster, common to all its members; may be empty
 * @param membership the members that it links with
 * @param overlay which links it has where members find each other
 * @param links times and bounds of linking
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes of a measured round trip are changes of the link's weight
 * @param throughput when throughput is measured
 * @param broadcast bounds of the data
 * @param collectives bounds of collective operations
 * @param readyMembers how many members its tree must have until the agent is ready; at least 1
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

  /** Returns this agent's introduction to every other. */
  public PeerMessage.Hello hello() {
    return new PeerMessage.Hello(
        self, incarnation, address, site, cluster, throughput.enabled(), broadcast.chunkBytes());
  }
}
