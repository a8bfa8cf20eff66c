package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import io.treecast.ghs.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        "Sends each member of the tree its part, from the member that has them all; "
            + "or receives one, with --from. Exit code 3: some members are missing, or a "
            + "part was not delivered.",
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
      index = "1..*",
      paramLabel = "MEMBER=TEXT",
      description =
          "The part of a member: this text, in UTF-8, or with MEMBER=@FILE the bytes "
              + "of a file, - for standard input. Members without a part get none.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "MEMBER",
      description = "Receives this agent's part from the member that has them all.")
  private @Nullable String from;

  @Override
  public Integer call() {
    String hub = from;
    if (hub == null && given.isEmpty()) {
      throw CommandFailure.usage(
          "expected parts, as in h1=0-99 h2=100-199; or --from MEMBER to receive one");
    }
    if (hub != null && !given.isEmpty()) {
      throw CommandFailure.usage(
          "--from receives a part, so no part may be given, such as '" + given.get(0) + "'");
    }
    try (AgentInquiry agents = agent.inquiry(output)) {
      return hub == null ? scatter(agents) : receive(agents, hub);
    }
  }

  private int scatter(AgentInquiry agents) {
    Map<String, byte[]> parts = parts();
    CollectiveResult<Optional<byte[]>> scattered =
        flags.call(agents, output, (all, options) -> all.scatter(flags.name(), parts, options));
    Set<String> undelivered = scattered.absent(parts.keySet());
    Set<String> withoutPart = new LinkedHashSet<>(scattered.contributors());
    withoutPart.removeAll(parts.keySet());
    if (output.isJson()) {
      ObjectNode json = json(scattered);
      undelivered.forEach(json.putArray("undelivered")::add);
      withoutPart.forEach(json.putArray("withoutPart")::add);
      output.println(json);
    } else {
      print(scattered);
      if (!withoutPart.isEmpty()) {
        output.println("no part for " + CollectiveReport.named(withoutPart));
      }
    }
    if (undelivered.isEmpty()) {
      return ExitCode.OK;
    }
    output.note("treecast: " + undeliveredText(undelivered));
    return ExitCode.PARTIAL;
  }

  private static String undeliveredText(Set<String> members) {
    String named = CollectiveReport.named(members);
    return members.size() == 1
        ? "the part for "
            + named
            + " was not delivered: it did not take part; check the name, or let it receive "
            + "its part when it is in the tree"
        : "the parts for "
            + named
            + " were not delivered: they did not take part; check the names, or let them "
            + "receive their parts when they are in the tree";
  }

  private int receive(AgentInquiry agents, String hub) {
    flags.checkedHub("--from", hub);
    CollectiveResult<Optional<byte[]>> received =
        flags.call(
            agents,
            output,
            self -> requireOther(self, hub),
            (all, options) -> all.receive(flags.name(), hub, options));
    if (output.isJson()) {
      output.println(json(received));
    } else {
      print(received);
    }
    return ExitCode.OK;
  }

  private static void requireOther(NodeId self, String hub) {
    if (self.toString().equals(hub)) {
      throw CommandFailure.usage(
          "--from: this agent is " + hub + " itself: specify the parts instead, as in h1=0-99");
    }
  }

  private Map<String, byte[]> parts() {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    requireOneOfStandardInput();
    for (String part : given) {
      int end = part.indexOf('=');
      if (end < 0) {
        throw CommandFailure.usage(
            "'" + part + "' is not a part; expected MEMBER=TEXT or MEMBER=@FILE");
      }
      String member = CollectiveFlags.checkedMember("'" + part + "'", part.substring(0, end));
      flags.requireParticipant("'" + part + "'", member);
      String text = part.substring(end + 1);
      byte[] payload =
          text.startsWith("@")
              ? ContributionFile.read("'" + part + "'", text.substring(1))
              : text.getBytes(StandardCharsets.UTF_8);
      if (parts.put(member, payload) != null) {
        throw CommandFailure.usage("duplicate part for " + member);
      }
    }
    return parts;
  }

  /** Rejects a second use of standard input before any input is read. */
  private void requireOneOfStandardInput() {
    List<String> read =
        given.stream()
            .filter(part -> part.matches("[^=]*=@" + ContributionFile.STANDARD_INPUT))
            .toList();
    if (read.size() > 1) {
      throw CommandFailure.usage(
          "'" + read.get(1) + "': standard input is already the part of another member");
    }
  }

  private ObjectNode json(CollectiveResult<Optional<byte[]>> result) {
    ObjectNode json = CollectiveReport.json(flags.name(), result);
    if (result.value().isPresent()) {
      CollectiveReport.put(json.putObject("part"), result.value().get());
    } else {
      json.putNull("part");
    }
    return json;
  }

  private void print(CollectiveResult<Optional<byte[]>> result) {
    output.println(result.value().map(CollectiveReport::line).orElse("no part for this member"));
    CollectiveReport.printEnd(output, "scattered to", result);
  }
}
