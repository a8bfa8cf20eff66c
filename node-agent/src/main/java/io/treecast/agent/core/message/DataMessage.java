package io.treecast.agent.core.message;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.claim.ClaimMessage;
import io.treecast.collectives.clock.RootTime;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.operation.CombiningMessage;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;

/** A message between agents on a data stream: that of a link, or one of a bulk probe. Immutable. */
public sealed interface DataMessage {

  /**
   * First in both directions: the session of the link that the stream belongs to.
   *
   * @param node the sender
   * @param incarnation the sender's
   * @param session the link's
   * @param stream counts the session's data streams, from 1; the dialing end's number
   * @param paddingBytes so many bytes of no meaning follow, 0 to {@value #MAX_PADDING_BYTES}
   */
  record AttachData(NodeId node, long incarnation, long session, long stream, int paddingBytes)
      implements DataMessage {
    /** More than any packet has. */
    public static final int MAX_PADDING_BYTES = 16_384;

    /**
     * Checks the padding.
     *
     * @throws IllegalArgumentException if it is out of its range
     */
    public AttachData {
      if (paddingBytes < 0 || paddingBytes > MAX_PADDING_BYTES) {
        throw new IllegalArgumentException(
            paddingBytes + " bytes of padding; allowed are 0 to " + MAX_PADDING_BYTES);
      }
    }

    /** Without padding. */
    public AttachData(NodeId node, long incarnation, long session, long stream) {
      this(node, incarnation, session, stream, 0);
    }

    /** The same with so much padding. */
    public AttachData withPadding(int bytes) {
      return new AttachData(node, incarnation, session, stream, bytes);
    }
  }

  /**
   * A message between the relays of both ends.
   *
   * @param message the relay's
   */
  record Edge(EdgeMessage message) implements DataMessage {}

  /** A message of a service that follows the committed tree. */
  sealed interface OfService extends DataMessage {
    /** Returns roughly at least the size of the message on the wire, in bytes. */
    long cost();
  }

  /**
   * A message about a collective operation.
   *
   * @param message of its part in them
   */
  record Collective(CombiningMessage message) implements OfService {
    @Override
    public long cost() {
      return message.cost();
    }
  }

  /**
   * A message about shared values.
   *
   * @param message of its part in them
   */
  record SharedValue(ValuesMessage message) implements OfService {
    @Override
    public long cost() {
      return message.cost();
    }
  }

  /**
   * A message about a claim, from one member to another along the committed tree.
   *
   * @param hops how many more agents may pass it on, 0 to {@value #MAX_HOPS}
   */
  record ClaimParcel(NodeId from, NodeId to, int hops, ClaimMessage message) implements OfService {
    /** More than any path of a tree has. */
    public static final int MAX_HOPS = 10_000;

    private static final int BYTES = 100;

    @Override
    public long cost() {
      return BYTES;
    }
  }

  /**
   * A parent's statement about the root's time, at an instant by the clock of the end that does not
   * own the link.
   */
  record TimeOfRoot(RootTime time) implements OfService {
    private static final int BYTES = 50;

    @Override
    public long cost() {
      return BYTES;
    }
  }

  /**
   * A message about groups.
   *
   * @param message of its part in them
   */
  record OfGroups(GroupMessage message) implements OfService {
    @Override
    public long cost() {
      return message.cost();
    }
  }

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
   * Reports that a train has arrived; the next may follow.
   *
   * @param bytes of its second half, at least 1
   * @param nanos how long they took
   */
  record BulkTiming(long bytes, long nanos) implements DataMessage {}

  /**
   * Opens a further connection of a data stream, in both directions; it carries uploads only.
   * Between transports.
   *
   * @param stream the first message of the dialing end on the stream's main connection
   */
  record JoinData(AttachData stream) implements DataMessage {}

  /**
   * Opens a batch and numbers it among all batches of uploads, whichever connection carries it. The
   * first one comes by the main connection, behind earlier messages. Between transports.
   *
   * @param number from 1
   */
  record Numbered(long number) implements DataMessage {}

  /**
   * Asks the end that dialed a data stream for further connections for uploads; from that end, says
   * that there will be no more. Between transports.
   *
   * @param count all further connections; 0 from the dialing end
   */
  record WantConnections(int count) implements DataMessage {}

  /**
   * Reports that the sender's agent is shutting down on purpose. Sent on both streams of a link,
   * because either may end first.
   */
  record Leave() implements DataMessage {}
}
