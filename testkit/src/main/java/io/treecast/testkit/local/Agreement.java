package io.treecast.testkit.local;

import io.treecast.client.Treecast;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Waits until the applications of all running agents see the same, since agents learn of changes
 * one after the other.
 */
final class Agreement {
  /** Longer than entries of members that have left the tree stay. */
  private static final long MAX_MILLIS = 120_000;

  private static final long ANSWER_SECONDS = 5;

  private final LocalCluster cluster;

  Agreement(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits.
   *
   * @param what it is about, for the error
   * @throws AssertionError if an agent still sees something else after {@link #MAX_MILLIS}
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
          what + " should be " + expected + " at all agents; they see, by node: " + seen);
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
