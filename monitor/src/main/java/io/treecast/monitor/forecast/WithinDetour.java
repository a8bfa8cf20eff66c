package io.treecast.monitor.forecast;

import java.util.function.DoubleSupplier;

/**
 * Expects what another method does, but of a link with a single measurement no more than {@value
 * #MOST_DETOURS} times the shortest detour: the way to its other end over one other node.
 *
 * <p>Why: a first measurement may be of a bad moment, and nothing in the series tells. Round trips
 * come near to the triangle inequality: a link that takes several times the detour was probably
 * disturbed. Some links do so for good, and the second measurement of one is believed. Whether that
 * pays is not the same everywhere, so this is one method among others, to be chosen or not.
 */
public final class WithinDetour implements Forecaster {
  /** How many times the detour a link may take that is believed at once. */
  public static final int MOST_DETOURS = 2;

  /** What the name of the other method ends with. */
  public static final String SUFFIX = "-detour";

  private final Forecaster other;
  private final DoubleSupplier detour;
  private int samples;

  /**
   * A forecaster without samples.
   *
   * @param other without samples, of this forecaster alone
   * @param detour what the shortest detour takes as far as is known now, in the unit of the
   *     samples; infinite if none is known
   */
  public WithinDetour(Forecaster other, DoubleSupplier detour) {
    this.other = other;
    this.detour = detour;
  }

  @Override
  public String name() {
    return other.name() + SUFFIX;
  }

  /** That of the other method while there is nothing to add to what it says. */
  @Override
  public String speaker() {
    return forecast() == other.forecast() ? other.speaker() : name();
  }

  @Override
  public void add(double value) {
    other.add(value);
    samples = Math.min(2, samples + 1);
  }

  @Override
  public double forecast() {
    double expected = other.forecast();
    return samples == 1 ? Math.min(expected, MOST_DETOURS * detour.getAsDouble()) : expected;
  }
}
