package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.wire.GroupCodec;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.group.Groups;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.FollowGroupResponse;
import io.treecast.proto.v1.ListGroupsResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that have joined groups or watch them. Each receives the present view and each
 * later one; a slow reader skips to the latest. On the agent's loop.
 */
public final class GroupCalls {
  /** The limit of applications that have joined groups or watch them. */
  private static final int MAX_FOLLOWERS = 1_024;

  /** The limit of pending queries for all groups. */
  private static final int MAX_QUESTIONS = 1_000;

  private static final class Follower {
    final Caller caller;
    final GroupPath path;
    final boolean joins;
    @Nullable GroupView latest;
    boolean isSent;

    Follower(Caller caller, GroupPath path, boolean joins) {
      this.caller = caller;
      this.path = path;
      this.joins = joins;
    }
  }

  private final NodeId self;
  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final OpenCalls<FollowGroupResponse, Follower> followers =
      new OpenCalls<>("memberships and watches of groups", MAX_FOLLOWERS);
  private final Map<Long, StreamObserver<ListGroupsResponse>> questions = new HashMap<>();
  private long lastQuestion;
  private @Nullable StatusException ended;

  /** The number of memberships; may be read by any thread. */
  private volatile int joined;

  GroupCalls(NodeId self, Supplier<AgentCore> core, EventLoop loop) {
    this.self = self;
    this.core = core;
    this.loop = loop;
  }

  void add(
      Caller caller,
      String client,
      GroupPath path,
      boolean joins,
      ServerCallStreamObserver<FollowGroupResponse> out) {
    if (ended != null) {
      out.onError(ended);
      return;
    }
    if (endedAsForbidden(caller, path, out)) {
      return;
    }
    StatusException refusal = followers.refusal(client);
    if (refusal != null) {
      out.onError(refusal);
      return;
    }
    Follower follower = new Follower(caller, path, joins);
    followers.add(client, out, follower);
    // The first view may arrive within this call.
    core.get().group(groups -> begin(groups, out, follower), loop.nowNanos());
    joined = (int) followers.states().filter(each -> each.joins).count();
  }

  private void begin(
      Groups groups, ServerCallStreamObserver<FollowGroupResponse> out, Follower follower) {
    boolean isBegun = follower.joins ? groups.join(follower.path) : groups.watch(follower.path);
    if (!isBegun) {
      var unused = followers.remove(out);
      out.onError(
          Refusals.noRoom(
              ("the applications of agent %s have joined or watch %s groups already, "
                      + "including wholes: leave one")
                  .formatted(self, Groups.MAX_LOCAL)));
      return;
    }
    GroupView known = groups.view(follower.path);
    if (known != null && follower.latest == null) {
      show(out, follower, known);
    }
  }

  /** Ends a membership or a watch. */
  void remove(ServerCallStreamObserver<FollowGroupResponse> out) {
    Follower follower = followers.remove(out);
    if (follower != null) {
      end(follower);
    }
  }

  private void end(Follower follower) {
    core.get()
        .group(
            groups -> {
              if (follower.joins) {
                groups.leave(follower.path);
              } else {
                groups.unwatch(follower.path);
              }
            },
            loop.nowNanos());
    joined = (int) followers.states().filter(each -> each.joins).count();
  }

  private static boolean endedAsForbidden(Caller caller, GroupPath path, StreamObserver<?> out) {
    try {
      Refusals.requirePermission(caller, Action.JOIN, List.of(path.name()));
      return false;
    } catch (StatusException refusal) {
      out.onError(refusal);
      return true;
    }
  }

  /** Ends the calls that are no longer permitted. */
  void permissionsChanged() {
    followers.forEach(
        (out, follower) -> {
          if (endedAsForbidden(follower.caller, follower.path, out)) {
            remove(out);
          }
        });
  }

  /** Sends a view to the applications that follow its group. */
  public void changed(GroupView view) {
    followers.forEach(
        (out, follower) -> {
          if (follower.path.equals(view.id().path())) {
            show(out, follower, view);
          }
        });
  }

  /** Sends a view, unless the caller has joined and the view does not contain it yet. */
  private void show(
      ServerCallStreamObserver<FollowGroupResponse> out, Follower follower, GroupView view) {
    if (!follower.joins || view.members().contains(self)) {
      follower.isSent &= view.equals(follower.latest);
      follower.latest = view;
      ready(out);
    }
  }

  /** Notes that the stream may have room again. */
  void ready(ServerCallStreamObserver<FollowGroupResponse> out) {
    Follower follower = followers.get(out);
    if (follower != null && follower.latest != null && !follower.isSent && out.isReady()) {
      follower.isSent = true;
      out.onNext(GroupCodec.encode(follower.latest).toBuilder().setNodeId(self.toString()).build());
    }
  }

  /** Queries the root for all groups. */
  void list(StreamObserver<ListGroupsResponse> out) {
    if (ended != null || questions.size() == MAX_QUESTIONS) {
      out.onError(ended != null ? ended : Refusals.noRoom(MAX_QUESTIONS + " questions wait"));
      return;
    }
    long question = ++lastQuestion;
    questions.put(question, out);
    core.get().group(groups -> groups.list(question), loop.nowNanos());
  }

  /** Removes a query whose caller has cancelled it. */
  void forget(StreamObserver<ListGroupsResponse> out) {
    questions.entrySet().stream()
        .filter(each -> each.getValue().equals(out))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(
            question -> {
              questions.remove(question);
              core.get().group(groups -> groups.forget(question), loop.nowNanos());
            });
  }

  /** Answers a query for all groups. */
  public void listed(long question, GroupList list) {
    StreamObserver<ListGroupsResponse> out = questions.remove(question);
    if (out != null) {
      out.onNext(GroupCodec.encode(list));
      out.onCompleted();
    }
  }

  /** Returns the number of calls that have joined groups. For any thread. */
  public int joined() {
    return joined;
  }

  /** Ends all calls because the agent shuts down; later calls are refused. */
  void end() {
    StatusException why = Refusals.shuttingDown();
    ended = why;
    followers.end(why);
    questions.values().forEach(out -> out.onError(why));
    questions.clear();
  }
}
