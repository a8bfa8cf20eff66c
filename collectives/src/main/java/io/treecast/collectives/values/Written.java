package io.treecast.collectives.values;

/** The outcome of a write, at its member. */
public enum Written {
  /** The member has it, and passes it on. */
  STORED,
  /** Nothing changed: the entry to delete is absent, or the number is not better. */
  UNCHANGED,
  /** It finds no space. */
  FULL
}
