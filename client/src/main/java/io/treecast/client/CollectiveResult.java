package io.treecast.client;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a collective operation. Immutable, but for arrays in the value, which are this
 * result's own.
 *
 * @param value this member's value: an {@link java.util.Optional} where there may be none; null for
 *     a barrier
 * @param contributors members whose contributions it contains, each once, in the order of their
 *     ids. The member that gets the result is among them, but for a receiver of a scatter that
 *     called late
 * @param treeVersion of the committed tree along which it was combined
 */
public record CollectiveResult<T extends @Nullable Object>(
    T value, Set<String> contributors, long treeVersion) {

  /** Takes a copy of the contributors. */
  public CollectiveResult {
    contributors = Collections.unmodifiableSet(new LinkedHashSet<>(contributors));
  }

  /**
   * Returns the given members that are not among the contributors, in their given order. If these
   * members had parts in a scatter, the parts were not handed out: the members are not in the tree,
   * or received theirs before.
   */
  public Set<String> absent(Collection<String> members) {
    Set<String> absent = new LinkedHashSet<>(members);
    absent.removeAll(contributors);
    return absent;
  }
}
