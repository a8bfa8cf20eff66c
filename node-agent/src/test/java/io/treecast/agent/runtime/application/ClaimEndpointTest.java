package io.treecast.agent.runtime.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.runtime.UntimedLoop;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.Claim;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import io.treecast.proto.v1.ReleaseClaim;
import io.treecast.proto.v1.RenewClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of a call for a claim that follow each other before the loop has processed them. */
class ClaimEndpointTest {
  private static final HoldRequest EMPTY = HoldRequest.getDefaultInstance();
  private static final HoldRequest ACQUIRE =
      HoldRequest.newBuilder()
          .setAcquire(
              AcquireClaim.newBuilder()
                  .setClaim(Claim.newBuilder().setName("leader").addMembers("h1"))
                  .setLeaseMillis(1_000))
          .build();
  private static final HoldRequest RELEASE =
      HoldRequest.newBuilder().setRelease(ReleaseClaim.getDefaultInstance()).build();
  private static final HoldRequest UNNUMBERED =
      HoldRequest.newBuilder().setRenew(RenewClaim.getDefaultInstance()).build();

  private final EventLoop loop = UntimedLoop.create();
  private final Applications applications =
      Applications.of(
          NodeId.of("h1"),
          ClaimEndpointTest::noCore,
          loop,
          BroadcastLimits.defaults(),
          CombiningLimits.defaults(),
          ClaimLimits.defaults(),
          new LongAdder(),
          notice -> {});
  private final ClaimEndpoint endpoint = new ClaimEndpoint(loop, applications);
  private final Out out = new Out();

  private static AgentCore noCore() {
    throw new AssertionError("the claim is refused before");
  }

  /** A call that fails like one of gRPC if it is used after its end. */
  private static final class Out extends UnheededResponses<HoldResponse> {
    final List<Status.Code> ends = new ArrayList<>();

    @Override
    public void onNext(HoldResponse response) {
      requireOpen();
    }

    @Override
    public void onError(Throwable failure) {
      requireOpen();
      ends.add(Status.fromThrowable(failure).getCode());
    }

    private void requireOpen() {
      if (!ends.isEmpty()) {
        throw new IllegalStateException("call already closed");
      }
    }
  }

  /** Runs all queued tasks, and returns their number. */
  private int runLoop() {
    int tasks = 0;
    while (loop.hasTasks()) {
      loop.runNext();
      tasks++;
    }
    return tasks;
  }

  static List<HoldRequest> invalid() {
    return List.of(EMPTY, ACQUIRE, UNNUMBERED);
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void an_invalid_request_behind_one_that_is_refused_has_no_effect(HoldRequest invalid) {
    applications.claims().end();
    StreamObserver<HoldRequest> call = endpoint.hold(out);

    call.onNext(ACQUIRE);
    call.onNext(invalid);
    int unused = runLoop();

    assertThat(out.ends).hasSize(1);
  }

  @Test
  void requests_behind_an_invalid_one_have_no_effect() {
    StreamObserver<HoldRequest> call = endpoint.hold(out);

    call.onNext(EMPTY);
    call.onNext(ACQUIRE);
    call.onNext(EMPTY);
    int unused = runLoop();

    assertThat(out.ends).containsExactly(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void requests_behind_a_release_do_not_queue() {
    applications.claims().end();
    StreamObserver<HoldRequest> call = endpoint.hold(out);
    call.onNext(ACQUIRE);

    for (int i = 0; i < 10; i++) {
      call.onNext(RELEASE);
    }

    assertThat(runLoop()).isEqualTo(2);
    assertThat(out.ends).hasSize(1);
  }
}
