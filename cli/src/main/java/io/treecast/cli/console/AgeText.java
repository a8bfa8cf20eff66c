package io.treecast.cli.console;

import java.time.Duration;

/** Durations as text for people. */
public final class AgeText {
  private AgeText() {}

  /**
   * Returns a duration in the largest unit of which it has at least two, for example {@code 3 min}.
   */
  public static String of(long millis) {
    Duration age = Duration.ofMillis(millis);
    if (age.toDays() > 1) {
      return age.toDays() + " d";
    }
    if (age.toHours() > 1) {
      return age.toHours() + " h";
    }
    return age.toMinutes() > 1 ? age.toMinutes() + " min" : age.toSeconds() + " s";
  }
}
