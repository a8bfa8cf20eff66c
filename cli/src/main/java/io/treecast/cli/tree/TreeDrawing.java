package io.treecast.cli.tree;

import io.treecast.cli.query.MetricText;
import io.treecast.cli.tree.TreeOutline.Branch;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Draws a committed tree as text for a terminal. Single-threaded.
 *
 * <pre>
 * 12  site 3
 * ├─ 13, 14, 15    0.2 ms
 * ╞═ 0            14.9 ms  site 0
 * │  └─ 1, 2, 3    0.2 ms
 * ╘═ 16          331.0 ms  site 4
 * </pre>
 *
 * <p>Each node is drawn below its neighbour towards the root, ordered by edge weight, then by id.
 * With sites, a double line marks an edge between sites, and the leaves of one site below the same
 * node share a line. Nodes beyond the limits are counted instead of drawn.
 */
public final class TreeDrawing {
  /** Deepest level that is drawn, in edges from the root. */
  static final int MAX_DEPTH = 20;

  /** The rightmost column at which weights are aligned. */
  private static final int MAX_WEIGHT_COLUMN = 48;

  /** Limit of the nodes or runs of nodes in a line. */
  private static final int MAX_NAMES = 8;

  /** Least number of consecutive numbers that are abbreviated to the first and the last. */
  private static final int MIN_RUN = 4;

  /**
   * The style of a drawing.
   *
   * @param sites the sites of the nodes
   * @param unicode whether the terminal shows box-drawing characters; see {@link #showsUnicode}
   * @param maxLines the limit of lines, at least 2
   * @param weights the format of weights
   * @param nameOf the names of nodes; null for their ids
   */
  public record Style(
      Sites sites,
      boolean unicode,
      int maxLines,
      MetricText weights,
      @Nullable Function<NodeId, String> nameOf) {
    /** The default limit of lines. */
    static final int DEFAULT_MAX_LINES = 200;

    public Style {
      if (maxLines < 2) {
        throw new IllegalArgumentException("maxLines is " + maxLines + "; the least is 2");
      }
    }

    /** Creates a style with round-trip times and ids. */
    public Style(Sites sites, boolean unicode, int maxLines) {
      this(sites, unicode, maxLines, MetricText.LATENCY, null);
    }

    /** Returns a copy with the weights of a metric. */
    Style withWeights(MetricText metric) {
      return new Style(sites, unicode, maxLines, metric, nameOf);
    }

    /** Returns a copy with other names for nodes. */
    public Style withNames(Function<NodeId, String> names) {
      return new Style(sites, unicode, maxLines, weights, names);
    }

    /** Returns the style for a character set, with at most {@value #DEFAULT_MAX_LINES} lines. */
    public static Style of(Sites sites, Charset charset) {
      return new Style(sites, showsUnicode(charset), DEFAULT_MAX_LINES);
    }
  }

  private enum Marks {
    UNICODE("├─ ", "└─ ", "╞═ ", "╘═ ", "│  ", "…", "–"),
    ASCII("|- ", "`- ", "|= ", "`= ", "|  ", "...", "-");

    private final String branch;
    private final String lastBranch;
    private final String siteBranch;
    private final String lastSiteBranch;
    private final String past;
    private final String more;
    private final String to;

    Marks(
        String branch,
        String lastBranch,
        String siteBranch,
        String lastSiteBranch,
        String past,
        String more,
        String to) {
      this.branch = branch;
      this.lastBranch = lastBranch;
      this.siteBranch = siteBranch;
      this.lastSiteBranch = lastSiteBranch;
      this.past = past;
      this.more = more;
      this.to = to;
    }

    String branch(boolean last, boolean betweenSites) {
      if (betweenSites) {
        return last ? lastSiteBranch : siteBranch;
      }
      return last ? lastBranch : branch;
    }
  }

  private record Line(String name, String weight, String site) {}

  private final CommittedTree tree;
  private final Sites sites;
  private final Marks marks;
  private final int maxLines;
  private final MetricText weights;
  private final @Nullable Function<NodeId, String> nameOf;
  private final List<Line> lines = new ArrayList<>();

  private TreeDrawing(CommittedTree tree, Style style) {
    this.tree = tree;
    this.sites = style.sites();
    this.marks = style.unicode() ? Marks.UNICODE : Marks.ASCII;
    this.maxLines = style.maxLines();
    this.weights = style.weights();
    this.nameOf = style.nameOf();
  }

  /** Returns the drawing. Lines have no trailing spaces and end with a newline. */
  public static String draw(CommittedTree tree, Style style) {
    TreeDrawing drawing = new TreeDrawing(tree, style);
    drawing.drawRoot();
    return drawing.aligned();
  }

  /** Returns whether a character set has the box-drawing characters. */
  public static boolean showsUnicode(Charset charset) {
    return charset.canEncode() && charset.newEncoder().canEncode("├─└╞═╘│…–");
  }

  private void drawRoot() {
    Branch root = new TreeOutline(tree, sites, maxLines, MAX_DEPTH).root();
    lines.add(new Line(name(tree.root()), "", site(tree.root())));
    drawBelow(root, "");
  }

  private void drawBelow(Branch branch, String indent) {
    int hidden = branch.hiddenNodes();
    List<Branch> shown = branch.shown();
    for (int i = 0; i < shown.size(); i++) {
      Branch child = shown.get(i);
      boolean last = hidden == 0 && i == shown.size() - 1;
      NodeId above = branch.nodes().get(0);
      NodeId below = child.nodes().get(0);
      boolean isSame = Objects.equals(sites.siteOf(above), sites.siteOf(below));
      lines.add(
          new Line(
              indent + marks.branch(last, sites.areApart(above, below)) + names(child.nodes()),
              weight(child.edges()),
              isSame ? "" : sites.siteOf(below) == null ? "no site" : site(below)));
      drawBelow(child, indent + (last ? "   " : marks.past));
    }
    if (hidden > 0) {
      lines.add(
          new Line(
              indent
                  + marks.lastBranch
                  + marks.more
                  + " "
                  + hidden
                  + " more"
                  + (hidden == 1 ? " node" : " nodes"),
              "",
              ""));
    }
  }

  /** Returns the names of nodes in order, for example {@code 1, 2, 3} or {@code 1, 4..31}. */
  private String names(List<NodeId> nodes) {
    List<String> names = new ArrayList<>();
    int next = 0;
    while (next < nodes.size()) {
      if (names.size() == MAX_NAMES) {
        names.add(marks.more + " (" + nodes.size() + " nodes)");
        break;
      }
      int length = runLength(nodes, next);
      names.add(
          length < MIN_RUN
              ? name(nodes.get(next))
              : name(nodes.get(next)) + ".." + name(nodes.get(next + length - 1)));
      next += length < MIN_RUN ? 1 : length;
    }
    return String.join(", ", names);
  }

  private String name(NodeId node) {
    Function<NodeId, String> names = nameOf;
    return names == null ? node.toString() : names.apply(node);
  }

  /** Returns the number of nodes with consecutive numbers from an index on. */
  private int runLength(List<NodeId> nodes, int from) {
    OptionalLong first = number(nodes.get(from));
    int length = 1;
    while (first.isPresent()
        && from + length < nodes.size()
        && number(nodes.get(from + length)).equals(OptionalLong.of(first.getAsLong() + length))) {
      length++;
    }
    return length;
  }

  /** Returns the number of a node; empty if it has another name or a non-numeric id. */
  private OptionalLong number(NodeId node) {
    return name(node).equals(node.toString()) ? Sites.number(node) : OptionalLong.empty();
  }

  /** Returns one weight, or the least and the greatest if their texts differ. */
  private String weight(List<LinkWeight> edges) {
    String least = weights.text(edges.get(0));
    String greatest = weights.text(edges.get(edges.size() - 1));
    return least.equals(greatest) ? least : least + marks.to + greatest;
  }

  private String site(NodeId node) {
    String site = sites.siteOf(node);
    return site == null ? "" : "site " + site;
  }

  /** Returns the lines with the weights aligned at their decimal points, and the sites aligned. */
  private String aligned() {
    int column = 0;
    int before = 0;
    int after = 0;
    for (Line line : lines) {
      if (!line.weight().isEmpty()) {
        int point = line.weight().lastIndexOf('.');
        column = Math.max(column, line.name().length());
        before = Math.max(before, point);
        after = Math.max(after, line.weight().length() - point);
      }
    }
    column = Math.min(column, MAX_WEIGHT_COLUMN);
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      StringBuilder row = new StringBuilder(line.name());
      if (!line.weight().isEmpty()) {
        int point = line.weight().lastIndexOf('.');
        row.append(" ".repeat(Math.max(0, column - line.name().length()) + 2 + before - point))
            .append(line.weight())
            .append(" ".repeat(after - (line.weight().length() - point)))
            .append(" ")
            .append(weights.unit());
      }
      if (!line.site().isEmpty()) {
        row.append("  ").append(line.site());
      }
      text.append(row).append('\n');
    }
    return text.toString();
  }
}
