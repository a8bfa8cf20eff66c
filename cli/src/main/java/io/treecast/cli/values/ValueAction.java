package io.treecast.cli.values;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.values.Entry;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Base class of the commands for shared values, which connects to an agent. */
abstract class ValueAction implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin OutputOption output = new OutputOption();

  /**
   * Checks the options, before the command connects.
   *
   * @throws CommandFailure if one is not allowed
   */
  void checkOptions() {}

  /** Runs the command and returns its exit code. */
  abstract int act(Treecast treecast);

  @Override
  public Integer call() {
    checkOptions();
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      try (Treecast treecast = agents.client().connect()) {
        return act(treecast);
      }
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  static ObjectNode json() {
    return JsonMapper.shared().createObjectNode();
  }

  /**
   * Returns the content of an entry.
   *
   * @throws CommandFailure if it is too large
   */
  static byte[] content(String text) {
    return bytes("the value", text, Entry.MAX_CONTENT_BYTES);
  }

  /**
   * Returns a key as it is.
   *
   * @throws CommandFailure if it is too long
   */
  static String key(String text) {
    var unused = bytes("the key", text, Entry.MAX_KEY_BYTES);
    return text;
  }

  private static byte[] bytes(String what, String text, int most) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > most) {
      throw CommandFailure.usage(
          what + " has " + bytes.length + " bytes of UTF-8; allowed are " + most);
    }
    return bytes;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
