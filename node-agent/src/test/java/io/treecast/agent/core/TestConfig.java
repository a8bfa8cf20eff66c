package io.treecast.agent.core;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;
import io.treecast.monitor.SignificancePolicy;
import io.treecast.monitor.SilencePolicy;
import io.treecast.monitor.ThroughputPolicy;

/**
 * What the agents under test are told at their start: the defaults but for what a test is about.
 */
final class TestConfig {
  private TestConfig() {}

  static CoreConfig of(
      NodeId self,
      long incarnation,
      String address,
      Membership membership,
      LinkLimits links,
      BroadcastLimits broadcast) {
    return of(self, incarnation, address, membership, links, ThroughputPolicy.DISABLED, broadcast);
  }

  static CoreConfig of(
      NodeId self,
      long incarnation,
      String address,
      Membership membership,
      LinkLimits links,
      ThroughputPolicy throughput,
      BroadcastLimits broadcast) {
    return new CoreConfig(
        self,
        incarnation,
        address,
        null,
        "",
        membership,
        OverlayLimits.DEFAULT,
        links,
        ProbePolicy.DEFAULT,
        SilencePolicy.DEFAULT,
        SignificancePolicy.DEFAULT,
        throughput,
        broadcast,
        CombiningLimits.defaults(),
        1);
  }

  static CoreConfig of(PeerMessage.Hello self, Membership membership, LinkLimits links) {
    return of(
        self.node(),
        self.incarnation(),
        self.address(),
        membership,
        links,
        BroadcastLimits.defaults());
  }
}
