package io.treecast.testkit.local;

import io.treecast.agent.transport.DelayLine;
import io.treecast.agent.transport.LinkEmulation;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.network.Topology;

/** Holds every message back for half of its link's round trip in a topology. Thread-safe. */
final class EmulatedLatency implements LinkEmulation, AutoCloseable {
  private final Topology topology;
  private final DelayLine delayLine = new DelayLine();

  EmulatedLatency(Topology topology) {
    this.topology = topology;
  }

  @Override
  public long delayNanos(NodeId from, NodeId to) {
    int sender = LocalCluster.number(from);
    int receiver = LocalCluster.number(to);
    return topology.linked(sender, receiver) ? topology.rttMicros(sender, receiver) * 1_000 / 2 : 0;
  }

  @Override
  public DelayLine delayLine() {
    return delayLine;
  }

  @Override
  public void close() {
    delayLine.close();
  }
}
