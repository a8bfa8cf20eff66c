package io.treecast.testkit.reproduce;

import java.util.List;

/** A published experiment that Treecast can repeat. Stateless. */
public interface Experiment {
  /** Returns its number in the publication. */
  String id();

  /** Returns further numbers of the same experiment. */
  default List<String> alsoCalled() {
    return List.of();
  }

  /** Returns its subject, in one line. */
  String title();

  /** Returns whether it can run on real agents, and its duration. */
  default LiveRun live() {
    return LiveRun.refused("it changes no link, so virtual time shows the whole result");
  }

  Result run(Lab lab);
}
