package io.treecast.ghs;

/**
 * The contribution of a fragment's members to its next tree. A search gathers it on the way up, and
 * the root hands it to the {@link TreeKeeper}, the only one that looks inside. Immutable.
 */
public interface History {
  /** The history of a guess, or of no node at all: adds nothing. */
  History NONE = other -> other;

  /** The history of the members of both. */
  History joinedWith(History other);
}
