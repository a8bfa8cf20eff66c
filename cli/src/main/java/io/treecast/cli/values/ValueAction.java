package io.treecast.cli.values;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Base class of the commands for shared values, which connects to an agent. */
abstract class ValueAction implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin OutputOption output = new OutputOption();

  /** Runs the command and returns its exit code. */
  abstract int act(Treecast treecast);

  @Override
  public Integer call() {
    try (AgentInquiry agents = agent.inquiry(output);
        Treecast treecast = agents.client().connect()) {
      return act(treecast);
    } catch (TreecastException | IllegalArgumentException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  static ObjectNode json() {
    return JsonMapper.shared().createObjectNode();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
