package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast scatter}. */
@Command(
    name = "scatter",
    description =
        "Gives each member of the tree its part, at the member that has them all; or receives one, with --from. Exit code 3: "
            + "some have not come.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast scatter shards-17 h1=0-99 h2=100-199 --agent 127.0.0.1:7700",
      "  treecast scatter keys-17 h1=@one.key h2=@two.key",
      "  treecast scatter shards-17 --from h1 --agent 127.0.0.1:7701"
    })
public final class ScatterCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CollectiveFlags flags = new CollectiveFlags();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "Of the operation: the same at all members, and another one each time.")
  private String name = "";

  @Parameters(
      index = "1..*",
      paramLabel = "MEMBER=TEXT",
      description =
          "The part of that member: this text, as UTF-8, or with MEMBER=@FILE the bytes of a file, - for standard input. Members without one get none.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "MEMBER",
      description = "Receives the part of the agent's own member, from the one that has them all.")
  private @Nullable String from;

  @Override
  public Integer call() {
    String hub = from;
    if (hub == null && given.isEmpty()) {
      throw CommandFailure.usage(
          "say the parts, as in h1=0-99 h2=100-199; or --from MEMBER to receive one");
    }
    if (hub != null && !given.isEmpty()) {
      throw CommandFailure.usage(
          "--from: it receives a part, so it has none to give, such as '" + given.get(0) + "'");
    }
    try (AgentInquiry agents = agent.inquiry(output)) {
      scatter(agents, hub);
    }
    return ExitCode.OK;
  }

  private void scatter(AgentInquiry agents, @Nullable String hub) {
    if (hub == null) {
      Map<String, byte[]> parts = parts();
      print(flags.call(agents, output, (all, options) -> all.scatter(name, parts, options)));
    } else {
      flags.checkedHub("--from", hub);
      print(flags.call(agents, output, (all, options) -> all.receive(name, hub, options)));
    }
  }

  private Map<String, byte[]> parts() {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    requireOneOfStandardInput();
    for (String part : given) {
      int end = part.indexOf('=');
      if (end < 0) {
        throw CommandFailure.usage(
            "'" + part + "' is no part; allowed is MEMBER=TEXT, or MEMBER=@FILE");
      }
      String member = CollectiveFlags.checkedMember("'" + part + "'", part.substring(0, end));
      flags.requireParticipant("'" + part + "'", member);
      String text = part.substring(end + 1);
      byte[] payload =
          text.startsWith("@")
              ? GivenFile.read("'" + part + "'", text.substring(1))
              : text.getBytes(StandardCharsets.UTF_8);
      if (parts.put(member, payload) != null) {
        throw CommandFailure.usage("there are two parts for " + member);
      }
    }
    return parts;
  }

  /** Before any is read, which may take as long as a person types. */
  private void requireOneOfStandardInput() {
    List<String> read =
        given.stream().filter(part -> part.matches("[^=]*=@" + GivenFile.STANDARD_INPUT)).toList();
    if (read.size() > 1) {
      throw CommandFailure.usage(
          "'"
              + read.get(1)
              + "': standard input is the part of one member, and another one has it");
    }
  }

  private void print(CollectiveResult<Optional<byte[]>> result) {
    if (output.isJson()) {
      ObjectNode json = CollectiveReport.json(name, result);
      if (result.value().isPresent()) {
        CollectiveReport.put(json.putObject("part"), result.value().get());
      } else {
        json.putNull("part");
      }
      output.println(json);
      return;
    }
    output.println(result.value().map(CollectiveReport::line).orElse("no part for this member"));
    CollectiveReport.printEnd(output, "scattered to", result);
  }
}
