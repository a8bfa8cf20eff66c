package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.collectives.clock.RootTime;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ClockServiceGrpc;
import io.treecast.proto.v1.ReadClockRequest;
import io.treecast.proto.v1.ReadClockResponse;
import io.treecast.proto.v1.RefusalReason;
import java.util.List;
import java.util.function.Supplier;

/**
 * The gRPC service for the root's time. gRPC's threads only hand requests over to the agent's loop.
 */
public final class ClockEndpoint extends ClockServiceGrpc.ClockServiceImplBase {
  private final NodeId self;
  private final Supplier<AgentCore> core;
  private final EventLoop loop;

  /** Creates the endpoint of one agent. */
  public ClockEndpoint(NodeId self, Supplier<AgentCore> core, EventLoop loop) {
    this.self = self;
    this.core = core;
    this.loop = loop;
  }

  @Override
  public void readClock(ReadClockRequest request, StreamObserver<ReadClockResponse> response) {
    try {
      Refusals.requirePermission(Caller.current(), Action.ADMINISTRATE, List.of(""));
      loop.offer(
          () -> read(response),
          () ->
              response.onError(
                  loop.isRunning()
                      ? Refusals.noRoom(ClientEndpoint.behind(loop))
                      : Refusals.shuttingDown()));
    } catch (StatusException e) {
      response.onError(e);
    }
  }

  private void read(StreamObserver<ReadClockResponse> response) {
    RootTime time = core.get().clock().now(loop.nowNanos());
    if (time == null) {
      response.onError(
          Refusals.of(
              RefusalReason.REFUSAL_REASON_NO_TREE,
              "member "
                  + self
                  + " has no time of the root yet: it arrives along the tree, soon after the "
                  + "commit"));
      return;
    }
    response.onNext(
        ReadClockResponse.newBuilder()
            .setTreeVersion(time.epoch().treeVersion())
            .setRoot(time.epoch().root().toString())
            .setRootIncarnation(time.epoch().rootIncarnation())
            .setRootNanos(time.rootNanos())
            .setErrorNanos(time.errorNanos())
            .setMember(self.toString())
            .build());
    response.onCompleted();
  }
}
