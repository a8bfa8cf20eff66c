package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.InquireClaimRequest;
import io.treecast.proto.v1.InquireClaimResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The claims that named members grant; see {@link Claims}. Immutable, and safe for use by several
 * threads.
 */
public final class MemberClaims {
  /** The most members. */
  private static final int MAX_MEMBERS = 15;

  /** How long a call that does not wait for a holder waits for answers of members. */
  static final Duration TRY_WAIT = Duration.ofSeconds(3);

  /** A wait without end. */
  private static final Duration WAIT = Duration.ofDays(365);

  private static final Duration INQUIRY = Duration.ofSeconds(5);

  private final AgentConnection connection;
  private final PendingClaims pending;
  private final List<String> members;
  private final boolean isAdvisory;

  MemberClaims(
      AgentConnection connection,
      PendingClaims pending,
      Collection<String> members,
      boolean isAdvisory) {
    this.connection = connection;
    this.pending = pending;
    this.members = List.copyOf(members);
    this.isAdvisory = isAdvisory;
    if (this.members.isEmpty() || this.members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a claim is among " + this.members.size() + " members; allowed are 1 to " + MAX_MEMBERS);
    }
  }

  /**
   * Returns claims that a majority of those members grants that are in the present tree. In a
   * partition each part can have a holder. Advisory claims are apart from others of the same name.
   */
  public MemberClaims advisory() {
    return new MemberClaims(connection, pending, members, true);
  }

  /** Acquires a claim, and waits for it without end. Cancelling the future ends the wait. */
  public CompletableFuture<Claim> acquire(String name, Duration lease) {
    return acquire(name, lease, WAIT);
  }

  /**
   * Acquires a claim, and waits while another caller holds it. Callers get it in the order of their
   * arrival, as far as messages are not lost. Cancelling the future ends the wait.
   *
   * @param name 1 to 200 bytes of UTF-8 without control characters
   * @param lease how long the claim stays with this caller when it is not renewed, which the client
   *     does; 100 ms to the limit of the agents, a minute by default
   * @param wait the longest wait; the failure is then {@code CLAIM_HELD}, {@code NO_MAJORITY},
   *     {@code AGENT_UNREACHABLE} if no agent was asked, or {@code OUTCOME_UNKNOWN} without an
   *     answer: this caller does not hold the claim then, but its fence may have risen
   */
  public CompletableFuture<Claim> acquire(String name, Duration lease, Duration wait) {
    return given(ownAcquire(name, lease, wait, true));
  }

  /**
   * Acquires a claim if no other caller holds it or waits for it; otherwise fails with {@code
   * CLAIM_HELD}. Fails with {@code NO_MAJORITY} if too few members answer within 3 s.
   */
  public CompletableFuture<Claim> tryAcquire(String name, Duration lease) {
    return given(ownAcquire(name, lease, TRY_WAIT, false));
  }

  /**
   * Returns the future for a caller. The claim may be granted while the caller cancels the future;
   * it is then released, because the caller does not have it.
   */
  private static CompletableFuture<Claim> given(CompletableFuture<Claim> own) {
    CompletableFuture<Claim> given = PublicFuture.ofCall(own);
    var unused =
        given.whenComplete(
            (claim, error) -> {
              var unusedToo =
                  own.thenAccept(
                      granted -> {
                        if (granted != claim) {
                          granted.close();
                        }
                      });
            });
    return given;
  }

  /** Acquires with the future of the client itself. */
  CompletableFuture<Claim> ownAcquire(
      String name, Duration lease, Duration wait, boolean waitsForHolder) {
    Duration fittingLease = fitting(lease);
    HoldCall call =
        new HoldCall(
            connection,
            AcquireClaim.newBuilder()
                .setClaim(claim(name))
                .setLeaseMillis(fittingLease.toMillis())
                .setWaitForHolder(waitsForHolder)
                .build(),
            fittingLease,
            fitting(wait),
            connection.newBackoff(),
            pending::remove);
    TreecastException refusal = pending.admit(call);
    if (refusal == null) {
      call.start();
    } else {
      call.fail(refusal);
    }
    return call.claim();
  }

  /** Returns a time that fits in a call; agents refuse leases that do not. */
  private static Duration fitting(Duration time) {
    return time.isNegative() ? Duration.ZERO : time.compareTo(WAIT) > 0 ? WAIT : time;
  }

  private io.treecast.proto.v1.Claim claim(String name) {
    return io.treecast.proto.v1.Claim.newBuilder()
        .setName(Objects.requireNonNull(name, "name"))
        .addAllMembers(members)
        .setAdvisory(isAdvisory)
        .build();
  }

  /**
   * Returns the present holder of a claim, as a majority of members state it. Fails with {@code
   * NO_MAJORITY} if fewer answer within 2 s. The answer may be old when it arrives.
   */
  public CompletableFuture<ClaimHolder> holder(String name) {
    return PublicFuture.of(ownHolder(name));
  }

  /** Asks for the holder with the future of the client itself. */
  CompletableFuture<ClaimHolder> ownHolder(String name) {
    return AgentQuery.then(
        AgentQuery.ask(
            connection,
            ClaimServiceGrpc.getInquireClaimMethod(),
            InquireClaimRequest.newBuilder().setClaim(claim(name)).build(),
            INQUIRY,
            CallFailure::ofRead),
        answers -> holder(name, answers.get(0)));
  }

  private ClaimHolder holder(String name, InquireClaimResponse answer) {
    if (answer.getAnswers() < answer.getNeeded()) {
      throw new TreecastException(
          Reason.NO_MAJORITY,
          answer.getAnswers()
              + " of "
              + members.size()
              + " members of claim '"
              + name
              + "' answered, and "
              + answer.getNeeded()
              + " are needed: bring members up, or ask an agent of the other part");
    }
    return new ClaimHolder(
        answer.getHolder().isEmpty() ? null : answer.getHolder(),
        answer.getFence(),
        Duration.ofNanos(answer.getRemainingNanos()),
        answer.getWaiting());
  }

  /**
   * Watches a claim: asks for its holder every second, and reports it at first and when holder or
   * fence have changed. Times in which no majority answers are not reported.
   *
   * @param handler called by one thread at a time; an exception is logged, and the watch continues
   * @return closes the watch
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public ClaimWatch watch(String name, Consumer<ClaimHolder> handler) {
    connection.requireOpen();
    ClaimWatch watch = new ClaimWatch(connection, () -> ownHolder(name), handler);
    watch.ask();
    return watch;
  }
}
