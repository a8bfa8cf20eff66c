package io.treecast.testkit.reproduce;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of one experiment. Immutable.
 *
 * @param id the number in the publication, such as {@code 4.16} or {@code table-4.3}
 * @param title the subject
 * @param setUp the set-up
 * @param published the published outcome
 * @param rows published figures and those measured here
 * @param trees the trees before and after, if any
 * @param differs the differences and their reasons
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
   * @param name the name of the case
   * @param published the published figures; empty if the publication has only a picture, or no
   *     figures
   * @param own the figures measured here
   */
  public record Row(String name, Figures published, Figures own) {
    private static final List<String> OTHERS =
        List.of("automaton", "static", "binomial", "two-level", "minimum", "link-state");

    /**
     * Returns whether the figures measured here are those of Treecast, and not of another
     * algorithm.
     */
    public boolean isOfTreecast() {
      return OTHERS.stream().noneMatch(name::startsWith);
    }
  }

  /**
   * A tree.
   *
   * @param title the title
   * @param edges the edges in any order
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

  /** Returns the figures of Treecast that are worse than the published ones, a line each. */
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
                      "%s, %s: %s %s, published %s"
                          .formatted(
                              id,
                              row.name(),
                              measure.label(),
                              text(measure, own),
                              text(measure, published)));
                }
              });
    }
    return worse;
  }

  /** Returns a value as text. */
  public static String text(Measure measure, double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%." + Math.max(1, measure.decimals()) + "f", value);
  }
}
