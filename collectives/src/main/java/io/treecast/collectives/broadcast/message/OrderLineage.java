package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The epochs of a topic that a member has been in. Members that were in the same have decided the
 * same in the same order, as far as they have come; those that were cut off from each other have
 * not.
 *
 * <p>An epoch begins when all members of its tree have joined it. So who was in it knows that it
 * joined, though not always that it began.
 */
public final class OrderLineage {
  /** The most epochs that are remembered; of more, the latest. */
  static final int MAX_EPOCHS = 64;

  private final TreeSet<TreeEpoch> joined = new TreeSet<>();
  private final TreeSet<TreeEpoch> begun = new TreeSet<>();

  /** The member has told what it decided before the epoch. */
  public void join(TreeEpoch epoch) {
    add(joined, epoch);
  }

  /** The epochs before that one that the member has been in. */
  public List<TreeEpoch> joinedBefore(TreeEpoch epoch) {
    return List.copyOf(joined.headSet(epoch));
  }

  /**
   * A member that was in no epoch before belongs to the first of those who have decided something,
   * so that what it decides is in their order.
   */
  public void followIfNew(TreeEpoch present, Collection<List<TreeEpoch>> decided) {
    if (joined.headSet(present).isEmpty()) {
      decided.stream()
          .filter(epochs -> !epochs.isEmpty())
          .findFirst()
          .ifPresent(epochs -> epochs.forEach(past -> add(joined, past)));
    }
  }

  /** The epochs that have begun, as far as known here, from a version on; forgets the earlier. */
  public List<TreeEpoch> begunSince(long treeVersion) {
    begun.removeIf(epoch -> epoch.treeVersion() < treeVersion);
    return List.copyOf(begun);
  }

  /**
   * Of what others have decided, by the epochs in which they did, that of members that were in no
   * epoch without this one; of those that have come furthest first.
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
   * An epoch begins, in which the member first decides what others have that were in these epochs.
   *
   * @return since when members of other parts may have decided that otherwise
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
