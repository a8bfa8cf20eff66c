package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.group.GroupMessage.Answer;
import io.treecast.collectives.group.GroupMessage.ListRequest;
import io.treecast.collectives.group.GroupMessage.Part;
import io.treecast.collectives.group.GroupMessage.Report;
import io.treecast.collectives.group.GroupMessage.ViewUpdate;
import io.treecast.collectives.group.GroupMessage.Wake;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.FollowGroupResponse;
import io.treecast.proto.v1.GroupListRequest;
import io.treecast.proto.v1.GroupPart;
import io.treecast.proto.v1.GroupReport;
import io.treecast.proto.v1.GroupViewId;
import io.treecast.proto.v1.GroupViewUpdate;
import io.treecast.proto.v1.ListGroupsResponse;
import io.treecast.proto.v1.ListedGroup;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;

/** Codec of groups, for agents and applications. */
public final class GroupCodec {
  private GroupCodec() {}

  static void encode(GroupMessage message, DataFrame.Builder frame) {
    if (message instanceof Wake) {
      frame.getGroupWakeBuilder();
    } else if (message instanceof Report report) {
      frame
          .getGroupReportBuilder()
          .setTreeVersion(report.epoch().treeVersion())
          .setRoot(report.epoch().root().toString())
          .setRootIncarnation(report.epoch().rootIncarnation())
          .setFirst(report.first())
          .setLast(report.last())
          .addAllParts(report.parts().stream().map(GroupCodec::encode).toList());
    } else if (message instanceof ViewUpdate show) {
      frame
          .getGroupViewUpdateBuilder()
          .setView(encode(show.view()))
          .setPrevious(show.previous())
          .addAllAdded(OperationCodec.names(show.added()))
          .addAllRemoved(OperationCodec.names(show.removed()));
    } else if (message instanceof ListRequest ask) {
      frame.getGroupListRequestBuilder().setMember(ask.member().toString()).setNumber(ask.number());
    } else if (message instanceof Answer answer) {
      frame
          .getGroupListAnswerBuilder()
          .setMember(answer.member().toString())
          .setNumber(answer.number())
          .setGroups(encode(answer.groups()));
    }
  }

  private static GroupPart encode(Part part) {
    return GroupPart.newBuilder()
        .setPath(part.path().name())
        .setWatched(part.watched())
        .addAllAdded(OperationCodec.names(part.added()))
        .addAllRemoved(OperationCodec.names(part.removed()))
        .build();
  }

  static GroupViewId encode(GroupView.Id view) {
    return GroupViewId.newBuilder()
        .setPath(view.path().name())
        .setTreeVersion(view.epoch().treeVersion())
        .setRoot(view.epoch().root().toString())
        .setRootIncarnation(view.epoch().rootIncarnation())
        .setNumber(view.number())
        .build();
  }

  /** Encodes a view for an application. */
  public static FollowGroupResponse encode(GroupView view) {
    return FollowGroupResponse.newBuilder()
        .setView(encode(view.id()))
        .addAllMembers(OperationCodec.names(view.members()))
        .build();
  }

  /** Encodes a list of groups for an application. */
  public static ListGroupsResponse encode(GroupList list) {
    ListGroupsResponse.Builder encoded = ListGroupsResponse.newBuilder().setMore(list.more());
    list.sizes()
        .forEach((path, size) -> encoded.addGroupsBuilder().setPath(path.name()).setMembers(size));
    return encoded.build();
  }

  static GroupMessage decode(GroupReport report) throws WireViolation {
    TreeEpoch epoch =
        new TreeEpoch(
            DataCodec.treeVersion(report.getTreeVersion()),
            ValueCodec.nodeId(report.getRoot()),
            report.getRootIncarnation());
    List<Part> parts =
        Bounds.all("groups", report.getPartsList(), GroupMessage.MAX_ENTRIES, GroupCodec::decode);
    return Bounds.checked(
        "report of groups: ", () -> new Report(epoch, report.getFirst(), report.getLast(), parts));
  }

  private static Part decode(GroupPart part) throws WireViolation {
    return new Part(
        path(part.getPath()),
        part.getWatched(),
        members(part.getAddedList()),
        members(part.getRemovedList()));
  }

  private static SortedSet<NodeId> members(List<String> names) throws WireViolation {
    return OperationCodec.members("members of a group", names);
  }

  static GroupMessage decode(GroupViewUpdate show) throws WireViolation {
    return Bounds.checked(
        "view of a group: ",
        () ->
            new ViewUpdate(
                decode(show.getView()),
                show.getPrevious(),
                members(show.getAddedList()),
                members(show.getRemovedList())));
  }

  static GroupView.Id decode(GroupViewId view) throws WireViolation {
    TreeEpoch epoch =
        new TreeEpoch(
            DataCodec.treeVersion(view.getTreeVersion()),
            ValueCodec.nodeId(view.getRoot()),
            view.getRootIncarnation());
    return Bounds.checked(
        "view of a group: ", () -> new GroupView.Id(path(view.getPath()), epoch, view.getNumber()));
  }

  static GroupMessage decode(GroupListRequest ask) throws WireViolation {
    return new ListRequest(ValueCodec.nodeId(ask.getMember()), ask.getNumber());
  }

  static GroupMessage decode(io.treecast.proto.v1.GroupListAnswer list) throws WireViolation {
    TreeMap<GroupPath, Integer> sizes = new TreeMap<>();
    for (ListedGroup group : list.getGroups().getGroupsList()) {
      sizes.put(
          path(group.getPath()),
          Bounds.within("group of %s members", group.getMembers(), 0, Integer.MAX_VALUE));
    }
    return Bounds.checked(
        "list of groups: ",
        () ->
            new Answer(
                ValueCodec.nodeId(list.getMember()),
                list.getNumber(),
                new GroupList(sizes, list.getGroups().getMore())));
  }

  /** Decodes the path of a group. */
  public static GroupPath path(String path) throws WireViolation {
    return Bounds.checked("", () -> new GroupPath(path));
  }
}
