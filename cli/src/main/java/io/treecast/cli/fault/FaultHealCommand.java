package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.fault.ClusterFaults.Direction;
import io.treecast.cli.fault.ClusterFaults.Unreachable;
import io.treecast.cli.query.AgentInquiry;
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
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault heal}. */
@Command(
    name = "heal",
    description = {
      "Ends cut, one-way cut and loss of a link, or of all links; held messages " + "arrive.",
      "A changed round trip stays; 'treecast fault rtt A-B original' restores it."
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

  /** A link to heal, the agents that report a fault of it, and its ends that do not answer. */
  private record Broken(Link ends, List<Member> agents, List<Unreachable> silent) {}

  @Override
  public Integer call() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      return heal(agents);
    }
  }

  private int heal(AgentInquiry agents) {
    MemberDirectory directory = new MemberDirectory(agents);
    if (link != null) {
      Link ends = directory.link(link);
      boolean wasBroken = mayBeBroken(agents, ends);
      FaultRun run = FaultRun.at(agents, MemberDirectory.ends(ends), heal(ends));
      ObjectNode json = object();
      if (wasBroken || !run.isComplete()) {
        print(ends, run, json);
      } else if (!output.isJson()) {
        output.println("link " + ends + " was not cut or lossy");
      }
      if (output.isJson()) {
        output.println(json);
      }
      return run.noteFailures(output);
    }
    ClusterFaults faults = ClusterFaults.of(agents, directory);
    faults.silent().forEach(silent -> output.note("treecast: does not answer: " + silent));
    return heal(agents, broken(directory, faults), faults.silent());
  }

  /** Returns whether an end reports that the link is cut or lossy, or gives no report. */
  private static boolean mayBeBroken(AgentInquiry agents, Link ends) {
    Set<String> nodes = Set.of(ends.from().id().toString(), ends.to().id().toString());
    for (Member end : MemberDirectory.ends(ends)) {
      try {
        if (FaultClient.list(agents, end).getFaultsList().stream()
            .filter(FaultHealCommand::isBroken)
            .anyMatch(fault -> nodes.equals(Set.of(fault.getFrom(), fault.getTo())))) {
          return true;
        }
      } catch (AgentInquiry.FailedException | FaultClient.RefusedException e) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBroken(LinkFault fault) {
    return fault.getHeld() || fault.getLoss() > 0;
  }

  /** Returns all links that are cut or lossy, each with the agents that report it. */
  private static Collection<Broken> broken(MemberDirectory directory, ClusterFaults faults) {
    Map<String, Broken> broken = new LinkedHashMap<>();
    for (Direction direction : faults.directions()) {
      LinkFault fault = direction.fault();
      if (isBroken(fault)) {
        boolean inOrder = fault.getFrom().compareTo(fault.getTo()) < 0;
        Member low = directory.member(inOrder ? fault.getFrom() : fault.getTo());
        Member high = directory.member(inOrder ? fault.getTo() : fault.getFrom());
        Link ends = new Link(low, high);
        Broken known =
            broken.computeIfAbsent(
                ends.toString(),
                key ->
                    new Broken(
                        ends,
                        new ArrayList<>(),
                        faults.silent().stream()
                            .filter(s -> MemberDirectory.ends(ends).contains(s.member()))
                            .toList()));
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

  /**
   * Heals links. The result is partial if an end did not answer, since its faults stay, even of
   * links that no other agent reports.
   */
  private int heal(AgentInquiry agents, Collection<Broken> all, List<Unreachable> silent) {
    if (all.isEmpty() && !output.isJson()) {
      output.println(
          silent.isEmpty()
              ? "no link is cut or lossy"
              : "no link is cut or lossy, as far as is known");
    }
    ObjectNode json = object();
    boolean isComplete = silent.isEmpty();
    boolean isNothing = !all.isEmpty();
    for (Broken broken : all) {
      FaultRun run = FaultRun.tried(agents, broken.agents, heal(broken.ends));
      broken.silent.forEach(end -> run.addFailure(end.member(), end.reason()));
      print(broken.ends, run, json);
      isNothing &= run.isNothing();
      isComplete &= run.noteFailures(output) == ExitCode.OK;
    }
    if (output.isJson()) {
      FaultStatusCommand.addAll(json.putArray("unreachable"), silent);
      output.println(json);
    }
    return isNothing ? ExitCode.FAILED : isComplete ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private static InjectFaultRequest heal(Link ends) {
    HealLink heal = HealLink.newBuilder().setLink(LinkFaultCommand.frame(ends)).build();
    return InjectFaultRequest.newBuilder().setHealLink(heal).build();
  }

  private static ObjectNode object() {
    ObjectNode json = TreeJson.object().put("fault", "heal");
    json.putArray("links");
    return json;
  }

  private void print(Link ends, FaultRun run, ObjectNode json) {
    run.describe(
        json.withArray("links")
            .addObject()
            .put("from", ends.from().id().toString())
            .put("to", ends.to().id().toString()));
    if (!output.isJson() && !run.isNothing()) {
      output.println("link " + ends + " is healed (" + run.where() + ")");
    }
  }
}
