package io.treecast.cli.query;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.cli.console.Plural;
import io.treecast.mst.ChangeCause;
import java.util.List;

/** One change of the tree as text. */
public final class ChangeText {
  private ChangeText() {}

  public static String of(TreeChange change) {
    return of(
        change.causes().stream().map(ChangeCause::label).toList(),
        change.durationNanos() / 1_000,
        change.messagesSent());
  }

  /** Returns for example {@code tree-link-lost, 312 ms, 4 messages sent}. */
  public static String of(List<String> causes, long durationMicros, long messagesSent) {
    return (causes.isEmpty() ? "only weights changed" : String.join(" and ", causes))
        + ", "
        + durationMicros / 1_000
        + " ms, "
        + Plural.of(messagesSent, "message")
        + " sent";
  }
}
