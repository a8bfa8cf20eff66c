package io.treecast.agent.core;

import io.treecast.collectives.EdgeMessage;
import io.treecast.ghs.NodeId;

/** What agents say to each other on a link's data stream. Immutable. */
public sealed interface DataMessage {

  /**
   * First in both directions: the session of the link that the stream belongs to.
   *
   * @param node the sender
   * @param incarnation the sender's
   * @param session the link's
   * @param stream counts the session's data streams, from 1; the dialing end's number
   */
  record AttachData(NodeId node, long incarnation, long session, long stream)
      implements DataMessage {}

  /**
   * What the relay of one end says to that of the other.
   *
   * @param message the relay's
   */
  record Edge(EdgeMessage message) implements DataMessage {}

  /**
   * The sender's agent is shutting down on purpose. Said on both streams of a link, because either
   * may end first.
   */
  record Leave() implements DataMessage {}
}
