package io.treecast.agent.core.message;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.claim.ClaimMessage;
import io.treecast.collectives.clock.RootTime;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;

/** A message between agents on a data stream, either of a link or of a bulk probe. Immutable. */
public sealed interface DataMessage {

  /**
   * The first message in both directions. Names the session of the link to which the stream
   * belongs.
   *
   * @param node the sender
   * @param incarnation the sender's incarnation
   * @param session the link's session
   * @param stream the number of the data stream within the session, from 1, given by the dialing
   *     end
   * @param paddingBytes the number of meaningless bytes that follow, 0 to {@value
   *     #MAX_PADDING_BYTES}
   */
  record AttachData(NodeId node, long incarnation, long session, long stream, int paddingBytes)
      implements DataMessage {
    /** Larger than any packet. */
    public static final int MAX_PADDING_BYTES = 16_384;

    /**
     * Checks the padding.
     *
     * @throws IllegalArgumentException if the padding is out of range
     */
    public AttachData {
      if (paddingBytes < 0 || paddingBytes > MAX_PADDING_BYTES) {
        throw new IllegalArgumentException(
            paddingBytes + " bytes of padding; allowed are 0 to " + MAX_PADDING_BYTES);
      }
    }

    /** Creates a message without padding. */
    public AttachData(NodeId node, long incarnation, long session, long stream) {
      this(node, incarnation, session, stream, 0);
    }

    /** Returns this message with the given padding. */
    public AttachData withPadding(int bytes) {
      return new AttachData(node, incarnation, session, stream, bytes);
    }
  }

  /**
   * A message between the broadcast relays of both ends.
   *
   * @param message the relay's message
   */
  record Edge(EdgeMessage message) implements DataMessage {}

  /** A message of a service other than broadcasts that follows the committed tree. */
  sealed interface ServiceMessage extends DataMessage {
    /** Returns the approximate minimum size of the message on the wire, in bytes. */
    long cost();
  }

  /**
   * A message about a collective operation.
   *
   * @param message the message of the service
   */
  record Collective(CombiningMessage message) implements ServiceMessage {
    @Override
    public long cost() {
      return message.cost();
    }
  }

  /**
   * A message about shared values.
   *
   * @param message the message of the service
   */
  record SharedValue(ValuesMessage message) implements ServiceMessage {
    @Override
    public long cost() {
      return message.cost();
    }
  }

  /**
   * A message about a claim, routed from one member to another along the committed tree.
   *
   * @param hops the number of agents that may still forward it, 0 to {@value #MAX_HOPS}
   */
  record ClaimParcel(NodeId from, NodeId to, int hops, ClaimMessage message)
      implements ServiceMessage {
    /** Longer than any path of a tree. */
    public static final int MAX_HOPS = 10_000;

    private static final int BYTES = 100;

    @Override
    public long cost() {
      return BYTES;
    }
  }

  /**
   * The root's time, as stated by a parent in the tree for an instant on the clock of the end that
   * does not own the link.
   */
  record TimeOfRoot(RootTime time) implements ServiceMessage {
    private static final int BYTES = 50;

    @Override
    public long cost() {
      return BYTES;
    }
  }

  /**
   * A message about groups.
   *
   * @param message the message of the service
   */
  record GroupParcel(GroupMessage message) implements ServiceMessage {
    @Override
    public long cost() {
      return message.cost();
    }
  }

  /**
   * The owner's first message on a stream of a bulk probe. The receiver answers with {@link
   * BulkReady}, or closes the stream if it is busy.
   *
   * @param node the sender
   * @param incarnation the sender's incarnation
   * @param session the link's session
   */
  record AttachBulk(NodeId node, long incarnation, long session) implements DataMessage {}

  /** The receiver of a bulk probe is ready for its first train. */
  record BulkReady() implements DataMessage {}

  /**
   * A piece of a train.
   *
   * @param following the number of pieces of the train that follow
   * @param payload meaningless bytes
   */
  record BulkPiece(int following, ByteBuffer payload) implements DataMessage {}

  /**
   * Reports that a train has arrived, and permits the next.
   *
   * @param bytes the bytes of its second half, at least 1
   * @param nanos the time in which they arrived
   */
  record BulkTiming(long bytes, long nanos) implements DataMessage {}

  /**
   * The first message, in both directions, on a further connection of a data stream. The connection
   * carries uploads only. Only transports see this message.
   *
   * @param stream the dialing end's AttachData on the stream's main connection
   */
  record JoinData(AttachData stream) implements DataMessage {}

  /**
   * The start of a batch of upload messages, with its number among the batches on all connections
   * of the stream. The first batch is sent on the main connection, after earlier messages. Only
   * transports see this message.
   *
   * @param number the batch's number, from 1
   */
  record Numbered(long number) implements DataMessage {}

  /**
   * Requests further connections for uploads from the end that dialed the data stream. Sent by the
   * dialing end, it announces that no more will follow. Only transports see this message.
   *
   * @param count the total number of further connections; 0 from the dialing end
   */
  record WantConnections(int count) implements DataMessage {}

  /**
   * Announces that the sender's agent is shutting down. Sent on both streams of a link, because
   * either may end first.
   */
  record Leave() implements DataMessage {}
}
