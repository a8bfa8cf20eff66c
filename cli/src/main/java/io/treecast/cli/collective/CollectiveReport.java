package io.treecast.cli.collective;

import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.PayloadText;
import io.treecast.cli.console.Plural;
import io.treecast.client.CollectiveResult;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reports the result of an operation, in words and in JSON. Stateless. */
final class CollectiveReport {
  /** Limit of the members that are listed in text. */
  private static final int MAX_NAMED = 12;

  private CollectiveReport() {}

  /** Returns the result without its value. */
  static ObjectNode json(String name, CollectiveResult<?> result) {
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("operation", name)
            .put("treeVersion", result.treeVersion());
    result.contributors().forEach(json.putArray("contributors")::add);
    return json;
  }

  /** Adds a payload in Base64, in the same form as other commands. */
  static void put(ObjectNode json, byte[] payload) {
    json.put("bytes", payload.length).put("payload", Base64.getEncoder().encodeToString(payload));
  }

  /** Returns a payload as text, for example {@code (5 bytes) hello}. */
  static String line(byte[] payload) {
    String text = PayloadText.of(payload);
    return "("
        + Plural.of(payload.length, "byte")
        + (text == null ? ", binary)" : text.isEmpty() ? ")" : ") " + text);
  }

  /** Returns the names of members, for example {@code h1, h2}. */
  static String named(Set<String> members) {
    return members.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
        + (members.size() > MAX_NAMED ? ", ..." : "");
  }

  /**
   * Prints the last line of the result, for example {@code passed by 2 members: h1, h2, on tree
   * version 4}.
   */
  static void printEnd(OutputOption output, String what, CollectiveResult<?> result) {
    Set<String> members = result.contributors();
    output.println(
        what
            + " "
            + Plural.of(members.size(), "member")
            + ": "
            + named(members)
            + ", on tree version "
            + result.treeVersion());
  }
}
