package io.treecast.mst;

import io.treecast.ghs.NodeId;

/**
 * The name of one Connect and of the tree edge that it led to, never used for another: answers to
 * an older one, and messages of an edge that is gone, are told by it.
 *
 * @param sender the node that sent the Connect
 * @param incarnation which life of the sender
 * @param number counts the Connects of that life
 */
public record ConnectId(NodeId sender, long incarnation, long number) {

  @Override
  public String toString() {
    return sender + "#" + incarnation + "." + number;
  }
}
