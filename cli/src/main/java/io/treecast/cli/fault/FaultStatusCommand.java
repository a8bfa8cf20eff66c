package io.treecast.cli.fault;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.RttText;
import io.treecast.cli.fault.ClusterFaults.Direction;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.LinkFault;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault status}. */
@Command(
    name = "status",
    description = "Lists all faults, by link and direction.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault status --output json"})
final class FaultStatusCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    ClusterFaults faults = faults();
    if (output.isJson()) {
      output.println(json(faults));
    } else {
      print(faults);
    }
    return ExitCode.OK;
  }

  private ClusterFaults faults() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      return ClusterFaults.of(agents, new MemberDirectory(agents));
    }
  }

  private void print(ClusterFaults faults) {
    if (faults.directions().isEmpty() && faults.paused().isEmpty()) {
      output.println("no faults");
    }
    for (Direction direction : faults.directions()) {
      LinkFault fault = direction.fault();
      output.println(
          "%s -> %s: %s (set at %s)"
              .formatted(
                  fault.getFrom(),
                  fault.getTo(),
                  String.join(", ", words(direction)),
                  String.join(" and ", direction.setAt())));
    }
    faults.paused().forEach(node -> output.println("agent " + node + " is paused"));
    faults.refusing().forEach(r -> output.note("treecast: allows no faults: " + r));
    faults.silent().forEach(s -> output.note("treecast: does not answer: " + s));
  }

  private static List<String> words(Direction direction) {
    LinkFault fault = direction.fault();
    List<String> words = new ArrayList<>();
    if (fault.getHeld()) {
      words.add("held, " + Plural.of(direction.heldMessages(), "message") + " waiting");
    }
    if (fault.getLoss() > 0) {
      words.add(percent(fault.getLoss()).toPlainString() + " % lost");
    }
    if (fault.hasDelayMicros()) {
      words.add("takes " + RttText.millis(fault.getDelayMicros()) + " ms");
    }
    return words;
  }

  private static BigDecimal percent(double share) {
    return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros();
  }

  private static ObjectNode json(ClusterFaults faults) {
    ObjectNode json = TreeJson.object();
    ArrayNode directions = json.putArray("faults");
    for (Direction direction : faults.directions()) {
      LinkFault fault = direction.fault();
      ObjectNode entry =
          directions
              .addObject()
              .put("from", fault.getFrom())
              .put("to", fault.getTo())
              .put("held", fault.getHeld())
              .put("heldMessages", direction.heldMessages())
              .put("lossPercent", percent(fault.getLoss()).doubleValue())
              .put("delayMillis", fault.hasDelayMicros() ? fault.getDelayMicros() / 1e3 : null);
      ArrayNode setAt = entry.putArray("setAt");
      direction.setAt().forEach(setAt::add);
    }
    ArrayNode paused = json.putArray("paused");
    faults.paused().forEach(paused::add);
    addAll(json.putArray("refusing"), faults.refusing());
    addAll(json.putArray("unreachable"), faults.silent());
    return json;
  }

  /** Adds members without an answer, with the reasons. */
  static void addAll(ArrayNode array, List<ClusterFaults.Unreachable> members) {
    for (ClusterFaults.Unreachable silent : members) {
      array
          .addObject()
          .put("node", silent.member().id().toString())
          .put("address", silent.member().address())
          .put("reason", silent.reason());
    }
  }
}
