package io.treecast.monitor.forecast;

import java.util.function.DoubleSupplier;

/**
 * Limits another method's forecast for a link with a single measurement to {@value #MOST_DETOURS}
 * times the shortest detour: the path to its other end over one other node.
 *
 * <p>Why: a first measurement may be disturbed, and nothing in the series shows that. Round trips
 * nearly obey the triangle inequality: a link that takes several times the detour was probably
 * disturbed. Some links always take that long, so a second measurement is believed. The limit does
 * not improve all networks, so this is one method among others.
 */
public final class DetourLimit implements Forecaster {
  /** The multiple of the detour up to which a single measurement is believed. */
  public static final int MOST_DETOURS = 2;

  /** The suffix of the other method's name. */
  public static final String SUFFIX = "-detour";

  private final Forecaster other;
  private final DoubleSupplier detour;
  private int samples;

  /**
   * Creates a forecaster without samples.
   *
   * @param other without samples, of this forecaster alone
   * @param detour returns the presently known shortest detour, in the unit of the samples; infinite
   *     if none is known
   */
  public DetourLimit(Forecaster other, DoubleSupplier detour) {
    this.other = other;
    this.detour = detour;
  }

  @Override
  public String name() {
    return other.name() + SUFFIX;
  }

  /** Returns the other method's speaker unless its forecast is limited. */
  @Override
  public String creditedName() {
    return forecast() == other.forecast() ? other.creditedName() : name();
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
