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
 * One run, drawn from a seed: the network, what happens to it, and which link delivers next. First
 * anything may happen at any time (safety); then nothing happens any more, and the network must
 * come to rest in the right state (liveness).
 *
 * <p>As a function: what went wrong with the run of a seed, or the empty string.
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
   * Such schedules.
   *
   * @param isHarsh whether nodes also start apart, links come up again at once while one end may
   *     not know yet that they were down, some links are 1000 times slower, and a node may be alone
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

  /** Runs it again, for the log. */
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

  /** How often a random event is of each kind; what is left over crashes or restarts a node. */
  private record Mix(double down, double up, double weight) {}

  private final class Run {
    private final Random random;

    /** Whether what is down looks dead to its neighbours. */
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

    /** A spanning tree, so that it is connected at first, and any number of other links. */
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

    /** Half of the runs starve some directed links, or all to one node, or all from one. */
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

    /** In a harsh run some start when others have already sent to them. */
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

    /** A link that goes down, which one end may hear much later, and comes up again at once. */
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
