package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The members of a group, as the root of a committed tree has decided them. Immutable. */
public record GroupView(Id id, SortedSet<NodeId> members) {
  /**
   * The identity of a view. Views of the same identity are equal.
   *
   * @param epoch of the committed tree
   * @param number rises with each view that the root of the tree decides, with gaps between those
   *     of one group; at least 1
   */
  public record Id(GroupPath path, TreeEpoch epoch, long number) {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Id {
      if (number < 1) {
        throw new IllegalArgumentException("number " + number + " of a view; the least is 1");
      }
    }

    @Override
    public String toString() {
      return path + " " + epoch + " view " + number;
    }
  }

  /** Copies the members. */
  public GroupView {
    members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }
}
