package io.treecast.agent.core.link;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;

/**
 * Neighbours whose data broke the rules. Their links end after the event in which that showed,
 * since the code that noticed it must not be called back before.
 */
public final class DataViolations {
  private final ArrayDeque<Violation> violations = new ArrayDeque<>();

  private record Violation(NodeId neighbour, String reason) {}

  public void add(NodeId neighbour, String reason) {
    violations.add(new Violation(neighbour, reason));
  }

  /** Ends the links of these neighbours, if there are any. */
  public void endLinks(Links links, long nowNanos) {
    for (Violation v = violations.poll(); v != null; v = violations.poll()) {
      Link link = links.open(v.neighbour);
      if (link != null) {
        links.violated(link, v.reason, nowNanos);
      }
    }
  }
}
