package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The outcome of a call for a claim, as its caller and the agent know it. */
@Isolated("it replaces the threads of all completions")
@Timeout(120)
class ClaimOutcomeTest {
  private static final Duration LEASE = Duration.ofHours(1);

  private final Executor completions = PublicFuture.completions;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final Voter voter = new Voter();
  private Server server;
  private Treecast treecast;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(voter).build().start();
    treecast = Treecast.inProcess(name).connect();
  }

  @AfterEach
  void stop() {
    PublicFuture.completions = completions;
    treecast.close();
    server.shutdownNow();
  }

  private CompletableFuture<Claim> acquire() {
    return treecast.claims().among("h1").acquire("leader", LEASE);
  }

  /** The agent's server ends a call so when its deadline passes, or when its code fails. */
  @ParameterizedTest
  @EnumSource(names = {"DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL"})
  void a_claim_whose_call_the_other_end_breaks_off_may_have_been_granted(Status.Code code) {
    voter.end = code;
    assertFails(acquire(), Reason.OUTCOME_UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIMPLEMENTED", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED"})
  void a_claim_whose_call_the_other_end_does_not_take_was_not_granted(Status.Code code) {
    voter.end = code;
    assertFails(acquire(), Reason.REFUSED);
  }

  private static void assertFails(CompletableFuture<?> future, Reason reason) {
    assertThatThrownBy(() -> future.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void a_claim_that_is_granted_while_its_caller_cancels_is_released() {
    PublicFuture.completions = waiting::add;
    voter.mayGrant = new CountDownLatch(1);
    CompletableFuture<Claim> claim = acquire();
    voter.mayGrant.countDown();
    // Granted, and the caller does not know it. Other clients may still hand over results.
    await().until(() -> voter.granted.get() == 1 && !waiting.isEmpty());

    assertThat(claim.cancel(false)).isTrue();
    waiting.forEach(Runnable::run);

    await().untilAsserted(() -> assertThat(voter.released).hasValue(1));
  }

  @Test
  void a_claim_that_is_granted_while_its_thread_is_interrupted_is_released() {
    Claim granted = acquire().join();
    CompletableFuture<Claim> interrupted =
        new CompletableFuture<>() {
          @Override
          public Claim get() throws InterruptedException {
            complete(granted);
            throw new InterruptedException();
          }
        };

    assertThatThrownBy(() -> BlockingTreecast.awaitClaim(interrupted, "leader"))
        .isInstanceOfSatisfying(
            TreecastException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(granted.isHeld()).isFalse();
  }

  @Test
  void a_claim_that_its_caller_has_received_is_not_released() {
    Claim claim = acquire().join();

    assertThat(claim.isHeld()).isTrue();
    assertThat(voter.released).hasValue(0);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Grants each claim when it may, or ends the call. */
  private static final class Voter extends ClaimServiceGrpc.ClaimServiceImplBase {
    final AtomicInteger granted = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    volatile Status.@Nullable Code end;
    volatile CountDownLatch mayGrant = new CountDownLatch(0);

    @Override
    public StreamObserver<HoldRequest> hold(StreamObserver<HoldResponse> answers) {
      return new StreamObserver<>() {
        @Override
        public void onNext(HoldRequest request) {
          Status.Code code = end;
          if (code != null) {
            answers.onError(code.toStatus().asRuntimeException());
          } else if (request.hasRelease()) {
            released.incrementAndGet();
            answers.onCompleted();
          } else {
            awaitUninterruptibly(mayGrant);
            granted.addAndGet(request.hasRenew() ? 1 : 0);
            answers.onNext(
                HoldResponse.newBuilder()
                    .setNumber(request.getRenew().getNumber())
                    .setFence(1)
                    .setRemainingNanos(LEASE.toNanos())
                    .build());
          }
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
      };
    }
  }
}
