package io.treecast.collectives.broadcast;

import java.util.function.LongFunction;

/** A {@link ReplicationRun} with messages for selected members. */
public final class SelectedRun implements LongFunction<String> {
  private final ReplicationRun run = ReplicationRun.withSelections(new RunCoverage());

  @Override
  public String apply(long seed) {
    return run.apply(seed);
  }
}
