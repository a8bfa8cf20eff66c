package io.treecast.client;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What came of a collective operation. Immutable, but for arrays in the value, which are this
 * result's own.
 *
 * @param value what this member gets: an {@link java.util.Optional} where that may be nothing; null
 *     of a barrier
 * @param contributors whose contributions it contains, each once; iterated in the order of their
 *     ids. The member that gets the result is among them; of a scatter, a receiver that called late
 *     is not
 * @param treeVersion of the committed tree along which it was combined
 */
public record CollectiveResult<T extends @Nullable Object>(
    T value, Set<String> contributors, long treeVersion) {

  /** Takes a copy of the contributors. */
  public CollectiveResult {
    contributors = Collections.unmodifiableSet(new LinkedHashSet<>(contributors));
  }

  /**
   * Those of these members that are not among the contributors, in their order. Where these are the
   * members that parts of a scatter were for, their parts were not handed out: they are not in the
   * tree, or had theirs before.
   */
  public Set<String> absent(Collection<String> members) {
    Set<String> absent = new LinkedHashSet<>(members);
    absent.removeAll(contributors);
    return absent;
  }
}
