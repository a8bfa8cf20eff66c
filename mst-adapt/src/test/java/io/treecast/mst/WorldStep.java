package io.treecast.mst;

/**
 * A step that can happen next in a {@link SmallWorld}.
 *
 * @param a a node, or the lower end of a link
 * @param b the other node
 * @param keptDown the number of packets from a to b that survive the end of the session
 * @param keptUp the number of packets from b to a that survive it
 * @param looksDead whether each end of a lost link considers the other end dead
 */
record WorldStep(
    Kind kind, int a, int b, int keptDown, int keptUp, long rttMicros, boolean looksDead) {
  /** A step without deaths and losses. */
  static WorldStep of(Kind kind, int a, int b, long rttMicros) {
    return new WorldStep(kind, a, b, 0, 0, rttMicros, false);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case DELIVER -> a + " -> " + b;
      case DOWN ->
          "down " + a + "-" + b + ", " + keptDown + " and " + keptUp + " survive" + looks();
      case UP -> "up " + a + "-" + b;
      case WEIGHT -> "weight " + a + "-" + b + " " + rttMicros;
      case CRASH -> "crash " + a + ", " + keptDown + " of each survive" + looks();
      case RESTART -> "restart " + a;
    };
  }

  private String looks() {
    return looksDead ? ", looks dead" : "";
  }

  /** The kind of a step. */
  enum Kind {
    DELIVER,
    DOWN,
    UP,
    WEIGHT,
    CRASH,
    RESTART
  }
}
