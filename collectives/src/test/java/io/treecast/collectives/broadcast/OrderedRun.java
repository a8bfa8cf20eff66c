package io.treecast.collectives.broadcast;

import java.util.function.LongFunction;

/**
 * A {@link ReplicationRun} of a few nodes in which most have subscribers in total order, parts of
 * the network order for themselves before they meet, and members lag.
 */
final class OrderedRun implements LongFunction<String> {
  private final ReplicationRun run;

  /** Creates a run that looks for mistakes. */
  OrderedRun() {
    run = new ReplicationRun(new RunCoverage(), true, false, false);
  }

  OrderedRun(RunCoverage coverage) {
    run = new ReplicationRun(coverage, true, false, true);
  }

  @Override
  public String apply(long seed) {
    return run.apply(seed);
  }
}
