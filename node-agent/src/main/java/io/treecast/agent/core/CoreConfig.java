package io.treecast.agent.core;

import io.treecast.collectives.BroadcastLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;

/**
 * What one agent is told at its start.
 *
 * @param self its node id
 * @param incarnation differs from that of every earlier start of this node
 * @param address HOST:PORT where other agents reach it
 * @param membership who it links with
 * @param links times and bounds of linking
 * @param probes when links are measured
 * @param broadcast bounds of the data
 */
public record CoreConfig(
    NodeId self,
    long incarnation,
    String address,
    Membership membership,
    LinkLimits links,
    ProbePolicy probes,
    BroadcastLimits broadcast) {}
