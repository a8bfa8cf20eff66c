package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import java.util.stream.Collectors;

/** Messages in few words: {@code Initiate(1, a-b@7, Find)}. */
final class MessageText implements PaperMessage.Visitor<String> {
  static String of(PaperMessage message) {
    return message.visit(new MessageText());
  }

  @Override
  public String connect(PaperMessage.Connect message) {
    return "Connect(" + message.level() + ")";
  }

  @Override
  public String initiate(PaperMessage.Initiate message) {
    String phase = message.phase() == PaperMessage.Phase.FIND ? "Find" : "Found";
    return "Initiate(" + message.level() + ", " + message.fragment() + ", " + phase + ")";
  }

  @Override
  public String test(PaperMessage.Test message) {
    return "Test(" + message.level() + ", " + message.fragment() + ")";
  }

  @Override
  public String accept(PaperMessage.Accept message) {
    return "Accept";
  }

  @Override
  public String reject(PaperMessage.Reject message) {
    return "Reject";
  }

  @Override
  public String report(PaperMessage.Report message) {
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
  public String changeRoot(PaperMessage.ChangeRoot message) {
    return "ChangeRoot";
  }
}
