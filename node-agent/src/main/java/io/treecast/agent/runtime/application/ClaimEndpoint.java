package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.wire.ClaimCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.claim.ClaimKey;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.proto.v1.AcquireClaim;
import io.treecast.proto.v1.Claim;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import io.treecast.proto.v1.InquireClaimRequest;
import io.treecast.proto.v1.InquireClaimResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The gRPC service for claims. gRPC's threads only hand requests over to the agent's loop. */
public final class ClaimEndpoint extends ClaimServiceGrpc.ClaimServiceImplBase {
  private final EventLoop loop;
  private final ClaimCalls calls;

  /** Creates the endpoint of one agent. */
  public ClaimEndpoint(EventLoop loop, Applications applications) {
    this.loop = loop;
    this.calls = applications.claims();
  }

  @Override
  public StreamObserver<HoldRequest> hold(StreamObserver<HoldResponse> response) {
    return new Holding((ServerCallStreamObserver<HoldResponse>) response);
  }

  @Override
  public void inquireClaim(
      InquireClaimRequest request, StreamObserver<InquireClaimResponse> response) {
    try {
      ClaimKey key = permitted(Caller.current(), request.getClaim());
      loop.offer(
          request.getSerializedSize(),
          () -> calls.inquire(key, response),
          () -> response.onError(refusal()));
    } catch (StatusException e) {
      response.onError(e);
    }
  }

  private static ClaimKey permitted(Caller caller, Claim claim) throws StatusException {
    try {
      ClaimKey key = ClaimCodec.decode(claim);
      Refusals.requirePermission(caller, Action.CLAIM, List.of(key.name()));
      return key;
    } catch (WireViolation e) {
      throw Refusals.invalid(String.valueOf(e.getMessage()));
    }
  }

  private StatusException refusal() {
    return loop.isRunning()
        ? Refusals.noRoom(ClientEndpoint.behind(loop))
        : Refusals.shuttingDown();
  }

  /** A call that acquires and may hold a claim. */
  private final class Holding implements StreamObserver<HoldRequest> {
    private final ServerCallStreamObserver<HoldResponse> response;
    private final Caller caller = Caller.current();
    private final String client = ClientConnections.current();

    /** Assigned on the loop; later tasks of the call run there after it. */
    private final AtomicLong number = new AtomicLong();

    private boolean hasBegun;

    /** Whether a request was invalid or released the claim, after which others have no effect. */
    private boolean isOver;

    Holding(ServerCallStreamObserver<HoldResponse> response) {
      this.response = response;
      response.setOnCancelHandler(this::abandon);
    }

    private void abandon() {
      loop.execute(() -> calls.abandon(number.get()));
    }

    @Override
    public void onNext(HoldRequest request) {
      if (isOver) {
        return;
      }
      try {
        switch (request.getBodyCase()) {
          case ACQUIRE -> acquire(request.getAcquire());
          case RENEW -> {
            long question = request.getRenew().getNumber();
            if (!hasBegun || question < 1) {
              throw Refusals.invalid("renew comes before acquire, or has no number");
            }
            loop.offer(() -> calls.renew(number.get(), question), () -> {});
          }
          case RELEASE -> {
            if (!hasBegun) {
              throw Refusals.invalid("release comes before acquire");
            }
            isOver = true;
            loop.execute(() -> calls.release(number.get()));
          }
          case BODY_NOT_SET -> throw Refusals.invalid("the request is empty");
        }
      } catch (StatusException e) {
        isOver = true;
        refuse(e);
      }
    }

    /** Ends the call; on the loop if that has the call, since it may be about to answer. */
    private void refuse(StatusException why) {
      if (hasBegun) {
        loop.execute(() -> calls.refuse(number.get(), why));
      } else {
        response.onError(why);
      }
    }

    private void acquire(AcquireClaim request) throws StatusException {
      if (hasBegun) {
        throw Refusals.invalid("a call acquires one claim once");
      }
      ClaimKey key = permitted(caller, request.getClaim());
      long least = TimeUnit.NANOSECONDS.toMillis(ClaimLimits.MIN_LEASE_NANOS);
      long most = TimeUnit.NANOSECONDS.toMillis(ClaimLimits.MAX_LEASE_NANOS);
      if (request.getLeaseMillis() < least || request.getLeaseMillis() > most) {
        throw Refusals.invalid(
            "the lease has %s ms; allowed are %s to %s"
                .formatted(Long.toUnsignedString(request.getLeaseMillis()), least, most));
      }
      if (request.getWaitMillis() < 0) {
        throw Refusals.invalid("the wait is too long");
      }
      hasBegun = true;
      loop.offer(
          request.getSerializedSize(),
          () -> {
            if (!response.isCancelled()) {
              number.set(calls.acquire(caller, client, key, request, response));
            }
          },
          () -> response.onError(refusal()));
    }

    @Override
    public void onError(Throwable error) {
      abandon();
    }

    /** The caller stops renewing: its lease runs out by itself. */
    @Override
    public void onCompleted() {
      loop.execute(() -> calls.leave(number.get()));
    }
  }
}
