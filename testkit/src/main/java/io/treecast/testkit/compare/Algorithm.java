package io.treecast.testkit.compare;

import java.util.Arrays;
import java.util.List;

/** Algorithms for broadcasts to all nodes, for comparison with Treecast. */
public enum Algorithm {
  /** The binomial tree by rank, independent of latencies, as MPICH uses it. */
  BINOMIAL("binomial"),

  /**
   * From the source to a coordinator of each site, and from there to the members of that site, as
   * MagPIe does.
   */
  TWO_LEVEL("two-level"),

  /** The minimum spanning tree of the network at the start, unchanged when links change. */
  STATIC_MST("static-mst"),

  /** The minimum spanning tree, built by the automaton of 1983, with its messages. */
  GHS_1983("ghs-1983"),

  /** Each node floods its links, and each node computes the minimum spanning tree. */
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
                    "'%s' is not an algorithm; allowed are %s"
                        .formatted(label, String.join(", ", labels()))));
  }
}
