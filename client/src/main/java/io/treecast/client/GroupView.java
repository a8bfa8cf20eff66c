package io.treecast.client;

import java.util.List;

/**
 * The members of a group, as the root of a committed tree has decided them. Views with the same
 * path, tree, root and number have the same members everywhere. Immutable.
 *
 * @param path the path of the group
 * @param treeVersion the version of the committed tree
 * @param root the id of the root of that tree
 * @param rootIncarnation distinguishes trees of the root before and after its restart
 * @param number grows with the views of one tree, with gaps
 * @param members the ids of the members' agents, in their order
 * @param self the id of this client's agent
 */
public record GroupView(
    String path,
    long treeVersion,
    String root,
    long rootIncarnation,
    long number,
    List<String> members,
    String self) {
  /** Copies the members. */
  public GroupView {
    members = List.copyOf(members);
  }

  /**
   * Returns the position of this client's agent among the members, from 0; -1 if it is not a
   * member.
   */
  public int rank() {
    return members.indexOf(self);
  }

  boolean isSame(GroupView other) {
    return treeVersion == other.treeVersion
        && number == other.number
        && rootIncarnation == other.rootIncarnation
        && root.equals(other.root);
  }
}
