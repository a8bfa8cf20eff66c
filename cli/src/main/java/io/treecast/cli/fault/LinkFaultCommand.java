package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.cli.query.TreeJson;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/**
 * Base class of the commands for a fault of one link. It finds both ends and injects the fault at
 * both agents, which may be separate processes.
 */
abstract class LinkFaultCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      index = "0",
      paramLabel = "A-B",
      description = "The link, by the node ids of its ends.")
  private String link = "";

  abstract InjectFaultRequest fault(FaultyLink ends);

  /** Returns the effect, for people. */
  abstract String effect(Link ends);

  /** Describes the effect for programs, without the agents. */
  abstract void describe(ObjectNode json);

  /** Checks the further arguments, before any agent is asked. */
  void check() {}

  @Override
  public final Integer call() {
    check();
    try (AgentInquiry agents = agent.inquiry(output)) {
      return inject(agents);
    }
  }

  private int inject(AgentInquiry agents) {
    Link ends = new MemberDirectory(agents).link(link);
    checkLinked(agents, ends);
    FaultRun run = FaultRun.at(agents, MemberDirectory.ends(ends), fault(frame(ends)));
    if (output.isJson()) {
      ObjectNode json = TreeJson.object();
      describe(json);
      json.put("from", ends.from().id().toString()).put("to", ends.to().id().toString());
      run.describe(json);
      output.println(json);
    } else {
      output.println(effect(ends) + " (" + run.where() + ")");
    }
    return run.noteFailures(output);
  }

  static FaultyLink frame(Link ends) {
    return FaultyLink.newBuilder()
        .setFrom(ValueCodec.encode(ends.from()))
        .setTo(ValueCodec.encode(ends.to()))
        .build();
  }

  /** Checks at the first end that answers that the two members have a link. */
  private static void checkLinked(AgentInquiry agents, Link ends) {
    List<NodeId> peers = peers(agents, ends.from());
    NodeId other = ends.to().id();
    NodeId asked = ends.from().id();
    if (peers == null) {
      peers = peers(agents, ends.to());
      other = ends.from().id();
      asked = ends.to().id();
    }
    if (peers != null && !peers.contains(other)) {
      throw CommandFailure.failed(
          "no such link: " + ends + "; node " + asked + " has links with " + peers);
    }
  }

  private static @Nullable List<NodeId> peers(AgentInquiry agents, Member member) {
    try {
      AgentReport report = agents.ask(member);
      return report.links().stream().map(LinkReport::peer).map(Member::id).toList();
    } catch (AgentInquiry.FailedException silent) {
      return null;
    }
  }
}
