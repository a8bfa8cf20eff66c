package io.treecast.testkit.schedule;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reduces a failing scenario while it still fails: fewer events, then fewer nodes, then fewer
 * links, repeated until nothing can be removed or the limit of tries is reached.
 *
 * <p>Events are removed in halves, quarters and so on, as in Zeller's delta debugging (2002).
 */
public final class ScenarioShrinker {
  private final Predicate<Scenario> fails;
  private int triesLeft;
  private Scenario smallest;

  private ScenarioShrinker(Scenario failing, Predicate<Scenario> fails, int maxTries) {
    this.smallest = failing;
    this.fails = fails;
    this.triesLeft = maxTries;
  }

  /**
   * Returns the smallest failing scenario found.
   *
   * @param failing a failing scenario
   * @param fails tests a scenario whose schedule fits its network
   * @param maxTries the limit of tries
   */
  public static Scenario shrink(Scenario failing, Predicate<Scenario> fails, int maxTries) {
    return new ScenarioShrinker(failing, fails, maxTries).shrink();
  }

  private Scenario shrink() {
    boolean smaller = true;
    while (smaller && triesLeft > 0) {
      smaller = fewerSteps();
      smaller |= fewerNodes();
      smaller |= fewerLinks();
    }
    return smallest;
  }

  private boolean tryThis(Scenario candidate) {
    if (triesLeft <= 0 || !candidate.fits()) {
      return false;
    }
    triesLeft--;
    if (!fails.test(candidate)) {
      return false;
    }
    smallest = candidate;
    return true;
  }

  private boolean fewerSteps() {
    boolean any = false;
    for (int size = smallest.schedule().steps().size(); size >= 1; size /= 2) {
      // From the end, since late events are least likely to matter.
      for (int to = smallest.schedule().steps().size(); to > 0; to -= size) {
        any |= tryThis(smallest.withoutSteps(Math.max(0, to - size), to));
      }
    }
    return any;
  }

  private boolean fewerNodes() {
    boolean any = false;
    for (int node = smallest.topology().nodes() - 1; node >= 0; node--) {
      if (smallest.topology().nodes() > 1) {
        any |= tryThis(smallest.withoutNode(node));
      }
    }
    return any;
  }

  private boolean fewerLinks() {
    boolean any = false;
    List<Link> links = new ArrayList<>(smallest.topology().links());
    Collections.reverse(links);
    for (Link link : links) {
      any |= tryThis(smallest.withoutLink(link));
    }
    return any;
  }
}
