package io.treecast.mst;

import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.TreeMessage;

/**
 * Visits the messages of both families, for encoders and others that must handle every kind.
 *
 * @param <X> the exception that the methods throw
 */
public interface TreeMessageVisitor<X extends Exception>
    extends GhsMessage.Visitor<X>, MstMessage.Visitor<X> {

  /**
   * Visits one message.
   *
   * @throws IllegalArgumentException if it belongs to neither family
   */
  static <X extends Exception> void visit(TreeMessage message, TreeMessageVisitor<X> visitor)
      throws X {
    if (message instanceof GhsMessage ghs) {
      ghs.visit(visitor);
    } else if (message instanceof MstMessage mst) {
      mst.visit(visitor);
    } else {
      throw new IllegalArgumentException(message.type() + " is not a message of the tree protocol");
    }
  }
}
