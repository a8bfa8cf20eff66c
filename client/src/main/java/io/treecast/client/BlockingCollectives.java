package io.treecast.client;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The blocking calls of {@link Collectives}, obtained from {@link BlockingTreecast#collectives}.
 * Each throws a {@link TreecastException}; its reason is {@code INTERRUPTED} if the waiting thread
 * is interrupted, whose interrupt flag stays set.
 *
 * <p>Safe for use by several threads.
 */
public final class BlockingCollectives {
  private final Collectives collectives;
  private final AgentAddresses agent;

  BlockingCollectives(Collectives collectives, AgentAddresses agent) {
    this.collectives = collectives;
    this.agent = agent;
  }

  /** See {@link Collectives#barrier(String)}. */
  public CollectiveResult<@Nullable Void> barrier(String name) {
    return await(collectives.barrier(name), name);
  }

  /** See {@link Collectives#barrier(String, CollectiveOptions)}. */
  public CollectiveResult<@Nullable Void> barrier(String name, CollectiveOptions options) {
    return await(collectives.barrier(name, options), name);
  }

  /** See {@link Collectives#allReduce(String, LongReduction, long[])}. */
  public CollectiveResult<long[]> allReduce(String name, LongReduction reduction, long[] vector) {
    return await(collectives.allReduce(name, reduction, vector), name);
  }

  /** See {@link Collectives#allReduce(String, LongReduction, long[], CollectiveOptions)}. */
  public CollectiveResult<long[]> allReduce(
      String name, LongReduction reduction, long[] vector, CollectiveOptions options) {
    return await(collectives.allReduce(name, reduction, vector, options), name);
  }

  /** See {@link Collectives#allReduce(String, DoubleReduction, double[])}. */
  public CollectiveResult<double[]> allReduce(
      String name, DoubleReduction reduction, double[] vector) {
    return await(collectives.allReduce(name, reduction, vector), name);
  }

  /** See {@link Collectives#allReduce(String, DoubleReduction, double[], CollectiveOptions)}. */
  public CollectiveResult<double[]> allReduce(
      String name, DoubleReduction reduction, double[] vector, CollectiveOptions options) {
    return await(collectives.allReduce(name, reduction, vector, options), name);
  }

  /** See {@link Collectives#reduce(String, String, LongReduction, long[])}. */
  public CollectiveResult<Optional<long[]>> reduce(
      String name, String to, LongReduction reduction, long[] vector) {
    return await(collectives.reduce(name, to, reduction, vector), name);
  }

  /** See {@link Collectives#reduce(String, String, LongReduction, long[], CollectiveOptions)}. */
  public CollectiveResult<Optional<long[]>> reduce(
      String name, String to, LongReduction reduction, long[] vector, CollectiveOptions options) {
    return await(collectives.reduce(name, to, reduction, vector, options), name);
  }

  /** See {@link Collectives#reduce(String, String, DoubleReduction, double[])}. */
  public CollectiveResult<Optional<double[]>> reduce(
      String name, String to, DoubleReduction reduction, double[] vector) {
    return await(collectives.reduce(name, to, reduction, vector), name);
  }

  /**
   * See {@link Collectives#reduce(String, String, DoubleReduction, double[], CollectiveOptions)}.
   */
  public CollectiveResult<Optional<double[]>> reduce(
      String name,
      String to,
      DoubleReduction reduction,
      double[] vector,
      CollectiveOptions options) {
    return await(collectives.reduce(name, to, reduction, vector, options), name);
  }

  /** See {@link Collectives#allReduce(String, VectorReduction, NumberVector)}. */
  public CollectiveResult<NumberVector> allReduce(
      String name, VectorReduction reduction, NumberVector vector) {
    return await(collectives.allReduce(name, reduction, vector), name);
  }

  /**
   * See {@link Collectives#allReduce(String, VectorReduction, NumberVector, NumberVector,
   * CollectiveOptions)}.
   */
  public CollectiveResult<NumberVector> allReduce(
      String name,
      VectorReduction reduction,
      NumberVector vector,
      @Nullable NumberVector into,
      CollectiveOptions options) {
    return await(collectives.allReduce(name, reduction, vector, into, options), name);
  }

  /** See {@link Collectives#reduce(String, String, VectorReduction, NumberVector)}. */
  public CollectiveResult<Optional<NumberVector>> reduce(
      String name, String to, VectorReduction reduction, NumberVector vector) {
    return await(collectives.reduce(name, to, reduction, vector), name);
  }

  /**
   * See {@link Collectives#reduce(String, String, VectorReduction, NumberVector, NumberVector,
   * CollectiveOptions)}.
   */
  public CollectiveResult<Optional<NumberVector>> reduce(
      String name,
      String to,
      VectorReduction reduction,
      NumberVector vector,
      @Nullable NumberVector into,
      CollectiveOptions options) {
    return await(collectives.reduce(name, to, reduction, vector, into, options), name);
  }

  /** See {@link Collectives#locate(String, VectorReduction, NumberVector, CollectiveOptions)}. */
  public CollectiveResult<Located> locate(
      String name, VectorReduction extreme, NumberVector vector, CollectiveOptions options) {
    return await(collectives.locate(name, extreme, vector, options), name);
  }

  /** See {@link Collectives#allGather(String, byte[])}. */
  public CollectiveResult<Map<String, byte[]>> allGather(String name, byte[] payload) {
    return await(collectives.allGather(name, payload), name);
  }

  /** See {@link Collectives#allGather(String, byte[], CollectiveOptions)}. */
  public CollectiveResult<Map<String, byte[]>> allGather(
      String name, byte[] payload, CollectiveOptions options) {
    return await(collectives.allGather(name, payload, options), name);
  }

  /** See {@link Collectives#gather(String, String, byte[])}. */
  public CollectiveResult<Optional<Map<String, byte[]>>> gather(
      String name, String to, byte[] payload) {
    return await(collectives.gather(name, to, payload), name);
  }

  /** See {@link Collectives#gather(String, String, byte[], CollectiveOptions)}. */
  public CollectiveResult<Optional<Map<String, byte[]>>> gather(
      String name, String to, byte[] payload, CollectiveOptions options) {
    return await(collectives.gather(name, to, payload, options), name);
  }

  /** See {@link Collectives#scatter(String, Map)}. */
  public CollectiveResult<Optional<byte[]>> scatter(String name, Map<String, byte[]> parts) {
    return await(collectives.scatter(name, parts), name);
  }

  /** See {@link Collectives#scatter(String, Map, CollectiveOptions)}. */
  public CollectiveResult<Optional<byte[]>> scatter(
      String name, Map<String, byte[]> parts, CollectiveOptions options) {
    return await(collectives.scatter(name, parts, options), name);
  }

  /** See {@link Collectives#receive(String, String)}. */
  public CollectiveResult<Optional<byte[]>> receive(String name, String from) {
    return await(collectives.receive(name, from), name);
  }

  /** See {@link Collectives#receive(String, String, CollectiveOptions)}. */
  public CollectiveResult<Optional<byte[]>> receive(
      String name, String from, CollectiveOptions options) {
    return await(collectives.receive(name, from, options), name);
  }

  private <T extends @Nullable Object> CollectiveResult<T> await(
      CompletableFuture<CollectiveResult<T>> future, String name) {
    return BlockingTreecast.await(
        future,
        ("the answer of agent %s on operation '%s': this member's contribution may count; to "
                + "get the result, call again with the same retry token, if it had one")
            .formatted(agent, name));
  }
}
