package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The members with which one member exchanges tasks: all of a small group, or else at most {@value
 * #MOST}. The relation is symmetric for members that see the same group. So steals and their
 * replies are addressed to few members, each of which needs a topic.
 */
final class Partners {
  /** The maximum number of partners in a larger group. */
  static final int MOST = 12;

  /** An order that scatters the members of a site over the ring. */
  private static final Comparator<String> SCATTERED =
      Comparator.comparingInt((String member) -> member.hashCode() * 0x9e3779b9)
          .thenComparing(Comparator.naturalOrder());

  private Partners() {}

  /**
   * Returns the partners of a member: those at 1/2, 1/4, 1/8 ... of a ring of the group, in both
   * directions.
   *
   * @param group the members, including this one
   * @param small the number of others up to which all are partners
   */
  static SortedSet<String> of(String member, Collection<String> group, int small) {
    SortedSet<String> partners = new TreeSet<>(group);
    partners.remove(member);
    if (partners.size() <= small) {
      return partners;
    }
    partners.clear();
    List<String> ring = new ArrayList<>(group);
    ring.sort(SCATTERED);
    int place = ring.indexOf(member);
    int distance = ring.size() / 2;
    for (int i = 0; i < MOST / 2; i++) {
      partners.add(ring.get(Math.floorMod(place + distance, ring.size())));
      partners.add(ring.get(Math.floorMod(place - distance, ring.size())));
      distance = Math.max(1, distance / 2);
    }
    return partners;
  }
}
