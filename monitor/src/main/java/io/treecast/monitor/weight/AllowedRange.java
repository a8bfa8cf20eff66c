package io.treecast.monitor.weight;

import java.time.Duration;

/** The range check for settings, with its error, shared by the policies of the monitor. */
public final class AllowedRange {
  private AllowedRange() {}

  public static void check(String setting, long value, long least, long most) {
    if (value < least || value > most) {
      throw outside(setting, value, least, most);
    }
  }

  public static void check(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw outside(setting, value, least, most);
    }
  }

  /** Checks a value; NaN is refused, too. */
  public static void check(String setting, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw outside(setting, value, least, most);
    }
  }

  private static IllegalArgumentException outside(
      String setting, Object value, Object least, Object most) {
    return new IllegalArgumentException(
        setting + " is " + value + "; allowed is " + least + " to " + most);
  }
}
