package io.treecast.cli.claim;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.ClaimHolder;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast claim show}. */
@Command(
    name = "show",
    description = "Prints the holder of a claim, as a majority of its members state it.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast claim show nightly --among h1,h2,h3"})
public final class ClaimShowCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private ClaimFlags flags = new ClaimFlags();

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the claim.")
  private String name = "";

  @Override
  public Integer call() {
    flags.check(name);
    ClaimHolder holder;
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      try (Treecast treecast = agents.client().connect()) {
        holder = treecast.blocking().holder(flags.claims(treecast), name);
      }
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
    if (output.isJson()) {
      ObjectNode json = JsonMapper.shared().createObjectNode();
      json.put("claim", name);
      json.put("holder", holder.member());
      json.put("fence", holder.fence());
      json.put("remainingMillis", holder.remaining().toMillis());
      json.put("waiting", holder.waiting());
      output.println(json);
    } else {
      output.println(text(name, holder));
    }
    return ExitCode.OK;
  }

  /** Returns the state of a claim in one line. */
  static String text(String name, ClaimHolder holder) {
    return holder.member() == null
        ? name + " is free"
        : "%s is held at %s with fence %s, for %s ms more unless renewed; waiting: %s"
            .formatted(
                name,
                holder.member(),
                holder.fence(),
                holder.remaining().toMillis(),
                holder.waiting());
  }
}
