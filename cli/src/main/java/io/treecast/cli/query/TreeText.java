package io.treecast.cli.query;

import io.treecast.cli.console.Plural;
import io.treecast.cli.console.RttText;
import io.treecast.mst.CommittedTree;

/** One line about a tree, for people. Stateless. */
public final class TreeText {
  private TreeText() {}

  /** Returns, for example, {@code version 3, root h1, 2 edges, total weight 61.4 ms}. */
  public static String of(CommittedTree tree) {
    return of(tree.version(), tree.root().toString(), tree.edges().size(), tree.weightMicros());
  }

  /** Returns the line about a tree of which only these values are known. */
  public static String of(long version, String root, int edges, long weightMicros) {
    return "version %s, root %s, %s"
        .formatted(Long.toUnsignedString(version), root, edges(edges, weightMicros));
  }

  /** Returns, for example, {@code 2 edges, total weight 61.4 ms}. */
  public static String edges(int edges, long weightMicros) {
    return Plural.of(edges, "edge") + ", total weight " + RttText.millis(weightMicros) + " ms";
  }
}
