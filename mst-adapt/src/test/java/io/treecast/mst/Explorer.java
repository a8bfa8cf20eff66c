package io.treecast.mst;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Explores every state that can be reached from a state, by every order of deliveries and events,
 * depth first. It checks each step, and each state in which nothing is in flight. It also checks
 * that no sequence of steps leads back to its beginning: since events are used up, that would be
 * messages that circulate for ever.
 */
final class Explorer {
  private static final int MAX_DEPTH = 5_000;

  private final StateDigest digest;
  private final StateSet states = new StateSet();
  private final List<Frame> path = new ArrayList<>();
  private final Set<Digest> onPath = new HashSet<>();
  private long transitions;
  private long quietStates;
  private int deepest;

  private record Digest(long low, long high) {}

  private static final class Frame {
    private final SmallWorld world;
    private final List<WorldStep> steps;
    private final Digest digest;
    private int next;

    Frame(SmallWorld world, Digest digest) {
      this.world = world;
      this.steps = world.steps();
      this.digest = digest;
    }
  }

  Explorer(StateDigest digest) {
    this.digest = digest;
  }

  /**
   * Explores all states that can follow. States that were seen in earlier explorations are not
   * repeated.
   */
  void explore(SmallWorld start) {
    try {
      enter(start);
      while (!path.isEmpty()) {
        Frame top = path.get(path.size() - 1);
        if (top.next == top.steps.size()) {
          onPath.remove(top.digest);
          path.remove(path.size() - 1);
        } else {
          transitions++;
          enter(top.world.after(top.steps.get(top.next++)));
        }
      }
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError(failure + "\nafter " + stepsOfPath(), failure);
    }
  }

  private void enter(SmallWorld world) {
    world.computeDigest();
    Digest its = new Digest(digest.low(), digest.high());
    if (states.add(its.low, its.high)) {
      path.add(new Frame(world, its));
      onPath.add(its);
      deepest = Math.max(deepest, path.size());
      if (world.isQuiet()) {
        quietStates++;
        new RestingState(world).verify();
      }
      if (path.size() > MAX_DEPTH) {
        throw new AssertionError("no rest after " + MAX_DEPTH + " steps");
      }
    } else if (onPath.contains(its)) {
      throw new AssertionError("messages go round for ever");
    }
  }

  private List<String> stepsOfPath() {
    return path.stream().map(frame -> frame.steps.get(frame.next - 1).toString()).toList();
  }

  long states() {
    return states.size();
  }

  @Override
  public String toString() {
    return String.format(
        "%,d states, %,d transitions, %,d at rest, at most %,d steps long",
        states.size(), transitions, quietStates, deepest);
  }
}
