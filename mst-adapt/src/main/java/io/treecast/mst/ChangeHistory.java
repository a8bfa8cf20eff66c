package io.treecast.mst;

import io.treecast.ghs.History;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contribution of a fragment's members to its next commit. Immutable.
 *
 * @param version the highest version that one of them has committed; 0 if none has committed a tree
 * @param common their last tree, of that version, if all of them have the same one; null otherwise
 * @param causes the causes noticed since their last commits
 */
public record ChangeHistory(long version, @Nullable TreeName common, Set<ChangeCause> causes)
    implements History {
  private static final ChangeHistory NOTHING =
      new ChangeHistory(0, EnumSet.noneOf(ChangeCause.class));

  /** The contribution of members whose last trees differ. */
  public ChangeHistory(long version, Set<ChangeCause> causes) {
    this(version, null, causes);
  }

  /** The contribution of one member, whose last tree this is; null if it has none. */
  static ChangeHistory ofMember(@Nullable CommittedTree tree, Set<ChangeCause> causes) {
    return tree == null
        ? new ChangeHistory(0, causes)
        : new ChangeHistory(tree.version(), tree.name(), causes);
  }

  /**
   * Copies the causes.
   *
   * @throws IllegalArgumentException if the common tree is of another version
   */
  public ChangeHistory {
    if (common != null && common.version() != version) {
      throw new IllegalArgumentException(common + " is not of version " + version);
    }
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
    if (!(other instanceof ChangeHistory its)) {
      return this;
    }
    EnumSet<ChangeCause> union = EnumSet.noneOf(ChangeCause.class);
    union.addAll(causes);
    union.addAll(its.causes);
    return new ChangeHistory(
        Math.max(version, its.version), Objects.equals(common, its.common) ? common : null, union);
  }
}
