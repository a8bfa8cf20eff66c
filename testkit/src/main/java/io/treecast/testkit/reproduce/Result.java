package io.treecast.testkit.reproduce;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of one experiment. Immutable.
 *
 * @param id its number in the publication, such as {@code 4.16} or {@code table-4.3}
 * @param title what it is about
 * @param setUp what was done
 * @param published what the publication says of the outcome
 * @param rows published and own figures
 * @param trees the trees before and after, where there are some
 * @param differs what differs, and why
 */
public record Result(
    String id,
    String title,
    String setUp,
    String published,
    List<Row> rows,
    List<DrawnTree> trees,
    String differs) {

  /**
   * A case of the experiment.
   *
   * @param name of the case
   * @param published its figures; empty where it is only a picture, or no figure is given
   * @param own what was measured here
   */
  public record Row(String name, Figures published, Figures own) {
    private static final List<String> OTHERS =
        List.of("automaton", "static", "binomial", "two-level", "minimum", "link-state");

    /**
     * Returns whether the own figures are those of Treecast, and not of another algorithm run here.
     */
    public boolean isOfTreecast() {
      return OTHERS.stream().noneMatch(name::startsWith);
    }
  }

  /**
   * A tree.
   *
   * @param title what it is
   * @param edges in any order
   */
  public record DrawnTree(String title, List<Link> edges) {
    /** Copies the list. */
    public DrawnTree {
      edges = List.copyOf(edges);
    }
  }

  /** Copies the lists. */
  public Result {
    rows = List.copyOf(rows);
    trees = List.copyOf(trees);
  }

  /** The own figures that are worse than the published ones, a line each. */
  public List<String> worse() {
    List<String> worse = new ArrayList<>();
    for (Row row : rows.stream().filter(Row::isOfTreecast).toList()) {
      row.own()
          .values()
          .forEach(
              (measure, own) -> {
                Double published = row.published().get(measure);
                if (published != null && measure.isWorse(own, published)) {
                  worse.add(
                      id
                          + ", "
                          + row.name()
                          + ": "
                          + measure.label()
                          + " "
                          + text(measure, own)
                          + ", published "
                          + text(measure, published));
                }
              });
    }
    return worse;
  }

  /** A value as it is printed. */
  public static String text(Measure measure, double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%." + Math.max(1, measure.decimals()) + "f", value);
  }
}
