package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** A message of groups between neighbours in the committed tree. Immutable. */
public sealed interface GroupMessage {
  /** The most ids of members, and parts of a report, in one message. */
  int MAX_ENTRIES = 10_000;

  /** Returns roughly the number of bytes on the wire. */
  long cost();

  /** To a child: groups are in use, and the child must report those of its subtree. */
  record Wake() implements GroupMessage {
    @Override
    public long cost() {
      return 4;
    }
  }

  /**
   * A group in the sender's subtree, as a difference from the previous report.
   *
   * @param watched whether an application in the subtree watches the group
   */
  record Part(GroupPath path, boolean watched, SortedSet<NodeId> added, SortedSet<NodeId> removed) {
    /** Copies the members. */
    public Part {
      added = copy(added);
      removed = copy(removed);
    }

    int entries() {
      return 1 + added.size() + removed.size();
    }
  }

  /**
   * To the parent: groups of the sender's subtree.
   *
   * @param epoch of the sender's committed tree
   * @param first whether this begins a full report, which replaces earlier reports
   * @param last whether no further part of this report follows
   */
  record Report(TreeEpoch epoch, boolean first, boolean last, List<Part> parts)
      implements GroupMessage {
    /**
     * Copies the parts.
     *
     * @throws IllegalArgumentException if they have more than {@link #MAX_ENTRIES} entries
     */
    public Report {
      parts = List.copyOf(parts);
      requireAllowed(parts.stream().mapToInt(Part::entries).sum());
    }

    @Override
    public long cost() {
      return 24 + 16L * parts.stream().mapToInt(Part::entries).sum();
    }
  }

  /**
   * To a child with members or watchers of the group in its subtree: a new view.
   *
   * @param previous the number of the view from which the members differ; 0 if all are listed
   */
  record ViewUpdate(
      GroupView.Id view, long previous, SortedSet<NodeId> added, SortedSet<NodeId> removed)
      implements GroupMessage {
    /**
     * Copies the members.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_ENTRIES}, or the numbers
     *     do not rise
     */
    public ViewUpdate {
      if (previous < 0 || previous >= view.number()) {
        throw new IllegalArgumentException(
            "view " + view.number() + " differs from view " + previous);
      }
      added = copy(added);
      removed = copy(removed);
      requireAllowed(added.size() + removed.size());
    }

    @Override
    public long cost() {
      return 40 + 16L * (added.size() + removed.size());
    }
  }

  /**
   * To the parent: asks the root for all groups.
   *
   * @param member the member that asks
   * @param number of its question
   */
  record ListRequest(NodeId member, long number) implements GroupMessage {
    @Override
    public long cost() {
      return 24;
    }
  }

  /**
   * The answer, on its way to the member that asked.
   *
   * @param member the member that asked
   * @param number of its question
   */
  record Answer(NodeId member, long number, GroupList groups) implements GroupMessage {
    @Override
    public long cost() {
      return 24 + 20L * groups.sizes().size();
    }
  }

  private static SortedSet<NodeId> copy(SortedSet<NodeId> members) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }

  private static void requireAllowed(int entries) {
    if (entries > MAX_ENTRIES + 1) {
      throw new IllegalArgumentException(
          entries + " entries of groups in a message; allowed are " + MAX_ENTRIES);
    }
  }
}
