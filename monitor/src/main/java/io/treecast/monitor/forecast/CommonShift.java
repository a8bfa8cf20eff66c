package io.treecast.monitor.forecast;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * What the series of one agent have in common for now: by how much they all differ from what was
 * expected of them. One for all links of an agent, for one resource; its state is the latest
 * deviation of a few series.
 *
 * <p>Why: what slows down a host, or its way to the network, slows down all its links, one
 * measurement after the other. Those that are measured first tell what to expect of the others. A
 * link alone does not, since most of what slows it down for once is its own: so nearly all must
 * agree, and the least that they agree on is taken.
 *
 * <p>Single-threaded, on the thread of the banks.
 */
public final class CommonShift {
  /** How many other series are asked: those that had a sample last. */
  public static final int OTHERS = 6;

  /** How many of them may say something else. */
  public static final int DISSENTERS = 1;

  private record Deviation(Object series, double amount) {}

  /** The one whose sample is oldest first; those that are asked, and the one that asks. */
  private final Deque<Deviation> latest = new ArrayDeque<>();

  /**
   * Takes in a sample of some series.
   *
   * @param series any object that stands for it
   * @param amount the sample without what the series alone let expect
   */
  void deviated(Object series, double amount) {
    latest.removeIf(deviation -> deviation.series().equals(series));
    latest.addLast(new Deviation(series, amount));
    if (latest.size() > OTHERS + 1) {
      latest.removeFirst();
    }
  }

  /**
   * What to add to what a series alone lets expect, in the unit of the samples: 0 where the others
   * do not agree, or are too few.
   */
  double of(Object series) {
    double[] others =
        latest.stream()
            .filter(deviation -> !deviation.series().equals(series))
            .mapToDouble(Deviation::amount)
            .toArray();
    if (others.length < OTHERS) {
      return 0;
    }
    double[] asked = Arrays.copyOfRange(others, others.length - OTHERS, others.length);
    Arrays.sort(asked);
    double leastUp = asked[DISSENTERS];
    double leastDown = asked[OTHERS - 1 - DISSENTERS];
    if (leastUp > 0) {
      return leastUp;
    }
    return Math.min(0, leastDown);
  }
}
