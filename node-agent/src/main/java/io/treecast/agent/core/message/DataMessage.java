package io.treecast.agent.core.message;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.operation.CombiningMessage;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;

/**
 * What agents say to each other on a data stream: that of a link, or one of a bulk probe.
 * Immutable.
 */
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
   * What one end says to the other of a collective operation.
   *
   * @param message of its part in them
   */
  record Collective(CombiningMessage message) implements DataMessage {}

  /**
   * First from the owner of a link, on a stream that is to measure the link: answered by {@link
   * BulkReady}, or closed by a receiver that is busy.
   *
   * @param node the sender
   * @param incarnation the sender's
   * @param session the link's
   */
  record AttachBulk(NodeId node, long incarnation, long session) implements DataMessage {}

  /** The receiver of a bulk probe is ready for its first train. */
  record BulkReady() implements DataMessage {}

  /**
   * A piece of a train.
   *
   * @param following how many pieces of the train come after it
   * @param payload of no meaning
   */
  record BulkPiece(int following, ByteBuffer payload) implements DataMessage {}

  /**
   * The train is there; the next may follow.
   *
   * @param bytes of its second half, at least 1
   * @param nanos how long they took
   */
  record BulkTiming(long bytes, long nanos) implements DataMessage {}

  /**
   * First in both directions on a further connection of a data stream, which carries uploads only.
   * Between transports.
   *
   * @param stream what the end that dialed it said first on the stream's main connection
   */
  record JoinData(AttachData stream) implements DataMessage {}

  /**
   * First of what travels together: the rest is the so many-th part of the uploads, whichever
   * connection it came by. The first part comes by the main connection, behind what was sent there
   * before. Between transports.
   *
   * @param number from 1
   */
  record Numbered(long number) implements DataMessage {}

  /**
   * To the end that dialed a data stream: uploads are to go over so many further connections. From
   * it: there will be no more than there are. Between transports.
   *
   * @param count of all further connections, from the dialing end 0
   */
  record WantConnections(int count) implements DataMessage {}

  /**
   * The sender's agent is shutting down on purpose. Said on both streams of a link, because either
   * may end first.
   */
  record Leave() implements DataMessage {}
}
