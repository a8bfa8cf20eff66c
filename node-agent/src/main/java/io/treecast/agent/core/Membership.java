package io.treecast.agent.core;

import java.util.List;

/**
 * Who this agent links with, and how many links it waits for before the tree is built.
 *
 * @param expectedMembers members of the cluster, itself included, all linked with each other; 0
 *     when the neighbours are configured one by one
 * @param seeds addresses to ask for the other members
 * @param neighbours the only nodes to link with, when they are configured
 */
public record Membership(int expectedMembers, List<String> seeds, List<Member> neighbours) {
  /** Most members of one cluster. */
  public static final int MAX_MEMBERS = 10_000;

  public Membership {
    seeds = List.copyOf(seeds);
    neighbours = List.copyOf(neighbours);
  }

  /**
   * Every member links with every other; they find each other from the seeds.
   *
   * @throws IllegalArgumentException if the number is out of range
   */
  public static Membership discovered(int expectedMembers, List<String> seeds) {
    if (expectedMembers < 1 || expectedMembers > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "expected members: " + expectedMembers + "; allowed are 1 to " + MAX_MEMBERS);
    }
    return new Membership(expectedMembers, seeds, List.of());
  }

  /** The links are configured: this node has these neighbours and no others. */
  public static Membership configured(List<Member> neighbours) {
    return new Membership(0, List.of(), neighbours);
  }

  boolean isConfigured() {
    return expectedMembers == 0;
  }

  /** Links to wait for before the tree is built. */
  public int expectedLinks() {
    return isConfigured() ? neighbours.size() : expectedMembers - 1;
  }
}
