package io.treecast.agent.wire;

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
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.FollowGroupResponse;
import io.treecast.proto.v1.GroupListRequest;
import io.treecast.proto.v1.GroupPart;
import io.treecast.proto.v1.GroupReport;
import io.treecast.proto.v1.GroupViewId;
import io.treecast.proto.v1.GroupViewUpdate;
import io.treecast.proto.v1.ListGroupsResponse;
import io.treecast.proto.v1.ListedGroup;
import java.util.ArrayList;
import java.util.List;
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
    if (report.getPartsCount() > GroupMessage.MAX_ENTRIES) {
      throw new WireViolation(
          report.getPartsCount() + " groups; allowed are " + GroupMessage.MAX_ENTRIES);
    }
    List<Part> parts = new ArrayList<>();
    for (GroupPart part : report.getPartsList()) {
      parts.add(
          new Part(
              path(part.getPath()),
              part.getWatched(),
              OperationCodec.members("members of a group", part.getAddedList()),
              OperationCodec.members("members of a group", part.getRemovedList())));
    }
    try {
      return new Report(epoch, report.getFirst(), report.getLast(), parts);
    } catch (IllegalArgumentException e) {
      throw new WireViolation("report of groups: " + e.getMessage());
    }
  }

  static GroupMessage decode(GroupViewUpdate show) throws WireViolation {
    try {
      return new ViewUpdate(
          decode(show.getView()),
          show.getPrevious(),
          OperationCodec.members("members of a group", show.getAddedList()),
          OperationCodec.members("members of a group", show.getRemovedList()));
    } catch (IllegalArgumentException e) {
      throw new WireViolation("view of a group: " + e.getMessage());
    }
  }

  static GroupView.Id decode(GroupViewId view) throws WireViolation {
    try {
      return new GroupView.Id(
          path(view.getPath()),
          new TreeEpoch(
              DataCodec.treeVersion(view.getTreeVersion()),
              ValueCodec.nodeId(view.getRoot()),
              view.getRootIncarnation()),
          view.getNumber());
    } catch (IllegalArgumentException e) {
      throw new WireViolation("view of a group: " + e.getMessage());
    }
  }

  static GroupMessage decode(GroupListRequest ask) throws WireViolation {
    return new ListRequest(ValueCodec.nodeId(ask.getMember()), ask.getNumber());
  }

  static GroupMessage decode(io.treecast.proto.v1.GroupListAnswer list) throws WireViolation {
    TreeMap<GroupPath, Integer> sizes = new TreeMap<>();
    for (ListedGroup group : list.getGroups().getGroupsList()) {
      if (group.getMembers() < 0) {
        throw new WireViolation("a group of more members than " + Integer.MAX_VALUE);
      }
      sizes.put(path(group.getPath()), group.getMembers());
    }
    try {
      return new Answer(
          ValueCodec.nodeId(list.getMember()),
          list.getNumber(),
          new GroupList(sizes, list.getGroups().getMore()));
    } catch (IllegalArgumentException e) {
      throw new WireViolation("list of groups: " + e.getMessage());
    }
  }

  /** Decodes the path of a group. */
  public static GroupPath path(String path) throws WireViolation {
    try {
      return new GroupPath(path);
    } catch (IllegalArgumentException e) {
      throw new WireViolation(String.valueOf(e.getMessage()));
    }
  }
}
