package io.treecast.agent.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the intended name for a mistyped one. */
public final class NearestName {
  /** The maximum number of single-letter changes in a typing error. */
  private static final int MAX_CHANGES = 3;

  private NearestName() {}

  /** Returns the name with the fewest single-letter changes; null if there is no similar name. */
  public static @Nullable String of(String mistyped, Collection<String> names) {
    String nearest = null;
    int fewest = Math.min(MAX_CHANGES, mistyped.length() / 2) + 1;
    for (String name : names) {
      int changes = changes(mistyped.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (changes < fewest) {
        fewest = changes;
        nearest = name;
      }
    }
    return nearest;
  }

  /** Returns Levenshtein's distance, computed row by row of the table of prefixes. */
  private static int changes(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(previous[j], row[j - 1]) + 1);
      }
      previous = row;
    }
    return previous[to.length()];
  }
}
