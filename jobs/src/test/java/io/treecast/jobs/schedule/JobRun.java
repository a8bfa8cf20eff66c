package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * A random network with random jobs and faults, a function of its seed. Returns what went wrong, or
 * an empty text. Faults end after some time; then each job whose owner lives must end with the
 * right result, and all members must come to rest.
 */
final class JobRun implements LongFunction<String> {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAULTS_END = 40 * SECOND;
  private static final long END = 3_000 * SECOND;

  /** When no worker has had work for so long after the faults, none will have. */
  private static final long PAUSE = 100 * SECOND;

  /** How often each thing happened, over all seeds. */
  final Map<String, Long> coverage = new TreeMap<>();

  @Override
  public String apply(long seed) {
    try {
      return new OneRun(seed).run();
    } catch (RuntimeException e) {
      return "seed " + seed + ": " + e + " at " + e.getStackTrace()[0];
    }
  }

  private final class OneRun {
    private final long seed;
    private final Random random;
    private final JobNetwork network;
    private final int[] site;
    private final List<Expected> expected = new ArrayList<>();
    private boolean isQuiet;
    private int maxChildren;
    private int maxLevels;
    private long incarnations;

    private record Expected(int owner, JobId job, Branch task) {}

    OneRun(long seed) {
      this.seed = seed;
      random = new Random(seed);
      // Members of a group of more than 25 have partners.
      int members = random.nextInt(40) == 0 ? 30 : 2 + random.nextInt(7);
      int sites = 1 + random.nextInt(3);
      site = new int[members];
      for (int i = 0; i < members; i++) {
        site[i] = random.nextInt(sites);
      }
      long betweenNanos = (5 + random.nextInt(400)) * 1_000_000L;
      network =
          new JobNetwork(
              site,
              (from, to) ->
                  site[from] == site[to]
                      ? 100_000 + random.nextInt(400_000)
                      : betweenNanos / 2 + random.nextInt(10_000_000));
      incarnations = 1_000 * seed + 1;
    }

    String run() {
      for (JobNetwork.Node node : network.nodes) {
        start(node);
      }
      network.tellMembers(this::siteName);
      long workMicros = 1_000L << random.nextInt(8);
      network.workNanos = (node, work) -> (1 + random.nextInt((int) (2 * workMicros))) * 1_000L;
      int jobs = 1 + random.nextInt(2);
      for (int i = 0; i < jobs; i++) {
        network.at(random.nextInt(3) * SECOND, this::runJob);
      }
      isQuiet = random.nextInt(4) == 0;
      if (!isQuiet) {
        double lossRate = random.nextBoolean() ? 0 : random.nextDouble() * 0.2;
        network.loss = () -> network.nowNanos < FAULTS_END && random.nextDouble() < lossRate;
        double lateRate = random.nextBoolean() ? 0 : random.nextDouble() * 0.1;
        network.lateNanos =
            () ->
                network.nowNanos < FAULTS_END && random.nextDouble() < lateRate
                    ? random.nextInt(15) * SECOND
                    : 0;
        int faults = 1 + random.nextInt(6);
        for (int i = 0; i < faults; i++) {
          network.at((long) (random.nextDouble() * random.nextInt(12) * SECOND), this::fault);
        }
      }
      network.at(
          FAULTS_END,
          () -> {
            Arrays.fill(network.part, 0);
            network.tellMembers(this::siteName);
          });
      long until = FAULTS_END;
      do {
        until += PAUSE;
        network.run(until);
      } while (until < END && network.lastWorkNanos > until - PAUSE);
      return verdict(until);
    }

    private String siteName(int node) {
      return "site " + site[node];
    }

    private void start(JobNetwork.Node node) {
      incarnations++;
      node.start(incarnations, 1 + random.nextInt(2));
    }

    private void runJob() {
      JobNetwork.Node owner = network.nodes.get(random.nextInt(network.nodes.size()));
      if (!owner.isRunning) {
        return;
      }
      int levels = 5 + random.nextInt(4);
      int children = 3 + random.nextInt(3);
      maxLevels = Math.max(maxLevels, levels);
      maxChildren = Math.max(maxChildren, children);
      Branch task =
          random.nextInt(3) == 0
              ? Branch.search(random.nextLong(), levels, children)
              : Branch.sum(random.nextLong(), levels, children);
      expected.add(new Expected(owner.number, owner.runJob(task), task));
    }

    private void fault() {
      JobNetwork.Node node = network.nodes.get(random.nextInt(network.nodes.size()));
      long later = network.nowNanos + (long) (random.nextDouble() * 20 * SECOND);
      switch (random.nextInt(5)) {
        case 0 -> {
          acknowledged("crash");
          boolean withAgent = random.nextBoolean();
          node.crash(withAgent);
          network.at(network.nowNanos + SECOND, () -> network.tellMembers(this::siteName));
        }
        case 1 -> {
          acknowledged("restart");
          node.crash(true);
          network.at(
              later,
              () -> {
                if (!node.isRunning) {
                  start(node);
                  network.tellMembers(this::siteName);
                }
              });
        }
        case 2 -> {
          acknowledged("quick restart");
          node.crash(false);
          start(node);
          network.tellMembers(this::siteName);
        }
        case 3 -> {
          // The tree loses members for a moment, and no message is lost.
          acknowledged("flap");
          splitAtRandom();
          network.tellMembers(this::siteName);
          Arrays.fill(network.part, 0);
          network.at(
              network.nowNanos + random.nextInt(3_000) * 1_000_000L,
              () -> network.tellMembers(this::siteName));
        }
        default -> {
          acknowledged("partition");
          splitAtRandom();
          network.at(
              network.nowNanos + random.nextInt(4) * SECOND,
              () -> network.tellMembers(this::siteName));
          network.at(
              later,
              () -> {
                Arrays.fill(network.part, 0);
                network.tellMembers(this::siteName);
              });
        }
      }
    }

    private void splitAtRandom() {
      for (int i = 0; i < network.part.length; i++) {
        network.part[i] = random.nextInt(2);
      }
    }

    private void acknowledged(String what) {
      coverage.merge(what, 1L, Long::sum);
    }

    private String verdict(long endNanos) {
      if (!network.broken.isEmpty()) {
        return "seed " + seed + ": " + network.broken;
      }
      for (Expected each : expected) {
        Outcome<Long> outcome = network.nodes.get(each.owner()).outcomes.get(each.job());
        if (outcome == null && !wasRestarted(each)) {
          return "seed " + seed + ": job " + each.job() + " has no result";
        }
        if (outcome != null && !Outcome.of(each.task().result()).equals(outcome)) {
          return "seed " + seed + ": " + outcome + " instead of " + each.task().result();
        }
        if (outcome != null) {
          acknowledged(each.task().isSearch() ? "searched" : "summed");
        }
      }
      for (JobNetwork.Node node : network.nodes) {
        if (node.isRunning) {
          Counts counts = node.scheduler().counts();
          coverage.merge("rerun", counts.rerun(), Long::sum);
          coverage.merge("duplicates", counts.duplicates(), Long::sum);
          coverage.merge("stolen between sites", counts.stolenBetweenSites(), Long::sum);
          coverage.merge("stolen in site", counts.stolenInSite(), Long::sum);
          if (counts.rerun() == 0 && counts.longestQueue() > 2L * maxLevels * maxChildren) {
            return "seed " + seed + ": " + counts.longestQueue() + " tasks wait at a member";
          }
          if (isQuiet && counts.rerun() + counts.duplicates() > 0) {
            return "seed " + seed + ": tasks ran twice without faults";
          }
          if (!node.scheduler().isAtRest()) {
            return "seed " + seed + ": member " + node.number + " is not at rest";
          }
        }
      }
      if (network.lastSentNanos > endNanos - PAUSE / 2) {
        return "seed " + seed + ": messages do not end";
      }
      return "";
    }

    private boolean wasRestarted(Expected each) {
      JobNetwork.Node owner = network.nodes.get(each.owner());
      return !owner.isRunning || owner.incarnation != each.job().incarnation();
    }
  }
}
