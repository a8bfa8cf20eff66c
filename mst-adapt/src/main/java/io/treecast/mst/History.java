package io.treecast.mst;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the members of a fragment bring into its next commit. Immutable.
 *
 * @param version the highest version that one of them has committed; 0 if none has any
 * @param causes what they noticed since their last commits
 */
public record History(long version, Set<ChangeCause> causes) {
  static final History NONE = new History(0, EnumSet.noneOf(ChangeCause.class));

  /** Copies the causes. */
  public History {
    EnumSet<ChangeCause> copy = EnumSet.noneOf(ChangeCause.class);
    copy.addAll(causes);
    causes = Collections.unmodifiableSet(copy);
  }

  History joinedWith(History other) {
    EnumSet<ChangeCause> union = EnumSet.noneOf(ChangeCause.class);
    union.addAll(causes);
    union.addAll(other.causes);
    return new History(Math.max(version, other.version), union);
  }
}
