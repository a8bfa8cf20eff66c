package io.treecast.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Remedies for a failure, for the end of its message. Stateless. */
final class Remedies {
  private Remedies() {}

  /**
   * Returns, for example, {@code start the agent, correct the address, or wait longer}.
   *
   * @param moreTime the remedy that extends the wait; null if there is no timeout
   * @param others alternative remedies
   */
  static String anyOf(@Nullable String moreTime, String... others) {
    List<String> all = new ArrayList<>(List.of(others));
    if (moreTime != null) {
      all.add(moreTime);
    }
    int last = all.size() - 1;
    return last == 0
        ? all.get(0)
        : String.join(", ", all.subList(0, last)) + ", or " + all.get(last);
  }
}
