package io.treecast.testkit.reproduce;

import java.util.List;

/** A published experiment that can be run here. Stateless. */
public interface Experiment {
  /** Its number in the publication. */
  String id();

  /** Further numbers of the same experiment. */
  default List<String> alsoCalled() {
    return List.of();
  }

  /** Returns its subject, in one line. */
  String title();

  /** Runs it. */
  Result run(Lab lab);
}
