package io.treecast.cli.bench;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.NumberVector;
import io.treecast.client.Treecast;
import io.treecast.client.VectorReduction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Applications at all agents that sum up vectors of floats, one vector after the other. */
final class VectorLoad {
  private VectorLoad() {}

  /**
   * Measures sums of vectors, after an uncounted warm-up.
   *
   * @param bytes the size of each vector; a multiple of {@link Float#BYTES}
   * @param seconds the duration of the measurement
   * @return megabytes of one application's vectors per second
   */
  static double megabytesPerSecond(List<String> addresses, int bytes, int seconds) {
    List<Treecast> clients = addresses.stream().map(Treecast::connect).toList();
    try {
      List<NumberVector> vectors = vectors(clients.size(), bytes);
      List<NumberVector> results = vectors(clients.size(), bytes);
      sum(clients, vectors, results, 0);
      long begunNanos = System.nanoTime();
      long enoughNanos = begunNanos + TimeUnit.SECONDS.toNanos(seconds);
      int rounds = 0;
      while (rounds == 0 || System.nanoTime() < enoughNanos) {
        rounds++;
        sum(clients, vectors, results, rounds);
      }
      double tookSeconds = (System.nanoTime() - begunNanos) / 1e9;
      return (double) bytes * rounds / 1e6 / tookSeconds;
    } catch (CompletionException e) {
      throw CommandFailure.failed(String.valueOf(e.getCause()));
    } finally {
      clients.forEach(Treecast::close);
    }
  }

  private static List<NumberVector> vectors(int count, int bytes) {
    List<NumberVector> vectors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vectors.add(NumberVector.of(new float[bytes / Float.BYTES]));
    }
    return vectors;
  }

  private static void sum(
      List<Treecast> clients, List<NumberVector> vectors, List<NumberVector> results, int round) {
    CollectiveOptions options = CollectiveOptions.defaults().withMinimum(clients.size());
    List<CompletableFuture<CollectiveResult<NumberVector>>> sums = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      sums.add(
          clients
              .get(i)
              .collectives()
              .allReduce(
                  "bench-" + round, VectorReduction.SUM, vectors.get(i), results.get(i), options));
    }
    sums.forEach(CompletableFuture::join);
  }
}
