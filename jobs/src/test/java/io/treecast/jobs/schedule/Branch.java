package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * A task of the simulations: a node of a tree that its numbers determine, so that each result is
 * known. The sum over all leaves shows whether each counted once; the least cost of a leaf is
 * searched with pruning.
 *
 * @param hash of the path to it
 * @param levels how many levels there may be below it
 * @param children how many a divided node has at most
 * @param cost of the path to it
 * @param isSearch whether the least cost is sought
 */
public record Branch(long hash, int levels, int children, long cost, boolean isSearch) {

  static Branch sum(long hash, int levels, int children) {
    return new Branch(hash, levels, children, 0, false);
  }

  static Branch search(long hash, int levels, int children) {
    return new Branch(hash, levels, children, 0, true);
  }

  boolean isLeaf() {
    return levels == 0 || (levels < 3 && hash % 5 == 0);
  }

  /** Pruned branches are strictly worse: a rerun task must find the best solution again. */
  boolean isSmall(long best) {
    return isLeaf() || (isSearch && cost > best);
  }

  List<Branch> divide() {
    // Some are divided into none.
    int none = levels < 3 && hash % 7 == 0 ? 0 : 1;
    int count = children < 0 ? -children : none * (1 + (int) Math.floorMod(hash, (long) children));
    List<Branch> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long mixed = mix(hash + i + 1);
      long price = 1 + Math.floorMod(mixed, 50L);
      all.add(new Branch(mixed, levels - 1, children, cost + price, isSearch));
    }
    return all;
  }

  long solve() {
    if (isSearch) {
      return isLeaf() ? cost : BestValue.NONE;
    }
    return 1 + Math.floorMod(hash, 1_000_000L);
  }

  long combine(List<Long> results) {
    return isSearch
        ? results.stream().mapToLong(Long::longValue).min().orElse(BestValue.NONE)
        : results.stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the right result. */
  long result() {
    return isLeaf() ? solve() : combine(divide().stream().map(Branch::result).toList());
  }

  private static long mix(long seed) {
    long mixed = (seed ^ (seed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
