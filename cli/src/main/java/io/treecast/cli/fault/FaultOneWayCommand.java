package io.treecast.cli.fault;

import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.proto.v1.CutLink;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault oneway}. */
@Command(
    name = "oneway",
    description = "Holds only messages from the first end of a link to the second.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault oneway 4-6"})
final class FaultOneWayCommand extends LinkFaultCommand {
  @Override
  InjectFaultRequest fault(FaultyLink ends) {
    return InjectFaultRequest.newBuilder()
        .setCutLink(CutLink.newBuilder().setLink(ends).setOneWay(true))
        .build();
  }

  @Override
  String effect(Link ends) {
    return "what " + ends.from().id() + " sends to " + ends.to().id() + " is held";
  }

  @Override
  void describe(ObjectNode json) {
    json.put("fault", "oneway");
  }
}
