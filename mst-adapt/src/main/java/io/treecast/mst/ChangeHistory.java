package io.treecast.mst;

import io.treecast.ghs.History;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The contribution of a fragment's members to its next commit. Immutable.
 *
 * @param version the highest version that one of them has committed; 0 if none has committed any
 * @param causes the causes noticed since their last commits
 */
public record ChangeHistory(long version, Set<ChangeCause> causes) implements History {
  private static final ChangeHistory NOTHING =
      new ChangeHistory(0, EnumSet.noneOf(ChangeCause.class));

  /** Copies the causes. */
  public ChangeHistory {
    EnumSet<ChangeCause> copy = EnumSet.noneOf(ChangeCause.class);
    copy.addAll(causes);
    causes = Collections.unmodifiableSet(copy);
  }

  /** The content of a history that GHS has gathered from this package's values. */
  public static ChangeHistory of(History history) {
    return history instanceof ChangeHistory known ? known : NOTHING;
  }

  @Override
  public History joinedWith(History other) {
    ChangeHistory its = of(other);
    EnumSet<ChangeCause> union = EnumSet.noneOf(ChangeCause.class);
    union.addAll(causes);
    union.addAll(its.causes);
    return new ChangeHistory(Math.max(version, its.version), union);
  }
}
