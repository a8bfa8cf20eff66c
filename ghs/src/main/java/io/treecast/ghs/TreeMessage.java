package io.treecast.ghs;

/**
 * A message between neighbours of the tree protocol. There are two families: {@link GhsMessage}
 * builds fragments, and the messages of {@code io.treecast.mst} keep the tree. Immutable.
 *
 * <p>Messages carry maps, lists and trees whole. An encoder may send them as differences to values
 * that the receiver is known to have.
 */
public interface TreeMessage {
  /** The kind of message, as counters, reports and documentation name it. */
  default String type() {
    return getClass().getSimpleName();
  }
}
