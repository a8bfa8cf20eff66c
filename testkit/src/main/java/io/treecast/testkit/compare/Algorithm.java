package io.treecast.testkit.compare;

import java.util.Arrays;
import java.util.List;

/** How to get a broadcast to all nodes, other than Treecast does. */
public enum Algorithm {
  /** The binomial tree by rank, which looks at no latency, as MPICH uses it. */
  BINOMIAL("binomial"),

  /** Source, a coordinator of each site, the members of that site, as MagPIe does. */
  TWO_LEVEL("two-level"),

  /** The minimum spanning tree of the network at the start, which stays when links change. */
  STATIC_MST("static-mst"),

  /**
   * The minimum spanning tree, built by the automaton of 1983, with the messages that this takes.
   */
  GHS_1983("ghs-1983"),

  /** Each node floods its links to all, and all compute the minimum spanning tree. */
  LINK_STATE("link-state");

  private final String label;

  Algorithm(String label) {
    this.label = label;
  }

  /** Returns the name on command lines and in reports. */
  public String label() {
    return label;
  }

  /** Returns all names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Algorithm::label).toList();
  }

  /**
   * Returns the algorithm of a name.
   *
   * @throws IllegalArgumentException if it is not one of {@link #labels}
   */
  public static Algorithm of(String label) {
    return Arrays.stream(values())
        .filter(algorithm -> algorithm.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + label
                        + "' is not an algorithm; allowed are "
                        + String.join(", ", labels())));
  }
}
