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
 * @param <M> what the connection carries
 */
interface SimWire<M> {
  byte[] encode(M message);

  /**
   * The messages that the other end encoded, in order.
   *
   * @throws WireViolation if no correct agent encodes that
   */
  M decode(byte[] bytes) throws WireViolation;

  /**
   * The message for the receiver.
   *
   * @param decoded equal to what was sent
   */
  default M handed(M sent, M decoded) {
    return decoded;
  }

  /**
   * Returns the type under which a message counts as one of the tree; to be asked once for each
   * message that is sent, in their order.
   *
   * @return null if it does not count
   */
  @Nullable String controlType(M message);

  /** One end of a control stream, which remembers the trees that crossed it. */
  static SimWire<PeerMessage> control(SharedTrees trees) {
    PeerCodec codec = new PeerCodec(trees);
    return new SimWire<>() {
      private boolean weightTold;

      /** The first weight of a session belongs to the measurement of the link. */
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
       * Returns the names of a thousand members, once for all agents and not once for each that was
       * told. Messages of the tree are equal whatever the order in which they list members, so the
       * order is to be that of the wire.
       */
      @Override
      public PeerMessage handed(PeerMessage sent, PeerMessage decoded) {
        return decoded instanceof PeerMessage.Tree ? decoded : sent;
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
          throw new AssertionError("no agent can read what another one sent", e);
        }
      }
    };
  }

  /** One end of a data stream. */
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
