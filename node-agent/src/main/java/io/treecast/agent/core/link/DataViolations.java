package io.treecast.agent.core.link;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;

/**
 * Collects protocol violations in data of neighbours. The links end after the present event, since
 * the code that detects a violation must not be called back during the event.
 */
public final class DataViolations {
  private final ArrayDeque<Violation> violations = new ArrayDeque<>();

  private record Violation(NodeId neighbour, String reason) {}

  public void add(NodeId neighbour, String reason) {
    violations.add(new Violation(neighbour, reason));
  }

  /** Ends the links of the violating neighbours. */
  public void endLinks(Links links, long nowNanos) {
    for (Violation v = violations.poll(); v != null; v = violations.poll()) {
      Link link = links.open(v.neighbour);
      if (link != null) {
        links.violated(link, v.reason, nowNanos);
      }
    }
  }
}
