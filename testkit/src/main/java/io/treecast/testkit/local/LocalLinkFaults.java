package io.treecast.testkit.local;

import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.testkit.cluster.LinkFaults;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.NodeGroup;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Faults of links between real agents, applied to the conditions and to the emulation, which reads
 * the round trips from the conditions. Thread-safe.
 */
final class LocalLinkFaults implements LinkFaults {
  private final NetworkConditions conditions;
  private final LinkEmulation emulation;
  private final Consumer<String> log;

  LocalLinkFaults(NetworkConditions conditions, LinkEmulation emulation, Consumer<String> log) {
    this.conditions = conditions;
    this.emulation = emulation;
    this.log = log;
  }

  @Override
  public void cut(int one, int other) {
    conditions.cut(one, other);
    log.accept("cut " + one + "-" + other);
    emulation.cut(LocalCluster.id(one), LocalCluster.id(other));
  }

  @Override
  public void oneWay(int from, int to) {
    conditions.oneWay(from, to);
    log.accept("one way: nothing passes from " + from + " to " + to);
    emulation.cutOneWay(LocalCluster.id(from), LocalCluster.id(to));
  }

  @Override
  public void heal(int one, int other) {
    conditions.heal(one, other);
    log.accept("heal " + one + "-" + other);
    emulation.heal(LocalCluster.id(one), LocalCluster.id(other));
  }

  @Override
  public void heal() {
    conditions.heal();
    log.accept("heal");
    emulation.healAll();
  }

  @Override
  public void partition(NodeGroup... groups) {
    conditions.partition(List.of(groups));
    log.accept(
        "partition "
            + Arrays.stream(groups).map(NodeGroup::toString).collect(Collectors.joining(" | ")));
    for (int node : conditions.nodes()) {
      for (int neighbour : conditions.neighbours(node)) {
        if (!conditions.passes(node, neighbour)) {
          emulation.cutOneWay(LocalCluster.id(node), LocalCluster.id(neighbour));
        }
      }
    }
  }

  @Override
  public void rtt(int one, int other, double millis) {
    conditions.rtt(one, other, Math.round(millis * 1_000));
    log.accept("rtt " + one + "-" + other + " " + millis + " ms");
  }

  @Override
  public void loss(int one, int other, double probability) {
    conditions.loss(one, other, probability);
    log.accept("loss " + one + "-" + other + " " + probability);
    emulation.setLoss(LocalCluster.id(one), LocalCluster.id(other), probability);
  }

  @Override
  public void reset(int one, int other) {
    // Throws for an unknown link.
    conditions.rttMicros(one, other);
    log.accept("reset " + one + "-" + other);
    emulation.reset(LocalCluster.id(one), LocalCluster.id(other));
  }
}
