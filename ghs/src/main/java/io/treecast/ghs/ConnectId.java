package io.treecast.ghs;

/**
 * The name of one Connect, and of the tree edge that it led to. No other Connect ever has it, so it
 * distinguishes answers to an older Connect, and messages of an edge that no longer exists.
 *
 * @param sender the node that sent the Connect
 * @param incarnation the incarnation of the sender
 * @param number the number of the Connect in that incarnation
 */
public record ConnectId(NodeId sender, long incarnation, long number) {

  @Override
  public String toString() {
    return sender + "#" + incarnation + "." + number;
  }
}
