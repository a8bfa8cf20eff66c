package io.treecast.ghs;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The nodes that are considered members of a fragment. A list can be out of date in both
 * directions. A node that joined meanwhile is missing, which is harmless. A node that left is still
 * on it, which would hide the minimum outgoing edge; so the root validates each list against the
 * nodes that answered.
 *
 * <p>Immutable; iterated in the order of construction.
 */
public final class MemberList implements Iterable<NodeId> {
  /** The most members of a fragment. */
  public static final int MAX_MEMBERS = 1 << 20;

  private final Set<NodeId> members;

  private MemberList(Set<NodeId> members) {
    if (members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a fragment has " + members.size() + " members; at most " + MAX_MEMBERS + " are allowed");
    }
    this.members = members;
  }

  /**
   * These members, each once.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_MEMBERS}
   */
  public static MemberList of(Collection<NodeId> members) {
    return new MemberList(new LinkedHashSet<>(members));
  }

  /** A list backed by a set that no longer changes, in the order of the set. */
  public static MemberList backedBy(Set<NodeId> members) {
    return new MemberList(Collections.unmodifiableSet(members));
  }

  /** The list of one member. */
  static MemberList of(NodeId member) {
    return new MemberList(Set.of(member));
  }

  public boolean contains(NodeId node) {
    return members.contains(node);
  }

  boolean containsAll(MemberList other) {
    return members.containsAll(other.members);
  }

  MemberList union(MemberList other) {
    LinkedHashSet<NodeId> union = new LinkedHashSet<>(members);
    union.addAll(other.members);
    return new MemberList(union);
  }

  public int size() {
    return members.size();
  }

  @Override
  public Iterator<NodeId> iterator() {
    return members.iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemberList that && members.equals(that.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
