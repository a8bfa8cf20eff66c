package io.treecast.testkit.reproduce;

/** Something that an experiment counts or measures, published or here. */
public enum Measure {
  /** Edges of the tree that were replaced because links changed. */
  EDGES_REPLACED("edgesReplaced", "edges replaced", 0, Better.NEITHER),

  /** Edges replaced between the minimum spanning trees of the network before and after. */
  EDGES_BY_VALUES("edgesReplacedByValues", "edges that the values replace", 0, Better.NEITHER),

  /** After which part of the changes the tree was minimal for the round trips of the network. */
  MINIMAL_PERCENT("minimalPercent", "changes after which the tree is minimal, %", 0, Better.HIGHER),

  /** All control messages, those of the build included. */
  CONTROL_MESSAGES("controlMessages", "control messages", 1, Better.LOWER),

  /** Control messages until the first tree is there. */
  BUILD_MESSAGES("buildMessages", "of these for the build", 1, Better.LOWER),

  /** Control messages that link-state routing needs, for the build and the changes. */
  LINK_STATE_MESSAGES("linkStateMessages", "messages of link-state routing", 0, Better.NEITHER),

  /** Copies of broadcasts. */
  BROADCAST_MESSAGES("broadcastMessages", "copies of broadcasts", 0, Better.LOWER),

  /** From a broadcast after the changes to its delivery at the last node, on average. */
  LAST_NODE_MILLIS("lastNodeMillis", "time to the last node, ms", 1, Better.LOWER),

  /** How many times as long a broadcast takes on the tree of the start. */
  STATIC_MST_TIMES("staticMstTimes", "static MST: times as slow", 1, Better.HIGHER),

  /** On the site-aware tree of two levels. */
  TWO_LEVEL_TIMES("twoLevelTimes", "two-level tree: times as slow", 1, Better.HIGHER),

  /** On the binomial tree by rank. */
  BINOMIAL_TIMES("binomialTimes", "binomial tree: times as slow", 1, Better.HIGHER),

  /** From the first reaction of an agent to the last commit, over all changes. */
  ADAPT_MILLIS("adaptMillis", "adapting, ms", 0, Better.LOWER),

  /** Link-state routing: the time until all nodes know the changes. */
  LINK_STATE_MILLIS("linkStateMillis", "link-state routing adapts, ms", 0, Better.NEITHER),

  /** Building, adapting and all broadcasts one after the other. */
  TOTAL_SECONDS("totalSeconds", "total, s", 2, Better.LOWER),

  /** The share of adapting in these. */
  ADAPT_SHARE_PERCENT("adaptSharePercent", "adapting, % of the total", 1, Better.LOWER),

  /** The part that building takes. */
  BUILD_SHARE_PERCENT("buildSharePercent", "building, % of the total", 1, Better.LOWER),

  /** All broadcasts on the site-aware tree, which needs no building. */
  TWO_LEVEL_SECONDS("twoLevelSeconds", "two-level tree in all, s", 2, Better.NEITHER),

  /** The build of 1983 and all broadcasts on its tree. */
  STATIC_MST_SECONDS("staticMstSeconds", "static MST in all, s", 2, Better.NEITHER),

  /** By how much the two-level tree is faster than the binomial one. */
  FASTER_THAN_BINOMIAL_PERCENT(
      "fasterThanBinomialPercent", "faster than binomial, %", 1, Better.NEITHER),

  /** By how much broadcasts on the minimum spanning tree are faster than on the two-level one. */
  FASTER_THAN_TWO_LEVEL_PERCENT(
      "fasterThanTwoLevelPercent", "MST faster than two-level, %", 1, Better.HIGHER),

  /** The greatest gain if a send takes ever longer. */
  MOST_FASTER_PERCENT(
      "mostFasterPercent", "MST faster with any cost of a send, % at most", 1, Better.NEITHER),

  /** From which cost of a blocking send on the published advantage of the tree appears. */
  SEND_MILLIS("sendMillis", "cost of a send at which that appears, ms", 1, Better.NEITHER);

  /** Which values are better. */
  private enum Better {
    LOWER,
    HIGHER,
    NEITHER
  }

  private final String key;
  private final String label;
  private final int decimals;
  private final Better better;

  Measure(String key, String label, int decimals, Better better) {
    this.key = key;
    this.label = label;
    this.decimals = decimals;
    this.better = better;
  }

  /** Returns the name in JSON. */
  public String key() {
    return key;
  }

  /** Returns the label with its unit, for people. */
  public String label() {
    return label;
  }

  /** With how many decimals it is printed; whole numbers are printed without. */
  public int decimals() {
    return decimals;
  }

  /** Returns whether an own value is worse than the published one. */
  public boolean isWorse(double own, double published) {
    return (better == Better.LOWER && own > published)
        || (better == Better.HIGHER && own < published);
  }
}
