package io.treecast.testkit.sim.network;

import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.testkit.cluster.ControlTraffic;
import org.jspecify.annotations.Nullable;

/**
 * The wire format at one end of one simulated connection, the same as between real agents.
 *
 * @param <M> the type of the messages
 */
interface SimWire<M> {
  byte[] encode(M message);

  /**
   * Decodes the messages of the other end, in order.
   *
   * @throws WireViolation if no correct agent encodes such bytes
   */
  M decode(byte[] bytes) throws WireViolation;

  /** Returns the message to send in place of another that leaves later than it was sent. */
  default M leaving(M message, long lateNanos) {
    return message;
  }

  /**
   * Returns the message for the receiver.
   *
   * @param decoded the decoded message, equal to the sent one
   */
  default M handed(M sent, M decoded) {
    return decoded;
  }

  /**
   * Returns the type under which a message of the tree is counted. Called once for each sent
   * message, in order.
   *
   * @return null if it is not counted
   */
  @Nullable String controlType(M message);

  /** Returns one end of a control stream, with the trees that have crossed it. */
  static SimWire<PeerMessage> control(SharedTrees trees) {
    PeerCodec codec = new PeerCodec(trees);
    return new SimWire<>() {
      private boolean weightTold;

      /**
       * Does not count the first weight of a session, which belongs to the measurement of the link.
       */
      @Override
      public @Nullable String controlType(PeerMessage message) {
        if (message instanceof PeerMessage.Tree tree) {
          return tree.message().type();
        }
        if (message instanceof PeerMessage.OpenLink) {
          weightTold = false;
        }
        if (message instanceof PeerMessage.ThroughputUpdate) {
          return "ThroughputUpdate";
        }
        if (!(message instanceof PeerMessage.WeightUpdate)) {
          return null;
        }
        boolean isChange = weightTold;
        weightTold = true;
        return isChange ? ControlTraffic.WEIGHT : null;
      }

      /**
       * Returns the sent message, so that all agents share the ids of members in it. A message of
       * the tree is returned as decoded, since equality ignores the order of its members and the
       * receiver must see that of the wire.
       */
      @Override
      public PeerMessage handed(PeerMessage sent, PeerMessage decoded) {
        return decoded instanceof PeerMessage.Tree ? decoded : sent;
      }

      @Override
      public PeerMessage leaving(PeerMessage message, long lateNanos) {
        return message.leaving(lateNanos);
      }

      @Override
      public byte[] encode(PeerMessage message) {
        return codec.encode(message).toByteArray();
      }

      @Override
      public PeerMessage decode(byte[] bytes) throws WireViolation {
        try {
          return codec.decode(ControlFrame.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
          throw new AssertionError("an agent's message cannot be decoded", e);
        }
      }
    };
  }

  /** Returns one end of a data stream. */
  static SimWire<DataMessage> data() {
    RecentStreams streams = new RecentStreams();
    return new SimWire<>() {
      @Override
      public @Nullable String controlType(DataMessage message) {
        return null;
      }

      @Override
      public byte[] encode(DataMessage message) {
        return DataCodec.encode(message).toByteArray();
      }

      @Override
      public DataMessage decode(byte[] bytes) throws WireViolation {
        return DataCodec.decode(bytes, streams);
      }
    };
  }
}
