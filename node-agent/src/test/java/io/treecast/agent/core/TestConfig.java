package io.treecast.agent.core;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;

/** Settings of the agents under test: the defaults, except for those that a test is about. */
public final class TestConfig {
  private TestConfig() {}

  public static CoreConfig of(
      NodeId self,
      long incarnation,
      String address,
      Membership membership,
      LinkLimits links,
      BroadcastLimits broadcast) {
    return of(self, incarnation, address, membership, links, ThroughputPolicy.DISABLED, broadcast);
  }

  public static CoreConfig of(
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

  public static CoreConfig of(PeerMessage.Hello self, Membership membership, LinkLimits links) {
    return of(
        self.node(),
        self.incarnation(),
        self.address(),
        membership,
        links,
        BroadcastLimits.defaults());
  }
}
