package io.treecast.testkit.run;

/** Receives how far runs in real time are, on the thread of the run. */
@FunctionalInterface
public interface RunProgress {
  /**
   * Notes that a run begins.
   *
   * @param expectedMillis how long it takes if each tree is built at once
   */
  default void begin(long expectedMillis) {}

  /**
   * Notes how far the run is.
   *
   * @param line for a person
   * @param leftMillis how long the run still takes if each further tree is built at once
   */
  void at(String line, long leftMillis);
}
