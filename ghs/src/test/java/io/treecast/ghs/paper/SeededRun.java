package io.treecast.ghs.paper;

import io.treecast.ghs.NodeId;
import io.treecast.ghs.paper.SimulatedNetwork.Conditions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * One run, drawn from a seed: the topology, who wakes when, and the delay of each message.
 *
 * <p>As a function: what went wrong with the run of a seed, or the empty string.
 */
final class SeededRun implements LongFunction<String> {
  /** What the links do to the messages of a run besides delaying them. */
  enum Fault {
    NONE,
    REORDER,
    DROP_ONE,
    REPEAT_ONE
  }

  private final Fault fault;
  private final Coverage coverage;

  /** Runs over faultless links. */
  SeededRun() {
    this(Fault.NONE, new Coverage());
  }

  SeededRun(Fault fault, Coverage coverage) {
    this.fault = fault;
    this.coverage = coverage;
  }

  @Override
  public String apply(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    TopologyFamily[] families = TopologyFamily.values();
    TopologyFamily family = families[(int) Math.floorMod(seed, (long) families.length)];
    Topology topology = family.draw(random);
    SimulatedNetwork network = new SimulatedNetwork(topology, drawConditions(random));
    drawWakeUps(topology, network, random);
    try {
      network.run(CompletedRun.messageBound(topology.nodes().size(), topology.links().size()));
      new CompletedRun(topology, network).verify();
    } catch (AssertionError | RuntimeException failure) {
      return describe(seed, family, topology, network, failure);
    }
    coverage.add(topology, network);
    return "";
  }

  /** Everybody at once, everybody at any time, or a few, who wake the others. */
  private static void drawWakeUps(Topology topology, SimulatedNetwork network, Random random) {
    int style = random.nextInt(3);
    if (style < 2) {
      topology
          .nodes()
          .forEach(node -> network.wakeAt(node, style == 0 ? 0 : random.nextInt(20_000)));
      return;
    }
    topology
        .minimumSpanningForest()
        .components()
        .forEach(
            component -> {
              List<NodeId> members = List.copyOf(component);
              int count = 1 + random.nextInt(members.size());
              for (int i = 0; i < count; i++) {
                NodeId member = members.get(random.nextInt(members.size()));
                network.wakeAt(member, random.nextInt(20_000));
              }
            });
  }

  private Conditions drawConditions(Random random) {
    List<LongUnaryOperator> styles =
        List.of(
            slowness -> 100,
            slowness -> 1 + random.nextInt(1_000),
            slowness -> 1L << random.nextInt(14),
            slowness -> slowness * (1 + random.nextInt(10)));
    LongUnaryOperator style = styles.get(random.nextInt(styles.size()));
    long target = random.nextInt(60);
    Map<List<NodeId>, Long> slowness = new HashMap<>();
    return new Conditions() {
      @Override
      public long delayMicros(NodeId from, NodeId to) {
        return style.applyAsLong(
            slowness.computeIfAbsent(
                List.of(from, to), ends -> random.nextInt(4) == 0 ? 1_000L : 1L));
      }

      @Override
      public boolean inOrder() {
        return fault != Fault.REORDER;
      }

      @Override
      public int copies(long number) {
        if (number != target) {
          return 1;
        }
        return fault == Fault.DROP_ONE ? 0 : fault == Fault.REPEAT_ONE ? 2 : 1;
      }
    };
  }

  private static String describe(
      long seed,
      TopologyFamily family,
      Topology topology,
      SimulatedNetwork network,
      Throwable failure) {
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(", ").append(family).append(": ").append(failure);
    text.append("\n\nlinks ").append(topology.links());
    text.append("\n\nlast events\n").append(network.lastEvents()).append("\nnodes\n");
    network.nodes().forEach(node -> text.append("  ").append(node).append('\n'));
    return text.toString();
  }
}
