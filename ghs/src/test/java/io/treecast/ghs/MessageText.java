package io.treecast.ghs;

import java.util.stream.Collectors;

/** Messages in few words: {@code Initiate(1, a-b@7us, Find)}. */
final class MessageText implements GhsMessage.Visitor<String> {
  static String of(GhsMessage message) {
    return message.visit(new MessageText());
  }

  @Override
  public String connect(GhsMessage.Connect message) {
    return "Connect(" + message.level() + ")";
  }

  @Override
  public String initiate(GhsMessage.Initiate message) {
    String phase = message.phase() == GhsMessage.Phase.FIND ? "Find" : "Found";
    return "Initiate(" + message.level() + ", " + message.fragment() + ", " + phase + ")";
  }

  @Override
  public String test(GhsMessage.Test message) {
    return "Test(" + message.level() + ", " + message.fragment() + ")";
  }

  @Override
  public String accept(GhsMessage.Accept message) {
    return "Accept";
  }

  @Override
  public String reject(GhsMessage.Reject message) {
    return "Reject";
  }

  @Override
  public String report(GhsMessage.Report message) {
    if (message.minimumOutgoingEdge() != null) {
      return "Report(" + message.minimumOutgoingEdge() + ")";
    }
    return message.branches().isEmpty()
        ? "Report(none)"
        : message.branches().stream()
            .map(LinkWeight::toString)
            .collect(Collectors.joining(" ", "Report(none; below: ", ")"));
  }

  @Override
  public String changeCore(GhsMessage.ChangeCore message) {
    return "ChangeCore";
  }
}
