package io.treecast.collectives.claim;

import io.treecast.collectives.claim.SmallClaims.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Every state that can follow a state, depth first.
 *
 * @param states how many there are
 * @param mostGrants how often the claim was granted on one way
 */
record Exploration(long states, int mostGrants) {
  /** Events are few, so that ways have some 30 steps. On a much longer one messages never end. */
  private static final int MOST_STEPS = 200;

  private static final class Frame {
    final SmallClaims state;
    final List<Step> steps;
    int next;

    Frame(SmallClaims state) {
      this.state = state;
      this.steps = state.steps();
    }
  }

  static Exploration of(SmallClaims start, int most) {
    StateSet seen = new StateSet();
    List<Frame> path = new ArrayList<>();
    int mostGrants = 0;
    seen.add(start.digest());
    path.add(new Frame(start));
    try {
      while (!path.isEmpty() && seen.size() < most) {
        Frame top = path.get(path.size() - 1);
        if (top.next == top.steps.size()) {
          path.remove(path.size() - 1);
          continue;
        }
        SmallClaims next = top.state.after(top.steps.get(top.next++));
        if (seen.add(next.digest())) {
          mostGrants = Math.max(mostGrants, next.grants());
          if (path.size() == MOST_STEPS) {
            throw new AssertionError("messages go round for ever");
          }
          path.add(new Frame(next));
        }
      }
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError(
          failure
              + "\nafter "
              + path.stream().map(frame -> frame.steps.get(frame.next - 1).toString()).toList(),
          failure);
    }
    return new Exploration(seen.size(), mostGrants);
  }
}
