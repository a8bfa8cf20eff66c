package io.treecast.cli.fault;

import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.proto.v1.CutLink;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault cut}. */
@Command(
    name = "cut",
    description = {
      "Silences a link: messages of both ends are held, and arrive when the link "
          + "heals if the connection still exists. New connections hang."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault cut 4-6 --agent 127.0.0.1:7700"})
final class FaultCutCommand extends LinkFaultCommand {
  @Override
  InjectFaultRequest fault(FaultyLink ends) {
    return InjectFaultRequest.newBuilder().setCutLink(CutLink.newBuilder().setLink(ends)).build();
  }

  @Override
  String effect(Link ends) {
    return "link " + ends + " is cut in both directions";
  }

  @Override
  void describe(ObjectNode json) {
    json.put("fault", "cut");
  }
}
