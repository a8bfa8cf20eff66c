package io.treecast.client;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a collective operation. Immutable, except for arrays in the value, which are not
 * shared.
 *
 * @param value this member's value: an {@link java.util.Optional} where it may be absent; null for
 *     a barrier
 * @param contributors the members whose contributions it contains, in the order of their ids. The
 *     receiver of the result is among them, except for a receiver of a scatter that called late
 * @param treeVersion the version of the committed tree along which it was combined
 */
public record CollectiveResult<T extends @Nullable Object>(
    T value, Set<String> contributors, long treeVersion) {

  /** Copies the contributors. */
  public CollectiveResult {
    contributors = Collections.unmodifiableSet(new LinkedHashSet<>(contributors));
  }

  /**
   * Returns the given members that are not among the contributors, in the given order. Their parts
   * in a scatter were not handed out: the members are not in the tree, or have received theirs
   * before.
   */
  public Set<String> absent(Collection<String> members) {
    Set<String> absent = new LinkedHashSet<>(members);
    absent.removeAll(contributors);
    return absent;
  }
}
