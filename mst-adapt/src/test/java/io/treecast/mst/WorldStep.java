package io.treecast.mst;

/**
 * What can happen next in a {@link SmallWorld}.
 *
 * @param a a node, or the lower end of a link
 * @param b the other node
 * @param keptDown how many packets from a to b survive the end of the session
 * @param keptUp how many from b to a do
 * @param looksDead whether the ends of what is down take the other ends for dead
 */
record WorldStep(
    Kind kind, int a, int b, int keptDown, int keptUp, long rttMicros, boolean looksDead) {
  /** A step by which nothing dies and nothing is lost. */
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
