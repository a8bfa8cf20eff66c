package io.treecast.cli.console;

import java.time.Duration;

/** How long something has lasted, as people read it. */
public final class AgeText {
  private AgeText() {}

  /** In the largest unit of which there are two at least, for example {@code 3 min}. */
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
