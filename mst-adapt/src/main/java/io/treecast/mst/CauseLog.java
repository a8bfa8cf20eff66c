package io.treecast.mst;

import java.util.EnumSet;
import java.util.Set;

/** The causes that one node has noticed and no commit has announced yet. */
final class CauseLog {
  private final EnumSet<ChangeCause> unreported = EnumSet.noneOf(ChangeCause.class);
  private final EnumSet<ChangeCause> reported = EnumSet.noneOf(ChangeCause.class);

  void note(ChangeCause cause) {
    unreported.add(cause);
  }

  /** Returns all causes noticed. Later reports repeat them until a commit. */
  Set<ChangeCause> report() {
    reported.addAll(unreported);
    unreported.clear();
    return reported;
  }

  /**
   * Removes the reported causes, which the commit announces. Later ones wait for the next commit.
   */
  void committed() {
    reported.clear();
  }
}
