package io.treecast.collectives.values;

/** The outcome of a write, at its member. */
public enum Written {
  /** The member has stored the entry, and forwards it. */
  STORED,
  /** Nothing changed: the entry to delete is absent, or the number is not better. */
  UNCHANGED,
  /** There is no space for the entry. */
  FULL
}
