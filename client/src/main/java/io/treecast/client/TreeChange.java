package io.treecast.client;

import java.util.List;

/**
 * A reconfiguration of the tree, as one agent has observed it. Immutable.
 *
 * @param versionBefore the version of the previous tree; 0 if there was none
 * @param causes the events that led to it: {@code member-started}, {@code tree-link-lost}, {@code
 *     tree-edge-worsened}, {@code lighter-link}, {@code link-to-non-member}; empty if only weights
 *     changed. A repair that chose the same edges has causes
 * @param removed edges of the previous tree that are not in this one
 * @param added edges of this tree that were not in the previous one
 * @param durationMicros the time from the agent's first part in it to its commit, in microseconds
 * @param messagesSent control messages that the agent has sent for it
 */
public record TreeChange(
    long versionBefore,
    List<String> causes,
    List<TreeEdge> removed,
    List<TreeEdge> added,
    long durationMicros,
    long messagesSent) {

  /** Copies the lists. */
  public TreeChange {
    causes = List.copyOf(causes);
    removed = List.copyOf(removed);
    added = List.copyOf(added);
  }
}
