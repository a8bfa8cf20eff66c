package io.treecast.agent.core;

import io.treecast.collectives.Chunk;
import io.treecast.ghs.NodeId;

/** What agents say to each other on a tree edge's data stream. Immutable. */
public sealed interface DataMessage {

  /**
   * First in both directions: the session of the link that the stream belongs to.
   *
   * @param node the sender
   * @param incarnation the sender's
   * @param session the link's
   */
  record AttachData(NodeId node, long incarnation, long session) implements DataMessage {}

  /**
   * A piece of a broadcast.
   *
   * @param chunk the piece
   */
  record Data(Chunk chunk) implements DataMessage {}

  /**
   * The sender has room for chunks of this cost, in addition to what it said before.
   *
   * @param bytes their cost
   */
  record Credit(long bytes) implements DataMessage {}

  /**
   * The sender's agent is shutting down on purpose. Said on both streams of a link, because either
   * may end first.
   */
  record Leave() implements DataMessage {}
}
