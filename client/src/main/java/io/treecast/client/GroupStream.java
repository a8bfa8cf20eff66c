package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.FollowGroupRequest;
import io.treecast.proto.v1.FollowGroupResponse;
import io.treecast.proto.v1.GroupServiceGrpc;
import io.treecast.proto.v1.GroupViewId;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A membership or a watch of a group; its first view confirms it. */
final class GroupStream extends ReconnectingStream<FollowGroupRequest, FollowGroupResponse> {
  private final FollowGroupRequest request;
  private final GroupHandler handler;

  /** For the handler's thread. */
  private @Nullable GroupView last;

  GroupStream(
      AgentConnection connection,
      FollowGroupRequest request,
      GroupHandler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        GroupServiceGrpc.getFollowGroupMethod(),
        handler,
        executor,
        connection.newBackoff(),
        onEnd);
    this.request = request;
    this.handler = handler;
  }

  @Override
  FollowGroupRequest request() {
    return request;
  }

  @Override
  TreecastException unanswered(String asked, @Nullable String moreTime) {
    return new TreecastException(
        Reason.NO_TREE,
        asked
            + ", and has no tree yet, or the root of its tree has not answered: "
            + Remedies.anyOf(moreTime, "bring the members up"));
  }

  @Override
  void accept(FollowGroupResponse event) {
    GroupViewId id = event.getView();
    GroupView view =
        new GroupView(
            id.getPath(),
            id.getTreeVersion(),
            id.getRoot(),
            id.getRootIncarnation(),
            id.getNumber(),
            event.getMembersList(),
            event.getNodeId());
    confirmed(event.getNodeId());
    GroupView before = last;
    last = view;
    if (before != null && before.isSame(view)) {
      return; // The agent has repeated the view after a reconnect.
    }
    Set<String> joined = new TreeSet<>(view.members());
    Set<String> left = new TreeSet<>();
    if (before != null) {
      joined.removeAll(Set.copyOf(before.members()));
      left.addAll(before.members());
      left.removeAll(Set.copyOf(view.members()));
    }
    callHandler(
        () ->
            handler.onView(
                view, Collections.unmodifiableSet(joined), Collections.unmodifiableSet(left)));
  }

  @Override
  void callLost(String what) {}
}
