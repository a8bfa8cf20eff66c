package io.treecast.mst;

/**
 * A search of a fragment for its minimum outgoing edge; also the version of the tree that the
 * search committed, if it found that nothing leaves the fragment.
 *
 * @param fragment the fragment
 * @param number counts the fragment's searches; 0 before the first
 */
public record Round(FragmentId fragment, long number) {

  Rank rank() {
    return fragment.rank();
  }

  Round next() {
    return new Round(fragment, number + 1);
  }

  @Override
  public String toString() {
    return fragment + " round " + number;
  }
}
