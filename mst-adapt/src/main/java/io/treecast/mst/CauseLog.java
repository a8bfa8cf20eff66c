package io.treecast.mst;

import java.util.EnumSet;
import java.util.Set;

/** What one node noticed since the last commit that told it. Used in the node's thread only. */
final class CauseLog {
  private final EnumSet<ChangeCause> unreported = EnumSet.noneOf(ChangeCause.class);
  private final EnumSet<ChangeCause> reported = EnumSet.noneOf(ChangeCause.class);

  void note(ChangeCause cause) {
    unreported.add(cause);
  }

  /** Everything noticed. Until a commit, a later report repeats it. */
  Set<ChangeCause> report() {
    reported.addAll(unreported);
    unreported.clear();
    return reported;
  }

  /** What was reported is told by the commit; what was noticed after it waits for the next. */
  void committed() {
    reported.clear();
  }
}
