package io.treecast.mst;

import io.treecast.ghs.NodeId;

/**
 * The name of a fragment, never used for another one: messages of a fragment that is gone are told
 * by it.
 *
 * @param rank the fragment's rank, which it keeps for life
 * @param founder the node that was its first root
 * @param incarnation which life of the founder
 * @param number counts the fragments that the founder has founded in that life
 */
public record FragmentId(Rank rank, NodeId founder, long incarnation, long number) {

  /** For example {@code 3.1/12#0.4}: the fourth that node 12 founded in its life 0. */
  @Override
  public String toString() {
    return rank + "/" + founder + "#" + incarnation + "." + number;
  }
}
