package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.TakePartRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

/**
 * A member's part in an operation on values that exceed one message. An opening determines the
 * contributors and the window. Each segment is then an operation among these contributors, and the
 * window limits the segments under way. Results are taken in order, so that this member does not
 * contribute to a segment before it has the results that the others may have dropped.
 *
 * <p>If a segment completes with fewer contributors, because others have left, all segments are
 * repeated among the remaining ones. All members receive the same outcome of a segment, so all
 * remaining contributors do this alike.
 *
 * <p>Safe for use by several threads.
 *
 * @param <T> the type of its value
 */
final class LargeOperation<T> {
  /** The content of the segments. Called by one thread at a time. */
  interface Segments<T> {
    /**
     * Starts with the first segment, at the beginning and at each repetition.
     *
     * @return the number of segments
     * @throws IllegalArgumentException if a segment has no room for one element
     */
    long begin(List<String> contributors, int segmentBytes);

    /**
     * Adds the contribution to a segment, counted from 0, and its hub if the segment has one of its
     * own.
     */
    void contribute(
        long segment, CollectiveOperation.Builder operation, TakePartRequest.Builder to);

    /**
     * Takes the result of a segment.
     *
     * @throws IllegalArgumentException if it has a wrong size or type
     */
    void take(long segment, CollectiveValue result);

    /** Returns the value, after all results were taken. */
    T value();
  }

  /** Returns a reader for an operation whose vectors are not divided into segments. */
  static <T> CollectiveReader<T> inOneStep(Segments<T> segments) {
    return new CollectiveReader<>() {
      @Override
      public T read(CollectiveValue value) {
        segments.take(0, value);
        return segments.value();
      }

      @Override
      public T read(io.treecast.proto.v1.CollectiveResult result) {
        segments.begin(result.getContributorsList(), MAX_SEGMENT_BYTES);
        return read(result.getValue());
      }
    };
  }

  /**
   * The number of segments in a window that is large enough. Each member sends a segment when it
   * has all of it, so that smaller ones arrive sooner.
   */
  private static final int SEGMENTS_IN_WINDOW = 64;

  private static final int LEAST_SEGMENTS_IN_WINDOW = 4;

  /** The least ratio of the elements of a segment to its other memory, if the window permits. */
  private static final int LEAST_RATIO = 4;

  /** The key of the opening among the calls of segments. */
  private static final long OPENING = -1;

  /**
   * Vectors with fewer elements arrive sooner along the tree than along the chain of all members.
   */
  private static final long LEAST_ELEMENTS_OF_CHAIN = 1 << 18;

  private static final int MAX_SEGMENT_BYTES = 256 * 1024;

  /** The maximum number of segments under way. */
  private static final int MAX_WINDOW = 64;

  /** The memory of a segment at an agent beside its elements, in bytes. */
  private static final int SEGMENT_BYTES = 2_048;

  /** The memory for each contributor of a segment at an agent, in bytes. */
  private static final int CONTRIBUTOR_BYTES = 400;

  private final PendingCollectives pending;
  private final CollectiveOperation opening;
  private final Segments<T> segments;
  private final RetryToken token;
  private final boolean hasRetryToken;
  private final Duration wait;
  private final CompletableFuture<CollectiveResult<T>> result = new CompletableFuture<>();

  // Guarded by this.

  /** The calls under way, by segment. */
  private final TreeMap<Long, CompletableFuture<?>> underWay = new TreeMap<>();

  private final TreeMap<Long, CollectiveResult<CollectiveValue>> arrived = new TreeMap<>();
  private CollectiveOperation attempt = CollectiveOperation.getDefaultInstance();
  private List<String> contributors = List.of();
  private long windowBytes;
  private long chainVersion;
  private long treeVersion;
  private int attempts;
  private int window;
  private long count;
  private long sent;
  private long taken;

  /**
   * Creates the operation, which begins with {@link #start}.
   *
   * @param opening the operation, with the length of the vectors
   * @param token the token of the call
   * @param wait the wait for the agent and the others, at the opening and at each segment
   */
  LargeOperation(
      PendingCollectives pending,
      CollectiveOperation opening,
      Segments<T> segments,
      RetryToken token,
      boolean hasRetryToken,
      Duration wait) {
    this.pending = pending;
    this.opening = opening;
    this.segments = segments;
    this.token = token;
    this.hasRetryToken = hasRetryToken;
    this.wait = wait;
  }

  /**
   * Sends the opening.
   *
   * @param ownWindowBytes the memory of this client for the segments
   */
  CompletableFuture<CollectiveResult<T>> start(long ownWindowBytes) {
    int wish = opening.getStep().getElements() >= LEAST_ELEMENTS_OF_CHAIN ? 1 : 0;
    TakePartRequest request =
        TakePartRequest.newBuilder()
            .setOperation(opening)
            .setToken(token.name())
            .setContribution(ToWire.vector(new long[] {ownWindowBytes, wish, ownWindowBytes}))
            .build();
    CompletableFuture<CollectiveResult<long[]>> opened =
        pending.start(request, CollectiveReader::longs, wait, token, hasRetryToken);
    synchronized (this) {
      underWay.put(OPENING, opened);
    }
    var unused = result.whenComplete((value, error) -> stop());
    var unusedOpening =
        opened.whenComplete(
            (agreed, error) -> {
              if (error == null) {
                opened(agreed);
              } else {
                fail(error);
              }
            });
    return result;
  }

  private void opened(CollectiveResult<long[]> agreed) {
    synchronized (this) {
      underWay.remove(OPENING);
      List<Long> all = LongStream.of(agreed.value()).boxed().toList();
      boolean hasChain = all.size() == 3 && all.get(1) == 1;
      windowBytes = all.size() < 3 ? 0 : all.get(hasChain ? 2 : 0);
      chainVersion = hasChain ? agreed.treeVersion() : 0;
      begin(List.copyOf(agreed.contributors()), agreed.treeVersion());
    }
    proceed();
  }

  /** Starts an attempt among these contributors. Under the lock. */
  private void begin(List<String> among, long version) {
    contributors = among;
    treeVersion = version;
    attempts++;
    arrived.clear();
    sent = 0;
    taken = 0;
    long otherBytes = SEGMENT_BYTES + (long) CONTRIBUTOR_BYTES * among.size();
    long leastBytes =
        Math.min(LEAST_RATIO * otherBytes, windowBytes / LEAST_SEGMENTS_IN_WINDOW - otherBytes);
    long segmentBytes = Math.max(leastBytes, windowBytes / SEGMENTS_IN_WINDOW - otherBytes);
    segmentBytes = Math.max(0, Math.min(MAX_SEGMENT_BYTES, segmentBytes));
    window = (int) Math.min(MAX_WINDOW, windowBytes / (segmentBytes + otherBytes));
    try {
      count = segments.begin(among, (int) segmentBytes);
    } catch (IllegalArgumentException e) {
      fail(noRoom());
      return;
    }
    CollectiveOperation.Builder next =
        opening.toBuilder().clearView().clearParticipants().addAllParticipants(among);
    next.getStepBuilder()
        .setSegments(count)
        .setWindow(window)
        .setChainVersion(chainVersion)
        .setMayLoseMembers(opening.getParticipantsCount() == 0 || opening.hasView());
    attempt = next.build();
  }

  private TreecastException noRoom() {
    return new TreecastException(
        Reason.BUFFER_FULL,
        ("the window of operation '%s' is %s bytes, too few for %s members: call again under "
                + "another name when other large operations have ended, or raise "
                + "limits.collectivesBytes of the agents, and maxPendingBytes of the clients")
            .formatted(opening.getName(), windowBytes, contributors.size()));
  }

  /** Starts the segments that the window permits. */
  private void proceed() {
    while (true) {
      CompletableFuture<CollectiveResult<CollectiveValue>> next;
      long segment;
      int itsAttempt;
      synchronized (this) {
        if (result.isDone()) {
          return;
        }
        if (taken == count) {
          break;
        }
        if (sent == count || sent >= taken + window) {
          return;
        }
        segment = sent++;
        itsAttempt = attempts;
        next = pending.startSegment(request(segment), wait, token, hasRetryToken);
        underWay.put(segment, next);
      }
      var unused =
          next.whenComplete(
              (its, error) -> {
                if (error == null) {
                  ended(itsAttempt, segment, its);
                } else {
                  failed(itsAttempt, segment, error);
                }
              });
    }
    CollectiveResult<T> whole;
    synchronized (this) {
      whole =
          new CollectiveResult<>(segments.value(), new LinkedHashSet<>(contributors), treeVersion);
    }
    result.complete(whole);
  }

  private TakePartRequest request(long segment) {
    CollectiveOperation.Builder operation =
        attempt.toBuilder().setName(opening.getName() + "~" + attemptId() + "/" + (segment + 1));
    operation.getStepBuilder().setNumber(segment + 1);
    TakePartRequest.Builder request = TakePartRequest.newBuilder().setToken(token.name());
    segments.contribute(segment, operation, request);
    return request.setOperation(operation).build();
  }

  /**
   * Returns a name of the attempt, which differs from those of other attempts and of parts of the
   * network with other contributors.
   */
  private String attemptId() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String text = treeVersion + " " + attempts + " " + String.join("\n", contributors);
      byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void ended(int itsAttempt, long segment, CollectiveResult<CollectiveValue> its) {
    List<CompletableFuture<?>> obsolete = new ArrayList<>();
    synchronized (this) {
      if (itsAttempt != attempts || result.isDone()) {
        return;
      }
      underWay.remove(segment);
      arrived.put(segment, its);
      take(obsolete);
    }
    obsolete.forEach(other -> other.cancel(false));
    proceed();
  }

  /**
   * Takes the arrived results in order. Under the lock.
   *
   * @param obsolete receives the calls of an abandoned attempt
   */
  private void take(List<CompletableFuture<?>> obsolete) {
    CollectiveResult<CollectiveValue> next = arrived.remove(taken);
    while (next != null) {
      if (!next.contributors().equals(new LinkedHashSet<>(contributors))) {
        obsolete.addAll(underWay.values());
        underWay.clear();
        begin(List.copyOf(next.contributors()), next.treeVersion());
        return;
      }
      try {
        segments.take(taken, next.value());
      } catch (IllegalArgumentException e) {
        fail(
            new TreecastException(
                Reason.PROTOCOL_VIOLATION,
                ("the agent answered segment %s of operation '%s' with %s; check that client "
                        + "and agent have the same version")
                    .formatted(taken + 1, opening.getName(), e.getMessage())));
        return;
      }
      taken++;
      next = arrived.remove(taken);
    }
  }

  private void failed(int itsAttempt, long segment, Throwable error) {
    synchronized (this) {
      if (itsAttempt != attempts) {
        return;
      }
      underWay.remove(segment);
    }
    fail(error);
  }

  private void fail(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    result.completeExceptionally(cause == null ? error : cause);
  }

  private void stop() {
    List<CompletableFuture<?>> open;
    synchronized (this) {
      open = List.copyOf(underWay.values());
      underWay.clear();
    }
    open.forEach(call -> call.cancel(false));
  }
}
