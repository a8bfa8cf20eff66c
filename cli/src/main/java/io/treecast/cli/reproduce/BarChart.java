package io.treecast.cli.reproduce;

import java.util.List;
import java.util.Locale;

/**
 * A chart of horizontal bars as SVG, readable on a light and on a dark page. Immutable.
 *
 * @param title the title, with the unit
 * @param isLogarithmic whether the scale is logarithmic, which hides values below 1
 * @param groups the groups from top to bottom
 */
record BarChart(String title, boolean isLogarithmic, List<Group> groups) {
  /**
   * A group of bars.
   *
   * @param label the label
   * @param bars the bars from top to bottom
   */
  record Group(String label, List<Bar> bars) {
    Group {
      bars = List.copyOf(bars);
    }
  }

  /**
   * One bar.
   *
   * @param kind the source of the value
   * @param value the value, at least 0
   * @param text the text beside the bar
   */
  record Bar(Kind kind, double value, String text) {}

  /** The source of a bar's value, with its colour. */
  enum Kind {
    PUBLISHED("published", "p"),
    OWN("Treecast", "o"),
    STATIC("static MST", "s"),
    TWO_LEVEL("two-level tree", "t"),
    BINOMIAL("binomial tree", "b"),
    LINK_STATE("link-state routing", "l");

    private final String label;
    private final String css;

    Kind(String label, String css) {
      this.label = label;
      this.css = css;
    }

    String label() {
      return label;
    }
  }

  private static final int WIDTH = 860;
  private static final int LEFT = 330;
  private static final int RIGHT = 150;
  private static final int BAR = 14;
  private static final int GAP = 10;
  private static final int TOP = 70;

  private static final String STYLE =
      """
      <style>
      text { font: 13px sans-serif; fill: #1f2328 }
      .title { font-weight: bold; font-size: 15px }
      .page { fill: #ffffff }
      .p { fill: #8c959f } .o { fill: #0969da } .s { fill: #bc4c00 } .t { fill: #1a7f37 }
      .b { fill: #8250df } .l { fill: #bf3989 }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .page { fill: #0d1117 }
        .p { fill: #848d97 } .o { fill: #4493f8 } .s { fill: #db6d28 } .t { fill: #3fb950 }
        .b { fill: #ab7df8 } .l { fill: #db61a2 }
      }
      </style>
      """;

  BarChart {
    groups = List.copyOf(groups);
  }

  String svg() {
    int height = TOP;
    for (Group group : groups) {
      height += group.bars().size() * BAR + GAP;
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH,
            height,
            WIDTH,
            height,
            escaped(title)));
    svg.append(STYLE);
    svg.append(
        String.format(
            "<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>%n", WIDTH, height));
    text(svg, 16, 26, "title", title + (isLogarithmic ? " (logarithmic)" : ""));
    legend(svg);
    int y = TOP;
    for (Group group : groups) {
      int middle = y + group.bars().size() * BAR / 2 + 5;
      svg.append(
          String.format(
              "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
              LEFT - 10, middle, escaped(group.label())));
      for (Bar bar : group.bars()) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                bar.kind().css,
                LEFT,
                y + 1,
                length(bar.value()),
                BAR - 2));
        text(svg, (int) (LEFT + length(bar.value()) + 6), y + BAR - 2, "", bar.text());
        y += BAR;
      }
      y += GAP;
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend(StringBuilder svg) {
    int x = 16;
    for (Kind kind : Kind.values()) {
      if (groups.stream().anyMatch(g -> g.bars().stream().anyMatch(bar -> bar.kind() == kind))) {
        svg.append(
            String.format(
                "<rect class=\"%s\" x=\"%d\" y=\"40\" width=\"12\" height=\"12\"/>%n",
                kind.css, x));
        text(svg, x + 18, 51, "", kind.label);
        x += 40 + 8 * kind.label.length();
      }
    }
  }

  private double length(double value) {
    double most = 1;
    for (Group group : groups) {
      for (Bar bar : group.bars()) {
        most = Math.max(most, bar.value());
      }
    }
    double part =
        isLogarithmic
            ? Math.log(Math.max(1, value)) / Math.log(Math.max(Math.E, most))
            : value / most;
    return Math.max(1, part * (WIDTH - LEFT - RIGHT));
  }

  private static void text(StringBuilder svg, int x, int y, String css, String text) {
    svg.append(
        String.format(
            "<text%s x=\"%d\" y=\"%d\">%s</text>%n",
            css.isEmpty() ? "" : " class=\"" + css + "\"", x, y, escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
