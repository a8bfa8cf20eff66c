package io.treecast.collectives.values;

/** The outcome of a write, at its member. */
public enum Written {
  /** The member has it, and passes it on. */
  STORED,
  /** Nothing changed: there is no such entry to delete, or the number does not improve it. */
  UNCHANGED,
  /** There is no space for it. */
  FULL
}
