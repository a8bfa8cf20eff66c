package io.treecast.collectives.claim;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.List;

/**
 * The identity of a claim: its name together with the members that grant it. Claims of one name
 * among different members are different claims. Immutable.
 *
 * @param name 1 to {@value #MAX_NAME_BYTES} bytes of UTF-8
 * @param members the members whose majority grants it, in the order of ids, each once; 1 to {@value
 *     #MAX_MEMBERS}
 * @param advisory whether a majority of those members that are in the present tree suffices
 */
public record ClaimKey(String name, List<NodeId> members, boolean advisory)
    implements Comparable<ClaimKey> {
  /** The longest name. */
  public static final int MAX_NAME_BYTES = 200;

  /** The most members. */
  public static final int MAX_MEMBERS = 15;

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public ClaimKey {
    int bytes = name.getBytes(UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the name of the claim has " + bytes + " bytes; allowed are 1 to " + MAX_NAME_BYTES);
    }
    members = List.copyOf(members);
    if (members.isEmpty() || members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "claim %s is among %s members; allowed are 1 to %s"
              .formatted(name, members.size(), MAX_MEMBERS));
    }
    for (int i = 1; i < members.size(); i++) {
      if (members.get(i - 1).compareTo(members.get(i)) >= 0) {
        throw new IllegalArgumentException(
            "the members of claim " + name + " are not in the order of ids, or one occurs twice");
      }
    }
  }

  /**
   * Returns the identity of a claim among members in any order.
   *
   * @throws IllegalArgumentException if a component is out of its range
   */
  public static ClaimKey of(String name, Collection<NodeId> members, boolean advisory) {
    return new ClaimKey(name, members.stream().distinct().sorted().toList(), advisory);
  }

  @Override
  public int compareTo(ClaimKey other) {
    int order = name.compareTo(other.name);
    if (order == 0) {
      order = Boolean.compare(advisory, other.advisory);
    }
    if (order == 0) {
      order = Integer.compare(members.size(), other.members.size());
    }
    for (int i = 0; order == 0 && i < members.size(); i++) {
      order = members.get(i).compareTo(other.members.get(i));
    }
    return order;
  }

  /** Returns how many of a number of members are a majority. */
  static int majority(int members) {
    return members / 2 + 1;
  }
}
