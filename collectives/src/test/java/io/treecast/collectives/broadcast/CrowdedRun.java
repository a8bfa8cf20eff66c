package io.treecast.collectives.broadcast;

import java.util.function.LongFunction;

/**
 * A {@link ReplicationRun} in which members have room for few streams while some of their
 * subscribers and neighbours are behind; half of them with subscribers in total order.
 */
final class CrowdedRun implements LongFunction<String> {
  private final ReplicationRun plain;
  private final ReplicationRun ordered;

  /** Creates a run that looks for mistakes. */
  CrowdedRun() {
    this(new RunCoverage(), false);
  }

  CrowdedRun(RunCoverage coverage) {
    this(coverage, true);
  }

  private CrowdedRun(RunCoverage coverage, boolean hasShortcuts) {
    plain = new ReplicationRun(coverage, false, true, hasShortcuts);
    ordered = new ReplicationRun(coverage, true, true, hasShortcuts);
  }

  @Override
  public String apply(long seed) {
    return (seed % 2 == 0 ? plain : ordered).apply(seed);
  }
}
