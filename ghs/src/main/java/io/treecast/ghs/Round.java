package io.treecast.ghs;

/**
 * One search of a fragment for its minimum outgoing edge. It also names the tree that the fragment
 * committed when the search found that no edge leaves it.
 *
 * @param fragment the fragment
 * @param number the number of the search in the fragment; 0 before the first
 */
public record Round(FragmentId fragment, long number) {

  /** The rank of the fragment. */
  public Rank rank() {
    return fragment.rank();
  }

  /** The next search of the fragment. */
  public Round next() {
    return new Round(fragment, number + 1);
  }

  @Override
  public String toString() {
    return fragment + " round " + number;
  }
}
