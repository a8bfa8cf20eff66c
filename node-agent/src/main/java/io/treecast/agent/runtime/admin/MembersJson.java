package io.treecast.agent.runtime.admin;

import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ListGroupsResponse;
import io.treecast.proto.v1.ListedGroup;
import java.util.Map;
import java.util.SortedMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages about members of the tree: {@code /labels.json}, {@code /groups.json} and {@code
 * /group.json}. Stateless.
 */
final class MembersJson {
  private MembersJson() {}

  /** Returns the page of labels, by member. */
  static String of(SortedMap<String, SortedMap<String, String>> labels) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    ObjectNode members = page.putObject("labels");
    for (Map.Entry<String, SortedMap<String, String>> member : labels.entrySet()) {
      member.getValue().forEach(members.putObject(member.getKey())::put);
    }
    return text(page);
  }

  /** Returns the page of all groups. */
  static String of(ListGroupsResponse groups) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    ArrayNode list = page.putArray("groups");
    for (ListedGroup group : groups.getGroupsList()) {
      list.addObject().put("path", group.getPath()).put("members", group.getMembers());
    }
    return text(page.put("more", groups.getMore()));
  }

  /** Returns the page of one group. */
  static String of(GroupPath path, GroupView view) {
    ObjectNode page = JsonMapper.shared().createObjectNode().put("path", path.name());
    ArrayNode members = page.putArray("members");
    for (NodeId member : view.members()) {
      members.add(member.toString());
    }
    return text(page);
  }

  private static String text(ObjectNode page) {
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }
}
