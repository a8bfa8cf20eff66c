package io.treecast.monitor.forecast;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;

/**
 * The common deviation of an agent's series from their expected values. One instance for all links
 * of an agent, for one resource; its state is the latest deviation of a few series.
 *
 * <p>Why: a cause that slows down a host, or its path to the network, slows down all its links, one
 * measurement after the other. The links that are measured first show what to expect of the others.
 * A single link does not, because most of its deviations are its own: so nearly all must agree, and
 * the least common deviation is taken.
 *
 * <p>Single-threaded, on the thread of the banks.
 */
public final class CommonShift {
  /** The number of other series that are consulted: those with the latest samples. */
  public static final int OTHERS = 6;

  /** The number of them that may disagree. */
  public static final int DISSENTERS = 1;

  private record Deviation(Object series, double amount) {}

  /**
   * The latest deviations, oldest first: of the consulted series, and of the one that consults
   * them.
   */
  private final Deque<Deviation> latest = new ArrayDeque<>();

  /**
   * Takes in a sample of a series.
   *
   * @param series any object that identifies it
   * @param amount the sample minus the series' own forecast of it
   */
  void deviated(Object series, double amount) {
    latest.removeIf(deviation -> deviation.series().equals(series));
    latest.addLast(new Deviation(series, amount));
    if (latest.size() > OTHERS + 1) {
      latest.removeFirst();
    }
  }

  /**
   * Returns the correction of a series' own forecast, in the unit of the samples; 0 if the others
   * do not agree, or are too few.
   */
  double of(Object series) {
    double[] asked = new double[OTHERS];
    int count = 0;
    Iterator<Deviation> latestFirst = latest.descendingIterator();
    while (count < OTHERS && latestFirst.hasNext()) {
      Deviation deviation = latestFirst.next();
      if (!deviation.series().equals(series)) {
        asked[count] = deviation.amount();
        count++;
      }
    }
    if (count < OTHERS) {
      return 0;
    }
    Arrays.sort(asked);
    double leastUp = asked[DISSENTERS];
    double leastDown = asked[OTHERS - 1 - DISSENTERS];
    if (leastUp > 0) {
      return leastUp;
    }
    return Math.min(0, leastDown);
  }
}
