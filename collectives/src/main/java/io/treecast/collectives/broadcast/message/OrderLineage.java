package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The epochs of a topic that a member has been in. Members that were in the same epochs have
 * decided the same messages in the same order, as far as each has decided. Members that were
 * separated have not.
 *
 * <p>An epoch begins when all members of its tree have joined it. A member therefore knows that it
 * joined an epoch, though not always that the epoch began.
 */
public final class OrderLineage {
  /** The largest number of epochs that are remembered; the latest are kept. */
  static final int MAX_EPOCHS = 64;

  private final TreeSet<TreeEpoch> joined = new TreeSet<>();
  private final TreeSet<TreeEpoch> begun = new TreeSet<>();

  /** Records that the member has reported its decisions from before the epoch. */
  public void join(TreeEpoch epoch) {
    add(joined, epoch);
  }

  /** Returns the earlier epochs that the member has been in. */
  public List<TreeEpoch> joinedBefore(TreeEpoch epoch) {
    return List.copyOf(joined.headSet(epoch));
  }

  /**
   * Makes a member that was in no epoch before follow the first group of members that have decided
   * something, so that its decisions continue their order.
   */
  public void followIfNew(TreeEpoch present, Collection<List<TreeEpoch>> decided) {
    if (joined.headSet(present).isEmpty()) {
      decided.stream()
          .filter(epochs -> !epochs.isEmpty())
          .findFirst()
          .ifPresent(epochs -> epochs.forEach(past -> add(joined, past)));
    }
  }

  /**
   * Returns the epochs from the given version on that are known to have begun; forgets the earlier
   * ones.
   */
  public List<TreeEpoch> startedSince(long treeVersion) {
    begun.removeIf(epoch -> epoch.treeVersion() < treeVersion);
    return List.copyOf(begun);
  }

  /**
   * Returns the lists of epochs in which this member has been throughout, the furthest advanced
   * first, among the lists of other members.
   */
  public List<List<TreeEpoch>> own(Collection<List<TreeEpoch>> decided) {
    List<List<TreeEpoch>> own = new ArrayList<>();
    decided.stream()
        .filter(epochs -> !epochs.isEmpty() && joined.containsAll(epochs))
        .forEach(own::add);
    own.sort(
        Comparator.<List<TreeEpoch>, TreeEpoch>comparing(epochs -> epochs.get(epochs.size() - 1))
            .thenComparing(List::size)
            .reversed());
    return own;
  }

  /**
   * Begins an epoch in which the member first decides the messages decided by members with the
   * given histories.
   *
   * @return the version since which members of other parts may have decided another order
   */
  public long begin(TreeEpoch epoch, List<List<TreeEpoch>> followed) {
    for (List<TreeEpoch> epochs : followed) {
      for (TreeEpoch past : epochs) {
        add(joined, past);
        add(begun, past);
      }
    }
    SortedSet<TreeEpoch> before = begun.headSet(epoch);
    long sinceVersion = before.isEmpty() ? 0 : before.last().treeVersion();
    add(begun, epoch);
    return sinceVersion;
  }

  private static void add(SortedSet<TreeEpoch> epochs, TreeEpoch epoch) {
    epochs.add(epoch);
    if (epochs.size() > MAX_EPOCHS) {
      epochs.remove(epochs.first());
    }
  }
}
