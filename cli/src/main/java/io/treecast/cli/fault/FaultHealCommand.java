package io.treecast.cli.fault;

import io.treecast.agent.core.Member;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.fault.ClusterFaults.Direction;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.HealLink;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.LinkFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault heal}. */
@Command(
    name = "heal",
    description = {
      "Ends cut, one-way cut and loss of a link, or of all links; what was held arrives.",
      "A round trip that was set stays; 'treecast fault rtt A-B original' undoes that."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Examples:", "  treecast fault heal 4-6", "  treecast fault heal"})
final class FaultHealCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "A-B",
      description = "The link, by the node ids of its ends; without it, all links.")
  private @Nullable String link;

  /** A link to heal, and the agents that are told. */
  private record Broken(Link ends, List<Member> agents) {}

  @Override
  public Integer call() {
    MemberDirectory directory = new MemberDirectory(agent.address());
    if (link != null) {
      Link ends = directory.link(link);
      return heal(List.of(new Broken(ends, MemberDirectory.ends(ends))));
    }
    return heal(broken(directory));
  }

  /** All links that are cut or lossy, each with the agents that know of it. */
  private Collection<Broken> broken(MemberDirectory directory) {
    ClusterFaults faults = ClusterFaults.of(directory);
    faults.silent().forEach(silent -> output.note("treecast: does not answer: " + silent));
    Map<String, Broken> broken = new LinkedHashMap<>();
    for (Direction direction : faults.directions()) {
      LinkFault fault = direction.fault();
      if (fault.getHeld() || fault.getLoss() > 0) {
        boolean inOrder = fault.getFrom().compareTo(fault.getTo()) < 0;
        Member low = directory.member(inOrder ? fault.getFrom() : fault.getTo());
        Member high = directory.member(inOrder ? fault.getTo() : fault.getFrom());
        Link ends = new Link(low, high);
        Broken known =
            broken.computeIfAbsent(ends.toString(), key -> new Broken(ends, new ArrayList<>()));
        for (String node : direction.setAt()) {
          Member member = directory.member(node);
          if (!known.agents.contains(member)) {
            known.agents.add(member);
          }
        }
      }
    }
    return broken.values();
  }

  private int heal(Collection<Broken> all) {
    if (all.isEmpty() && !output.isJson()) {
      output.println("no link is cut or lossy");
    }
    ObjectNode json = TreeJson.object().put("fault", "heal");
    ArrayNode links = json.putArray("links");
    int exitCode = ExitCode.OK;
    for (Broken broken : all) {
      Link ends = broken.ends;
      HealLink heal = HealLink.newBuilder().setLink(LinkFaultCommand.frame(ends)).build();
      FaultRun run =
          FaultRun.at(broken.agents, InjectFaultRequest.newBuilder().setHealLink(heal).build());
      run.describe(
          links
              .addObject()
              .put("from", ends.from().id().toString())
              .put("to", ends.to().id().toString()));
      if (!output.isJson()) {
        output.println("link " + ends + " is healed (" + run.where() + ")");
      }
      exitCode = Math.max(exitCode, run.noteFailures(output));
    }
    if (output.isJson()) {
      output.println(json);
    }
    return exitCode;
  }
}
