package io.treecast.mst;

import java.util.EnumSet;
import java.util.Set;

/** What one node has noticed and no commit has announced yet. */
final class CauseLog {
  private final EnumSet<ChangeCause> unreported = EnumSet.noneOf(ChangeCause.class);
  private final EnumSet<ChangeCause> reported = EnumSet.noneOf(ChangeCause.class);

  void note(ChangeCause cause) {
    unreported.add(cause);
  }

  /** All causes noticed. Later reports repeat them until a commit. */
  Set<ChangeCause> report() {
    reported.addAll(unreported);
    unreported.clear();
    return reported;
  }

  /** The commit announces what was reported. What was noticed since waits for the next commit. */
  void committed() {
    reported.clear();
  }
}
