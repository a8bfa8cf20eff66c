package io.treecast.testkit.sim.network;

import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.LinkFaults;
import io.treecast.testkit.network.NodeGroup;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Faults of the links of a simulated network. Single-threaded. */
public final class SimLinkFaults implements LinkFaults {
  private final SimNetwork network;
  private final ClusterHistory history;

  public SimLinkFaults(SimNetwork network, ClusterHistory history) {
    this.network = network;
    this.history = history;
  }

  @Override
  public void cut(int one, int other) {
    network.conditions().cut(one, other);
    note("cut " + one + "-" + other);
  }

  @Override
  public void oneWay(int from, int to) {
    network.conditions().oneWay(from, to);
    note("one way: nothing passes from " + from + " to " + to);
  }

  @Override
  public void heal(int one, int other) {
    network.conditions().heal(one, other);
    network.released();
    note("heal " + one + "-" + other);
  }

  @Override
  public void heal() {
    network.conditions().heal();
    network.released();
    note("heal");
  }

  @Override
  public void partition(NodeGroup... groups) {
    network.conditions().partition(List.of(groups));
    note(
        "partition "
            + Arrays.stream(groups).map(NodeGroup::toString).collect(Collectors.joining(" | ")));
  }

  @Override
  public void rtt(int one, int other, double millis) {
    network.conditions().rtt(one, other, Math.round(millis * 1_000));
    note("rtt " + one + "-" + other + " " + millis + " ms");
  }

  @Override
  public void loss(int one, int other, double probability) {
    network.conditions().loss(one, other, probability);
    note("loss " + one + "-" + other + " " + probability);
  }

  @Override
  public void reset(int one, int other) {
    // Throws for an unknown link.
    network.conditions().rttMicros(one, other);
    network.reset(one, other);
    note("reset " + one + "-" + other);
  }

  private void note(String what) {
    history.changed(network.nowNanos(), what);
  }
}
