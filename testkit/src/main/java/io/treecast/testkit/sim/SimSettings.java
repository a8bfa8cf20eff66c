package io.treecast.testkit.sim;

import io.treecast.agent.core.CoreConfig;
import io.treecast.agent.core.LinkLimits;
import io.treecast.agent.core.Membership;
import io.treecast.collectives.BroadcastLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;
import io.treecast.monitor.SignificancePolicy;
import io.treecast.monitor.SilencePolicy;
import io.treecast.monitor.ThroughputPolicy;
import io.treecast.monitor.WeightGrid;

/**
 * How the agents of a simulated cluster measure, where it is not as agents do by default.
 *
 * @param probes when links are measured
 * @param silence when a link counts as silent
 * @param significance which changes are changes of the weight
 * @param throughput when throughput is measured
 * @param discovery whether agents where all nodes are linked find each other; if not, they are told
 */
record SimSettings(
    ProbePolicy probes,
    SilencePolicy silence,
    SignificancePolicy significance,
    ThroughputPolicy throughput,
    boolean discovery) {

  /**
   * The defaults, with weights to the microsecond, since virtual time has no noise; throughput is
   * not measured, since links have no limit unless one is set.
   */
  static final SimSettings DEFAULT =
      new SimSettings(
          ProbePolicy.DEFAULT,
          SilencePolicy.DEFAULT,
          SignificancePolicy.DEFAULT.withGrid(WeightGrid.EXACT),
          ThroughputPolicy.DISABLED,
          true);

  /** The same, but throughput is measured as agents do by default. */
  static final SimSettings MEASURING_THROUGHPUT = DEFAULT.with(ThroughputPolicy.DEFAULT);

  /** The same, but throughput is measured in this way. */
  SimSettings with(ThroughputPolicy other) {
    return new SimSettings(probes, silence, significance, other, discovery);
  }

  /** What an agent is told at its start; its address is its id. */
  CoreConfig config(NodeId self, long incarnation, Membership membership) {
    return new CoreConfig(
        self,
        incarnation,
        self.toString(),
        membership,
        LinkLimits.DEFAULT,
        probes,
        silence,
        significance,
        throughput,
        BroadcastLimits.defaults());
  }
}
