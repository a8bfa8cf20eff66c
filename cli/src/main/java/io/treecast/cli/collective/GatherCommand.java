package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast gather}. */
@Command(
    name = "gather",
    description =
        "Collects the payloads of all members of the tree, and prints each with its "
            + "member. Exit code 3: some members are missing.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast gather versions-17 \"$(uname -r)\" --agent 127.0.0.1:7700",
      "  uptime | treecast gather uptimes-17 --file - --to h1"
    })
public final class GatherCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CollectiveFlags flags = new CollectiveFlags();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TEXT",
      description = "The payload as text, in UTF-8; default without --file: empty.")
  private @Nullable String text;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The payload as a file; - is standard input.")
  private @Nullable Path file;

  @Option(
      names = "--to",
      paramLabel = "MEMBER",
      description = "Only this member gets the payloads; default: all members.")
  private @Nullable String to;

  @Override
  public Integer call() {
    String hub = to == null ? null : flags.checkedHub("--to", to);
    try (AgentInquiry agents = agent.inquiry(output)) {
      gather(agents, hub);
    }
    return ExitCode.OK;
  }

  private void gather(AgentInquiry agents, @Nullable String hub) {
    byte[] payload = payload();
    if (hub == null) {
      CollectiveResult<Map<String, byte[]>> gathered =
          flags.call(
              agents, output, (all, options) -> all.allGather(flags.name(), payload, options));
      print(gathered, Optional.of(gathered.value()));
    } else {
      CollectiveResult<Optional<Map<String, byte[]>>> gathered =
          flags.call(
              agents, output, (all, options) -> all.gather(flags.name(), hub, payload, options));
      print(gathered, gathered.value());
    }
  }

  private byte[] payload() {
    if (file != null) {
      if (text != null) {
        throw CommandFailure.usage("--file and TEXT exclude each other");
      }
      return ContributionFile.read("--file", file.toString());
    }
    return (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
  }

  private void print(CollectiveResult<?> result, Optional<Map<String, byte[]>> gathered) {
    if (output.isJson()) {
      ObjectNode json = CollectiveReport.json(flags.name(), result);
      if (gathered.isPresent()) {
        ArrayNode parts = json.putArray("parts");
        gathered
            .get()
            .forEach(
                (member, part) ->
                    CollectiveReport.put(parts.addObject().put("member", member), part));
      } else {
        json.putNull("parts");
      }
      output.println(json);
      return;
    }
    if (gathered.isPresent()) {
      gathered
          .get()
          .forEach((member, part) -> output.println(member + " " + CollectiveReport.line(part)));
    } else {
      output.println("the result is at " + to);
    }
    CollectiveReport.printEnd(output, "gathered from", result);
  }
}
