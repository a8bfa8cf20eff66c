package io.treecast.mst;

import io.treecast.mst.ShuffledMedium.Starvation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * One run, drawn from a seed: the network, the events, and which link delivers next. In the first
 * part, any event may happen at any time (safety). Then events end, and the network must come to
 * rest in the right state (liveness).
 *
 * <p>As a function, it returns the failure of the run of a seed, or the empty string.
 */
final class FaultSchedule implements LongFunction<String> {
  private static final int LINES_OF_LOG = 60;

  private final int maxNodes;
  private final int maxEvents;
  private final boolean isHarsh;
  private final long maxDeliveries;
  private final Coverage coverage;

  FaultSchedule(int maxNodes, int maxEvents) {
    this(maxNodes, maxEvents, false, new Coverage());
  }

  /**
   * Schedules of one kind.
   *
   * @param isHarsh whether, in addition, nodes start at different times, links come up again at
   *     once while one end may not know yet that they were down, some links are 1000 times slower,
   *     and a node may have no link
   */
  FaultSchedule(int maxNodes, int maxEvents, boolean isHarsh, Coverage coverage) {
    this.maxNodes = maxNodes;
    this.maxEvents = maxEvents;
    this.isHarsh = isHarsh;
    this.maxDeliveries = maxNodes <= 10 ? 200_000 : 1_000_000;
    this.coverage = coverage;
  }

  @Override
  public String apply(long seed) {
    try {
      new Run(seed, coverage).go();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      return describe(seed, failure);
    }
  }

  /** Runs a schedule again, for the log. */
  private String describe(long seed, Throwable failure) {
    Deque<String> lines = new ArrayDeque<>();
    Run again = new Run(seed, new Coverage());
    again.network.logTo(
        line -> {
          lines.add(line);
          if (lines.size() > LINES_OF_LOG) {
            lines.remove();
          }
        });
    String second = "it did not fail again: it is not a function of the seed";
    try {
      again.go();
    } catch (AssertionError | RuntimeException failedAgain) {
      second = failedAgain.toString();
    }
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(": ").append(failure);
    text.append("\nto repeat it: ").append(command(seed));
    text.append("\nagain: ").append(second);
    text.append("\nlinks ").append(again.network.weights());
    text.append("\nlast events\n  ").append(String.join("\n  ", lines));
    text.append("\nnodes\n");
    again.network.aliveNodes().forEach(node -> text.append("  ").append(node).append('\n'));
    return text.toString();
  }

  private String command(long seed) {
    return "mvn -B -pl mst-adapt -am test -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dtest=AdaptiveTreeSweepTest -Dtreecast.nodes="
        + maxNodes
        + " -Dtreecast.events="
        + maxEvents
        + " -Dtreecast.harsh="
        + isHarsh
        + " -Dtreecast.seed="
        + seed;
  }

  /** The share of each kind among random events. The remaining events crash or restart a node. */
  private record Mix(double down, double up, double weight) {}

  private final class Run {
    private final Random random;

    /** Whether a failure looks to its neighbours like the death of a node. */
    private final Random looks;

    private final int size;
    private final int maxRttMicros;
    private final ShuffledMedium medium;
    private final Network network;
    private final TreeSet<Integer> crashed = new TreeSet<>();
    private final double eventRate;
    private final Mix mix;
    private int eventsLeft;

    Run(long seed, Coverage coverage) {
      random = new Random(new SplittableRandom(seed).nextLong());
      looks = new Random(new SplittableRandom(~seed).nextLong());
      size = isHarsh ? 1 + random.nextInt(maxNodes) : 2 + random.nextInt(maxNodes - 1);
      maxRttMicros = pick(4, 50, 1_000_000);
      eventsLeft = random.nextInt(maxEvents + 1);
      eventRate = pick(0.002, 0.02, 0.1, 0.5);
      Mix even = new Mix(0.3, 0.2, 0.35);
      mix = pick(even, even, new Mix(0.05, 0.05, 0.9), new Mix(0.45, 0.15, 0.15));
      medium = new ShuffledMedium(size, random, drawStarvation());
      network = new Network(size, medium, coverage);
      drawLinks();
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
      return choices[random.nextInt(choices.length)];
    }

    private long drawRttMicros() {
      return 1L + random.nextInt(maxRttMicros);
    }

    /**
     * Adds a spanning tree, so that the network is connected at first, and any number of other
     * links.
     */
    private void drawLinks() {
      for (int i = 1; i < size; i++) {
        network.linkFromTheStart(random.nextInt(i), i, drawRttMicros());
      }
      if (size == 1) {
        return;
      }
      int all = size * (size - 1) / 2;
      int wanted = size - 1 + random.nextInt(all - size + 2);
      while (network.linkEnds().size() < wanted) {
        int one = random.nextInt(size);
        int other = random.nextInt(size);
        if (one != other && !network.isUp(one, other)) {
          network.linkFromTheStart(one, other, drawRttMicros());
        }
      }
    }

    /**
     * Starves, in half of the runs, some directed links, or all links to one node, or all from one.
     */
    private Starvation drawStarvation() {
      double kind = random.nextDouble();
      int passes = isHarsh ? pick(5, 30, 1_000) : pick(5, 30);
      int node = random.nextInt(size);
      if (kind < 0.25) {
        boolean[] starved = new boolean[size * size];
        for (int link = 0; link < starved.length; link++) {
          starved[link] = random.nextInt(5) == 0;
        }
        return new Starvation(passes, link -> starved[link]);
      }
      if (kind < 0.4) {
        return new Starvation(passes, link -> link % size == node);
      }
      if (kind < 0.5) {
        return new Starvation(passes, link -> link / size == node);
      }
      return Starvation.NONE;
    }

    void go() {
      startAll();
      long deliveries = 0;
      boolean buildsFirst = random.nextDouble() < 0.4;
      while (buildsFirst && !network.isQuiet()) {
        network.step();
      }
      while (!network.isQuiet() || eventsLeft > 0) {
        if (eventsLeft > 0 && (network.isQuiet() || random.nextDouble() < eventRate)) {
          eventsLeft--;
          happen();
        } else {
          network.step();
          deliveries++;
          if (deliveries > maxDeliveries) {
            throw new AssertionError("no rest after " + deliveries + " deliveries");
          }
        }
      }
      new RestingState(network).verify();
    }

    /** In a harsh run some nodes start when others have already sent them messages. */
    private void startAll() {
      for (int i = 0; i < size; i++) {
        for (int step = 0; isHarsh && step < size && !network.isQuiet(); step++) {
          if (random.nextInt(4) == 0) {
            network.step();
          }
        }
        network.start(i);
      }
    }

    private void happen() {
      if (isHarsh && random.nextInt(4) == 0) {
        flap();
        return;
      }
      double kind = random.nextDouble();
      List<int[]> links = network.linkEnds();
      if (kind < mix.down && !links.isEmpty()) {
        int[] link = links.get(random.nextInt(links.size()));
        network.linkDown(link[0], link[1], looks.nextInt(4) == 0);
      } else if (kind < mix.down + mix.up) {
        int one = random.nextInt(size);
        int other = random.nextInt(size);
        if (one != other) {
          network.linkUp(one, other, drawRttMicros());
        }
      } else if (kind < mix.down + mix.up + mix.weight && !links.isEmpty()) {
        int[] link = links.get(random.nextInt(links.size()));
        network.reweigh(link[0], link[1], drawRttMicros());
      } else if (!crashed.isEmpty() && random.nextDouble() < 0.6) {
        restart(new ArrayList<>(crashed).get(random.nextInt(crashed.size())));
      } else if (size - crashed.size() > 2) {
        List<Integer> alive = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          if (network.isAlive(i)) {
            alive.add(i);
          }
        }
        int victim = alive.get(random.nextInt(alive.size()));
        crashed.add(victim);
        network.crash(victim, looks.nextInt(4) > 0);
      }
    }

    /** Takes a link down, which one end may learn much later, and brings it up again at once. */
    private void flap() {
      List<int[]> links = network.linkEnds();
      if (links.isEmpty()) {
        return;
      }
      int[] link = links.get(random.nextInt(links.size()));
      boolean isFirstLate = random.nextBoolean();
      network.linkDown(link[0], link[1]);
      if (random.nextBoolean()) {
        medium.holdUp(isFirstLate ? link[1] : link[0], isFirstLate ? link[0] : link[1]);
      }
      if (random.nextBoolean()) {
        network.linkUp(link[0], link[1], drawRttMicros());
      }
    }

    private void restart(int index) {
      crashed.remove(index);
      network.restart(index);
      for (int peer = 0; peer < size; peer++) {
        if (peer != index && random.nextBoolean()) {
          network.linkUp(index, peer, drawRttMicros());
        }
      }
    }
  }
}
