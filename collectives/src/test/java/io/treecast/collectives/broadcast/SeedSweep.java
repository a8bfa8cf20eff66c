package io.treecast.collectives.broadcast;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;

/**
 * The seeds of a sweep, as requested on the command line.
 *
 * <p>{@code -Dtreecast.seeds=N} tries that many, {@code -Dtreecast.firstSeed} begins there, {@code
 * -Dtreecast.seed=17} is one run.
 */
public final class SeedSweep {
  private SeedSweep() {}

  /**
   * Fails with the result of the first run that reports one.
   *
   * @param seeds number of seeds to try by default
   * @param kept seeds that failed once, tried before
   * @return whether more than one seed was requested
   */
  public static boolean assertPasses(LongFunction<String> run, long seeds, long... kept) {
    Long only = Long.getLong("treecast.seed");
    long first = Long.getLong("treecast.firstSeed", 0);
    LongStream all =
        only != null
            ? LongStream.of(only)
            : LongStream.concat(
                LongStream.of(kept),
                LongStream.range(
                    first,
                    first
                        + Long.getLong(
                            "treecast.seeds", seeds * Long.getLong("treecast.seeds.times", 1))));
    all.mapToObj(run).filter(failure -> !failure.isEmpty()).findFirst().ifPresent(Assertions::fail);
    return only == null;
  }

  /** Returns the result of a failed run of a sweep. */
  public static String failure(long seed, Throwable failure, String sweep) {
    List<StackTraceElement> trace = List.of(failure.getStackTrace());
    return "seed "
        + seed
        + " fails: "
        + failure
        + " at "
        + trace.subList(0, Math.min(6, trace.size()))
        + "; repeat it by: mvn -pl collectives -am test -Dtest="
        + sweep
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dtreecast.seed="
        + seed;
  }
}
