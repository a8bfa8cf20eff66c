package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.wire.GroupCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.group.GroupPath;
import io.treecast.proto.v1.FollowGroupRequest;
import io.treecast.proto.v1.FollowGroupResponse;
import io.treecast.proto.v1.GroupServiceGrpc;
import io.treecast.proto.v1.ListGroupsRequest;
import io.treecast.proto.v1.ListGroupsResponse;
import java.util.List;

/** The gRPC service for groups. gRPC's threads only hand requests over to the agent's loop. */
public final class GroupEndpoint extends GroupServiceGrpc.GroupServiceImplBase {
  private final EventLoop loop;
  private final GroupCalls calls;

  /** Creates the endpoint of one agent. */
  public GroupEndpoint(EventLoop loop, Applications applications) {
    this.loop = loop;
    this.calls = applications.groups();
  }

  @Override
  public void followGroup(
      FollowGroupRequest request, StreamObserver<FollowGroupResponse> response) {
    ServerCallStreamObserver<FollowGroupResponse> out =
        (ServerCallStreamObserver<FollowGroupResponse>) response;
    Caller caller = Caller.current();
    String client = ClientConnections.current();
    GroupPath path;
    try {
      path = GroupCodec.path(request.getPath());
    } catch (WireViolation e) {
      out.onError(Refusals.invalid(String.valueOf(e.getMessage())));
      return;
    }
    out.setOnCancelHandler(() -> loop.execute(() -> calls.remove(out)));
    out.setOnReadyHandler(() -> loop.execute(() -> calls.ready(out)));
    loop.offer(
        () -> {
          if (!out.isCancelled()) {
            calls.add(caller, client, path, request.getJoin(), out);
          }
        },
        () -> out.onError(refusal()));
  }

  @Override
  public void listGroups(ListGroupsRequest request, StreamObserver<ListGroupsResponse> response) {
    ServerCallStreamObserver<ListGroupsResponse> out =
        (ServerCallStreamObserver<ListGroupsResponse>) response;
    try {
      Refusals.requirePermission(Caller.current(), Action.ADMINISTRATE, List.of(""));
    } catch (StatusException e) {
      out.onError(e);
      return;
    }
    out.setOnCancelHandler(() -> loop.execute(() -> calls.forget(out)));
    loop.offer(() -> calls.list(out), () -> out.onError(refusal()));
  }

  private StatusException refusal() {
    return loop.isRunning()
        ? Refusals.noRoom(ClientEndpoint.behind(loop))
        : Refusals.shuttingDown();
  }
}
