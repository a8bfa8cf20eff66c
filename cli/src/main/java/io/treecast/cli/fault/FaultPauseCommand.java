package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.DecimalText;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.PauseAgent;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault pause}. */
@Command(
    name = "pause",
    description = {
      "Freezes an agent for a while: its connections stay open, and it neither reads nor answers."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault pause 7 5s"})
final class FaultPauseCommand implements Callable<Integer> {
  private static final Pattern DURATION = Pattern.compile("([\\d.]+)(ms|s|m)");
  private static final BigDecimal MAX_MILLIS = BigDecimal.valueOf(600_000);

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "NODE", description = "The node id of the agent.")
  private String node = "";

  @Parameters(
      index = "1",
      paramLabel = "DURATION",
      description = "How long, as in 500ms, 5s or 1m; up to 10m.")
  private String duration = "";

  @Override
  public Integer call() {
    long millis = millis();
    try (AgentInquiry agents = agent.inquiry(output)) {
      return pause(agents, millis);
    }
  }

  private int pause(AgentInquiry agents, long millis) {
    Member target = new MemberDirectory(agents).member(node);
    InjectFaultRequest pause =
        InjectFaultRequest.newBuilder()
            .setPauseAgent(PauseAgent.newBuilder().setMillis(millis))
            .build();
    FaultRun run = FaultRun.at(agents, List.of(target), pause);
    if (output.isJson()) {
      ObjectNode json =
          TreeJson.object()
              .put("fault", "pause")
              .put("node", target.id().toString())
              .put("pauseMillis", millis);
      run.describe(json);
      output.println(json);
    } else {
      output.println("agent " + target.id() + " is paused for " + millis + " ms");
    }
    return run.noteFailures(output);
  }

  private long millis() {
    Matcher matcher = DURATION.matcher(duration);
    if (matcher.matches()) {
      String unit = matcher.group(2);
      BigDecimal number = DecimalText.parse(matcher.group(1), MAX_MILLIS);
      BigDecimal unitMillis =
          BigDecimal.valueOf(unit.equals("ms") ? 1 : unit.equals("s") ? 1_000 : 60_000);
      BigDecimal millis = number == null ? BigDecimal.ZERO : number.multiply(unitMillis);
      if (millis.compareTo(BigDecimal.ONE) >= 0 && millis.compareTo(MAX_MILLIS) <= 0) {
        return millis.longValue();
      }
    }
    throw CommandFailure.usage(
        "the duration '" + duration + "' is not allowed; allowed are 1ms to 10m, as in 5s");
  }
}
