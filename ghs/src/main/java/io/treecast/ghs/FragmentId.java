package io.treecast.ghs;

/**
 * The name of a fragment. No other fragment ever has it, so it distinguishes messages of a fragment
 * that no longer exists.
 *
 * @param rank the fragment's rank, which never changes
 * @param founder the node that was its first root
 * @param incarnation the incarnation of the founder
 * @param number the number of the fragment among those that the founder has founded in that
 *     incarnation
 */
public record FragmentId(Rank rank, NodeId founder, long incarnation, long number) {

  /**
   * For example {@code 3.1/12#0.4}: the fourth fragment that node 12 founded in its incarnation 0.
   */
  @Override
  public String toString() {
    return rank + "/" + founder + "#" + incarnation + "." + number;
  }
}
