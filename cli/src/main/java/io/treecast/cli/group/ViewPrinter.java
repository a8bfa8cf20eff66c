package io.treecast.cli.group;

import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.client.GroupHandler;
import io.treecast.client.GroupView;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints each view of a group on a line. */
final class ViewPrinter implements GroupHandler {
  private final OutputOption output;
  private final EventFollower follower;

  ViewPrinter(OutputOption output, EventFollower follower) {
    this.output = output;
    this.follower = follower;
  }

  @Override
  public void onView(GroupView view, Set<String> joined, Set<String> left) {
    follower.event(
        () -> {
          if (output.isJson()) {
            output.println(json(view, joined, left));
          } else {
            output.println(
                "v"
                    + view.treeVersion()
                    + "."
                    + view.number()
                    + "  "
                    + (view.members().isEmpty() ? "no members" : String.join(", ", view.members()))
                    + changes("joined", joined)
                    + changes("left", left));
          }
        });
  }

  private static String changes(String what, Set<String> members) {
    return members.isEmpty() ? "" : "; " + what + ": " + String.join(", ", members);
  }

  private static ObjectNode json(GroupView view, Set<String> joined, Set<String> left) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("group", view.path());
    json.put("treeVersion", view.treeVersion());
    json.put("root", view.root());
    json.put("number", view.number());
    ArrayNode members = json.putArray("members");
    view.members().forEach(members::add);
    ArrayNode all = json.putArray("joined");
    joined.forEach(all::add);
    ArrayNode gone = json.putArray("left");
    left.forEach(gone::add);
    return json;
  }
}
