package io.treecast.testkit.local;

import io.treecast.client.Treecast;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Waits until the applications of all running agents see the same state, since changes reach agents
 * one after the other.
 */
final class Agreement {
  /** Timeout, longer than the retention of entries of departed members. */
  private static final long MAX_MILLIS = 120_000;

  private static final long ANSWER_SECONDS = 5;

  private final LocalCluster cluster;

  Agreement(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits for the expected state.
   *
   * @param what the name of the state, for the error
   * @throws AssertionError if an agent still sees another state after {@link #MAX_MILLIS}
   */
  <T> void await(
      String what,
      Object expected,
      Function<Treecast, CompletableFuture<T>> look,
      Function<T, Object> as) {
    Map<Integer, Object> seen = new TreeMap<>();
    boolean isAgreed =
        cluster.runUntil(
            () -> {
              seen.clear();
              cluster
                  .applications()
                  .forEach((node, client) -> seen.put(node, see(client, look, as)));
              return seen.values().stream().allMatch(expected::equals);
            },
            MAX_MILLIS);
    if (!isAgreed) {
      throw new AssertionError(
          what + " should be " + expected + " at all agents; state by node: " + seen);
    }
  }

  private static <T> Object see(
      Treecast client, Function<Treecast, CompletableFuture<T>> look, Function<T, Object> as) {
    try {
      return as.apply(look.apply(client).orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join());
    } catch (CompletionException e) {
      return "no answer: " + e.getCause();
    }
  }
}
