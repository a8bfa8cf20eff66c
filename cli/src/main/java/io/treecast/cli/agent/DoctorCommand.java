package io.treecast.cli.agent;

import io.treecast.cli.agent.Finding.Verdict;
import io.treecast.cli.console.ColorOption;
import io.treecast.cli.console.ColorOption.Mark;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.TreeJson;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast doctor}. */
@Command(
    name = "doctor",
    description = {
      "Checks whether an agent with these settings can run on this machine. Prints a line for "
          + "each check: ok, warn or fail, and a remedy. Takes the flags of 'treecast agent'; starts "
          + "and changes nothing.",
      "Checks the settings, the certificate, its expiry and its key, the file of permissions, whether the ports are free, the names and agents of the"
          + " seeds, the clock against theirs, the limits of files and threads, memory, and the directory of series.",
      "Run it as the user of the agent, with the same TREECAST_JAVA_OPTS. Ends with 0, or with 1 if anything fails."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast doctor --config /etc/treecast/agent.yaml",
      "  treecast doctor --id h2 --listen 127.0.0.1:7702 --seeds 127.0.0.1:7701"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Mixin private AgentFlags flags = new AgentFlags();
  @Mixin private ColorOption color = new ColorOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    List<Finding> findings = new HostChecks(flags.config()).findings();
    boolean fails = findings.stream().anyMatch(finding -> finding.verdict() == Verdict.FAIL);
    if (output.isJson()) {
      output.println(json(findings));
    } else {
      findings.forEach(finding -> output.println(line(finding)));
    }
    return fails ? ExitCode.FAILED : ExitCode.OK;
  }

  private String line(Finding finding) {
    Mark mark =
        switch (finding.verdict()) {
          case OK -> Mark.GOOD;
          case WARN -> Mark.DOUBTFUL;
          case FAIL -> Mark.BAD;
        };
    return color.paint(mark, String.format("%-4s", finding.verdict()))
        + String.format("  %-12s", finding.subject())
        + finding.text()
        + (finding.advice().isEmpty() ? "" : "; " + finding.advice());
  }

  private static ObjectNode json(List<Finding> findings) {
    ObjectNode json = TreeJson.object();
    ArrayNode array = json.putArray("findings");
    for (Finding finding : findings) {
      array
          .addObject()
          .put("verdict", finding.verdict().toString())
          .put("subject", finding.subject())
          .put("text", finding.text())
          .put("advice", finding.advice());
    }
    return json;
  }
}
