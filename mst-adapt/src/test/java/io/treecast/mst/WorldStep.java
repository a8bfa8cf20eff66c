package io.treecast.mst;

/**
 * What can happen next in a {@link SmallWorld}.
 *
 * @param a a node, or the lower end of a link
 * @param b the other node
 * @param keptDown how many packets from a to b survive the end of the session
 * @param keptUp how many from b to a do
 */
record WorldStep(Kind kind, int a, int b, int keptDown, int keptUp, long rttMicros) {
  @Override
  public String toString() {
    return switch (kind) {
      case DELIVER -> a + " -> " + b;
      case DOWN -> "down " + a + "-" + b + ", " + keptDown + " and " + keptUp + " survive";
      case UP -> "up " + a + "-" + b;
      case WEIGHT -> "weight " + a + "-" + b + " " + rttMicros;
      case CRASH -> "crash " + a + ", " + keptDown + " of each survive";
      case RESTART -> "restart " + a;
    };
  }

  /** What a step does. */
  enum Kind {
    DELIVER,
    DOWN,
    UP,
    WEIGHT,
    CRASH,
    RESTART
  }
}
