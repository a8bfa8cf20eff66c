package io.treecast.agent.core.link;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;

/**
 * Neighbours whose data broke the rules: their links end when the event is over in which that
 * showed, since whoever noticed it is not to be called back before.
 */
public final class DataViolations {
  private final ArrayDeque<Violation> violations = new ArrayDeque<>();

  private record Violation(NodeId neighbour, String reason) {}

  public void add(NodeId neighbour, String reason) {
    violations.add(new Violation(neighbour, reason));
  }

  /** Ends the links of those who broke the rules, as far as there are any. */
  public void endLinks(Links links, long nowNanos) {
    for (Violation v = violations.poll(); v != null; v = violations.poll()) {
      Link link = links.open(v.neighbour);
      if (link != null) {
        links.violated(link, v.reason, nowNanos);
      }
    }
  }
}
