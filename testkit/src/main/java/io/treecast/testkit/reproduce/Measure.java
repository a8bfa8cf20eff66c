package io.treecast.testkit.reproduce;

/** A quantity of an experiment, published or measured here. */
public enum Measure {
  /** Edges of the tree that were replaced because links changed. */
  EDGES_REPLACED("edgesReplaced", "edges replaced", 0, Better.NEITHER),

  /** Edges replaced between the minimum spanning trees of the network before and after. */
  EDGES_BY_VALUES("edgesReplacedByValues", "edges that the values replace", 0, Better.NEITHER),

  /** Share of the changes after which the tree was minimal for the round trips of the network. */
  MINIMAL_PERCENT("minimalPercent", "changes after which the tree is minimal, %", 0, Better.HIGHER),

  /** All control messages, including those of the build. */
  CONTROL_MESSAGES("controlMessages", "control messages", 1, Better.LOWER),

  /** Control messages until the commit of the first tree. */
  BUILD_MESSAGES("buildMessages", "of these for the build", 1, Better.LOWER),

  /** Control messages of link-state routing, for the build and the changes. */
  LINK_STATE_MESSAGES("linkStateMessages", "messages of link-state routing", 0, Better.NEITHER),

  /** Copies of broadcasts. */
  BROADCAST_MESSAGES("broadcastMessages", "copies of broadcasts", 0, Better.LOWER),

  /** Mean time from a broadcast after the changes to its delivery at the last node. */
  LAST_NODE_MILLIS("lastNodeMillis", "time to the last node, ms", 1, Better.LOWER),

  /** Time of a broadcast on the initial tree, in multiples of the time on Treecast's tree. */
  STATIC_MST_TIMES("staticMstTimes", "static MST: times as slow", 1, Better.HIGHER),

  /** The same multiple for the site-aware tree of two levels. */
  TWO_LEVEL_TIMES("twoLevelTimes", "two-level tree: times as slow", 1, Better.HIGHER),

  /** The same multiple for the binomial tree by rank. */
  BINOMIAL_TIMES("binomialTimes", "binomial tree: times as slow", 1, Better.HIGHER),

  /** Time from the first reaction of an agent to the last commit, over all changes. */
  ADAPT_MILLIS("adaptMillis", "adapting, ms", 0, Better.LOWER),

  /** Time until all nodes know the changes by link-state routing. */
  LINK_STATE_MILLIS("linkStateMillis", "link-state routing adapts, ms", 0, Better.NEITHER),

  /** Time of the build, the adaptations and all broadcasts, one after the other. */
  TOTAL_SECONDS("totalSeconds", "total, s", 2, Better.LOWER),

  /** Share of the adaptations in the total. */
  ADAPT_SHARE_PERCENT("adaptSharePercent", "adapting, % of the total", 1, Better.LOWER),

  /** Share of the build in the total. */
  BUILD_SHARE_PERCENT("buildSharePercent", "building, % of the total", 1, Better.LOWER),

  /** Time of all broadcasts on the site-aware tree, which needs no build. */
  TWO_LEVEL_SECONDS("twoLevelSeconds", "two-level tree in all, s", 2, Better.NEITHER),

  /** Time of the build by the automaton of 1983 and of all broadcasts on its tree. */
  STATIC_MST_SECONDS("staticMstSeconds", "static MST in all, s", 2, Better.NEITHER),

  /** Gain of the two-level tree over the binomial tree. */
  FASTER_THAN_BINOMIAL_PERCENT(
      "fasterThanBinomialPercent", "faster than binomial, %", 1, Better.NEITHER),

  /** Gain of the minimum spanning tree over the two-level tree, for broadcasts. */
  FASTER_THAN_TWO_LEVEL_PERCENT(
      "fasterThanTwoLevelPercent", "MST faster than two-level, %", 1, Better.HIGHER),

  /** The limit of this gain for high costs of a send. */
  MOST_FASTER_PERCENT(
      "mostFasterPercent", "MST faster with any cost of a send, % at most", 1, Better.NEITHER),

  /** The least cost of a blocking send with the published gain. */
  SEND_MILLIS("sendMillis", "cost of a send at which that appears, ms", 1, Better.NEITHER);

  /** The direction in which values improve. */
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

  /** Returns the number of printed decimals; whole numbers are printed without decimals. */
  public int decimals() {
    return decimals;
  }

  /** Returns whether a value measured here is worse than the published one. */
  public boolean isWorse(double own, double published) {
    return (better == Better.LOWER && own > published)
        || (better == Better.HIGHER && own < published);
  }
}
