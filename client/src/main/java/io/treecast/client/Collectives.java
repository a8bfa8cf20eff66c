package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.Reduction;
import io.treecast.proto.v1.TakePartRequest;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Collective operations: barrier, reduce, gather and scatter. Obtained from {@link
 * Treecast#collectives}.
 *
 * <pre>{@code
 * // At each member:
 * long[] sum =
 *     treecast.collectives().allReduce("round-17", LongReduction.SUM, new long[] {3, 4})
 *         .join().value();
 * }</pre>
 *
 * <p>The name identifies an operation. One application at each member calls it, all with the same
 * name, method, reduction, target or source, participants and minimum. Each round needs a name of
 * its own: a member takes part once under each name, and a second call fails with {@code
 * NAME_USED}.
 *
 * <p>By default all members of the committed tree take part: an operation is complete when each of
 * them has called it. If a member leaves the tree, because it crashed or is cut off, the others
 * complete without it; {@link CollectiveResult#contributors} names the members in the result. In a
 * partition, each part completes for itself. Use {@link CollectiveOptions#among} to name members
 * that are indispensable; {@link CollectiveOptions#withMinimum} prevents a small part from
 * completing alone. Each result contains the contribution of the member that receives it. A member
 * that calls when the operation is complete, or whose part merges with one that has completed it,
 * fails with {@code LEFT_OUT}.
 *
 * <p>If the connection to the agent is lost, the call is repeated as the same call until it times
 * out. Cancelling a future ends the wait; this member's contribution still counts if the agent has
 * it. All futures fail with a {@link TreecastException} that has one of the reasons {@code
 * MEMBERS_MISSING}, {@code DISAGREEMENT}, {@code NAME_USED}, {@code OVERFLOW}, {@code RESULT_LOST},
 * {@code LEFT_OUT}, {@code PAYLOAD_TOO_LARGE}, {@code BUFFER_FULL}, {@code AGENT_UNREACHABLE},
 * {@code OUTCOME_UNKNOWN}, {@code REFUSED}, {@code PROTOCOL_VIOLATION}, {@code CLOSED}. All methods
 * throw {@link IllegalArgumentException} for the name of an operation that is not 1 to 200 bytes of
 * UTF-8 without control characters, for an empty member id, and for a target or source that is not
 * among the participants.
 *
 * <p>Safe for use by several threads.
 */
public final class Collectives {
  /** The largest vector that is sent in one message. */
  static final int MAX_SMALL_BYTES = 64 * 1024;

  private final ClientSettings settings;
  private final PendingCollectives pending;
  private final CallFuture future;
  private final OperationScope scope;

  /**
   * Creates the operations of a client.
   *
   * @param future derives the futures for callers
   * @param scope determines the participants
   */
  Collectives(
      ClientSettings settings,
      PendingCollectives pending,
      CallFuture future,
      OperationScope scope) {
    this.settings = settings;
    this.pending = pending;
    this.future = future;
    this.scope = scope;
  }

  /** Like {@link #barrier(String, CollectiveOptions)}, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<@Nullable Void>> barrier(String name) {
    return barrier(name, CollectiveOptions.defaults());
  }

  /**
   * Waits until all participants have called the barrier.
   *
   * @return no value, but the participants that have arrived
   */
  public CompletableFuture<CollectiveResult<@Nullable Void>> barrier(
      String name, CollectiveOptions options) {
    return start(
        operation(name, CollectiveKind.COLLECTIVE_KIND_BARRIER, options),
        Contribution.NOTHING,
        CollectiveReader::nothing,
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<long[]>> allReduce(
      String name, LongReduction reduction, long[] vector) {
    return allReduce(name, reduction, vector, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members to one, element by element; all members receive it.
   *
   * @param vector has as many elements as that of each other member; copied
   */
  public CompletableFuture<CollectiveResult<long[]>> allReduce(
      String name, LongReduction reduction, long[] vector, CollectiveOptions options) {
    return start(
        reduce(name, longs(reduction), options),
        Contribution.of(vector),
        CollectiveReader::longs,
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<double[]>> allReduce(
      String name, DoubleReduction reduction, double[] vector) {
    return allReduce(name, reduction, vector, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members to one, element by element; all members receive the same, to
   * the last digit.
   *
   * @param vector has as many elements as that of each other member; copied
   */
  public CompletableFuture<CollectiveResult<double[]>> allReduce(
      String name, DoubleReduction reduction, double[] vector, CollectiveOptions options) {
    return start(
        reduce(name, doubles(reduction), options),
        Contribution.of(vector),
        CollectiveReader::doubles,
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<long[]>>> reduce(
      String name, String to, LongReduction reduction, long[] vector) {
    return reduce(name, to, reduction, vector, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members to one, element by element; one member receives it.
   *
   * @param to the id of that member
   * @param vector has as many elements as that of each other member; copied
   * @return empty at all other members
   */
  public CompletableFuture<CollectiveResult<Optional<long[]>>> reduce(
      String name, String to, LongReduction reduction, long[] vector, CollectiveOptions options) {
    return start(
        withHub(reduce(name, longs(reduction), options), to, "to"),
        Contribution.of(vector),
        CollectiveReader.ifAny(CollectiveReader::longs),
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<double[]>>> reduce(
      String name, String to, DoubleReduction reduction, double[] vector) {
    return reduce(name, to, reduction, vector, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members to one, element by element; one member receives it.
   *
   * @param to the id of that member
   * @param vector has as many elements as that of each other member; copied
   * @return empty at all other members
   */
  public CompletableFuture<CollectiveResult<Optional<double[]>>> reduce(
      String name,
      String to,
      DoubleReduction reduction,
      double[] vector,
      CollectiveOptions options) {
    return start(
        withHub(reduce(name, doubles(reduction), options), to, "to"),
        Contribution.of(vector),
        CollectiveReader.ifAny(CollectiveReader::doubles),
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<NumberVector>> allReduce(
      String name, VectorReduction reduction, NumberVector vector) {
    return allReduce(name, reduction, vector, null, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members, of up to 1 GiB, to one, element by element; all members
   * receive it, equal in each bit. Vectors of more than 64 KiB are sent in segments, and the
   * sending of some overlaps with the combination of others. The wait of the options then applies
   * to the opening, and to each segment. If a member leaves meanwhile, all segments are repeated
   * without it, unless the options name the participants.
   *
   * @param vector with the same type and number of elements at all members; not copied
   * @param into receives the result, and must not share memory with the vector; null to create it
   * @return the result; if the operation fails, {@code into} has undefined content
   * @throws IllegalArgumentException if the reduction is not defined for the type, the vector is
   *     too long, or {@code into} has another type or length
   */
  public CompletableFuture<CollectiveResult<NumberVector>> allReduce(
      String name,
      VectorReduction reduction,
      NumberVector vector,
      @Nullable NumberVector into,
      CollectiveOptions options) {
    CollectiveOperation.Builder operation =
        reduce(name, ToWire.reduction(reduction, vector), options);
    return start(
        operation,
        vector,
        into,
        ReducedSegments.forAll(vector, into, reduction == VectorReduction.MEAN),
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<NumberVector>>> reduce(
      String name, String to, VectorReduction reduction, NumberVector vector) {
    return reduce(name, to, reduction, vector, null, CollectiveOptions.defaults());
  }

  /**
   * Reduces the vectors of all members, of up to 1 GiB, to one, element by element; one member
   * receives it. Otherwise as {@link #allReduce(String, VectorReduction, NumberVector,
   * NumberVector, CollectiveOptions)}.
   *
   * @param to the id of that member
   * @param into receives the result; null to create it at that member
   * @return empty at all other members
   */
  public CompletableFuture<CollectiveResult<Optional<NumberVector>>> reduce(
      String name,
      String to,
      VectorReduction reduction,
      NumberVector vector,
      @Nullable NumberVector into,
      CollectiveOptions options) {
    CollectiveOperation.Builder operation =
        withHub(reduce(name, ToWire.reduction(reduction, vector), options), to, "to");
    return start(
        operation,
        vector,
        into,
        ReducedSegments.forOne(vector, into, reduction == VectorReduction.MEAN),
        options);
  }

  /**
   * Finds the lowest or highest elements of the vectors of all members, and the members that have
   * them. Otherwise as {@link #allReduce(String, VectorReduction, NumberVector, NumberVector,
   * CollectiveOptions)}.
   *
   * @param extreme {@code MIN} or {@code MAX}
   */
  public CompletableFuture<CollectiveResult<Located>> locate(
      String name, VectorReduction extreme, NumberVector vector, CollectiveOptions options) {
    CollectiveOperation.Builder operation = reduce(name, ToWire.located(extreme, vector), options);
    requireAllowed(name, vector);
    return startLarge(
        operation, vector.length(), new LocatedSegments(vector, vector.another()), options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Map<String, byte[]>>> allGather(
      String name, byte[] payload) {
    return allGather(name, payload, CollectiveOptions.defaults());
  }

  /**
   * Gathers the payloads of all members; all members receive them.
   *
   * @param payload may be empty; copied
   * @return the payloads of all contributors, by id and in the order of the ids
   */
  public CompletableFuture<CollectiveResult<Map<String, byte[]>>> allGather(
      String name, byte[] payload, CollectiveOptions options) {
    return start(
        operation(name, CollectiveKind.COLLECTIVE_KIND_GATHER, options),
        Contribution.of(payload),
        CollectiveReader::payloads,
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<Map<String, byte[]>>>> gather(
      String name, String to, byte[] payload) {
    return gather(name, to, payload, CollectiveOptions.defaults());
  }

  /**
   * Gathers the payloads of all members; one member receives them.
   *
   * @param to the id of that member
   * @param payload may be empty; copied
   * @return at that member, the payloads of all contributors, by id and in the order of the ids;
   *     empty at all others
   */
  public CompletableFuture<CollectiveResult<Optional<Map<String, byte[]>>>> gather(
      String name, String to, byte[] payload, CollectiveOptions options) {
    return start(
        withHub(operation(name, CollectiveKind.COLLECTIVE_KIND_GATHER, options), to, "to"),
        Contribution.of(payload),
        CollectiveReader.ifAny(CollectiveReader::payloads),
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<byte[]>>> scatter(
      String name, Map<String, byte[]> parts) {
    return scatter(name, parts, CollectiveOptions.defaults());
  }

  /**
   * Hands each member its part. The other members call {@link #receive}; the operation is complete
   * when all have called.
   *
   * @param parts by the ids of the members; a member may have none, and this member may have one;
   *     copied
   * @return this member's part, if it has one. Parts of members that are not contributors were not
   *     handed out: see {@link CollectiveResult#absent}
   */
  public CompletableFuture<CollectiveResult<Optional<byte[]>>> scatter(
      String name, Map<String, byte[]> parts, CollectiveOptions options) {
    // The agent fills in its own id as the source.
    return start(
        operation(name, CollectiveKind.COLLECTIVE_KIND_SCATTER, options),
        Contribution.of(parts),
        CollectiveReader::ownPart,
        options);
  }

  /** As the overload with options, with {@link CollectiveOptions#defaults}. */
  public CompletableFuture<CollectiveResult<Optional<byte[]>>> receive(String name, String from) {
    return receive(name, from, CollectiveOptions.defaults());
  }

  /**
   * Receives this member's part of a scatter.
   *
   * @param from the id of the member that scatters; {@code REFUSED} if it is this one
   * @return empty if the sender has no part for this member, or if this member called after the
   *     operation was complete
   */
  public CompletableFuture<CollectiveResult<Optional<byte[]>>> receive(
      String name, String from, CollectiveOptions options) {
    return start(
        withHub(operation(name, CollectiveKind.COLLECTIVE_KIND_SCATTER, options), from, "from"),
        Contribution.NOTHING,
        CollectiveReader::ownPart,
        options);
  }

  // The methods below create the request for an operation.

  private static CollectiveOperation.Builder operation(
      String name, CollectiveKind kind, CollectiveOptions options) {
    return ToWire.operation(
        OperationName.checked(name), kind, Objects.requireNonNull(options, "options"));
  }

  private static CollectiveOperation.Builder reduce(
      String name, Reduction reduction, CollectiveOptions options) {
    return operation(name, CollectiveKind.COLLECTIVE_KIND_REDUCE, options).setReduction(reduction);
  }

  private static Reduction longs(LongReduction reduction) {
    return ToWire.reduction(Objects.requireNonNull(reduction, "reduction"));
  }

  private static Reduction doubles(DoubleReduction reduction) {
    return ToWire.reduction(Objects.requireNonNull(reduction, "reduction"));
  }

  private static CollectiveOperation.Builder withHub(
      CollectiveOperation.Builder operation, String hub, String what) {
    OperationName.checkedMember(hub, what);
    if (operation.getParticipantsCount() > 0 && !operation.getParticipantsList().contains(hub)) {
      throw new IllegalArgumentException(
          what + " is " + hub + ", which is not a participant: name it there, too");
    }
    return operation.setHub(hub);
  }

  private <T extends @Nullable Object> CompletableFuture<CollectiveResult<T>> start(
      CollectiveOperation.Builder operation,
      Contribution contribution,
      CollectiveReader<T> reader,
      CollectiveOptions options) {
    TreecastException tooLarge = tooLarge(operation.getName(), contribution.bytes());
    if (tooLarge != null) {
      return CompletableFuture.failedFuture(tooLarge);
    }
    RetryToken given = options.retryToken();
    RetryToken token = given == null ? RetryToken.create() : given;
    TakePartRequest.Builder request = TakePartRequest.newBuilder().setToken(token.name());
    if (!contribution.equals(Contribution.NOTHING)) {
      request.setContribution(contribution.copy().get());
    }
    TakePartRequest own = request.build();
    return future.of(
        scope.run(
            operation.build(),
            options,
            options.wait(settings.defaultWait()),
            (called, wait) ->
                pending.start(
                    own.toBuilder().setOperation(called).build(),
                    reader,
                    wait,
                    token,
                    given != null)));
  }

  /** Starts a reduction of vectors, in one step if they are small. */
  private <T> CompletableFuture<CollectiveResult<T>> start(
      CollectiveOperation.Builder operation,
      NumberVector vector,
      @Nullable NumberVector into,
      LargeOperation.Segments<T> segments,
      CollectiveOptions options) {
    requireAllowed(operation.getName(), vector);
    if (into != null) {
      into.requireFits(vector);
    }
    return vector.bytes() <= MAX_SMALL_BYTES
        ? start(operation, Contribution.of(vector), LargeOperation.inOneStep(segments), options)
        : startLarge(operation, vector.length(), segments, options);
  }

  private <T> CompletableFuture<CollectiveResult<T>> startLarge(
      CollectiveOperation.Builder operation,
      long elements,
      LargeOperation.Segments<T> segments,
      CollectiveOptions options) {
    operation.getStepBuilder().setElements(elements);
    RetryToken given = options.retryToken();
    RetryToken token = given == null ? RetryToken.create() : given;
    return future.of(
        scope.run(
            operation.build(),
            options,
            options.wait(settings.defaultWait()),
            (called, wait) ->
                new LargeOperation<>(pending, called, segments, token, given != null, wait)
                    .start(settings.maxPendingBytes() / 2)));
  }

  private static void requireAllowed(String name, NumberVector vector) {
    if (vector.bytes() > NumberVector.MAX_BYTES) {
      throw new IllegalArgumentException(
          "a vector of " + vector.bytes() + " bytes; allowed are " + NumberVector.MAX_BYTES);
    }
    OperationName.requireRoomForSegments(name);
  }

  private @Nullable TreecastException tooLarge(String name, long bytes) {
    if (bytes <= Math.min(Contribution.MAX_BYTES, settings.maxPayloadBytes())) {
      return null;
    }
    return new TreecastException(
        Reason.PAYLOAD_TOO_LARGE,
        "the contribution to operation '"
            + name
            + "' counts as "
            + bytes
            + " bytes; "
            + (bytes > Contribution.MAX_BYTES
                ? "agents take at most " + Contribution.MAX_BYTES + ": broadcast large payloads"
                : "the client's limit is "
                    + settings.maxPayloadBytes()
                    + ": broadcast large payloads, or raise maxPayloadBytes here and"
                    + " limits.collectiveBytes of the agents"));
  }
}
