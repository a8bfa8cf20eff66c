package io.treecast.agent.transport.frame;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.MethodDescriptor.Marshaller;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.proto.v1.DataRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data frames that share a gRPC message: on the wire a {@link DataRequest} or {@code
 * DataResponse}, which have the same format. Received frames are decoded by {@link #messages};
 * frames to send are written when gRPC asks for them. Immutable.
 *
 * <p>A frame is copied from the network's memory into one array; its payload is a view of that
 * array, from which a relay sends it on. Frames that arrive together are copied into an array each,
 * so that a retained one does not retain the others. More frames than agents send together count as
 * malformed.
 */
public final class Frames {
  /** Reads malformed protobuf as a message without frames, which the stream rejects. */
  static final Marshaller<Frames> MARSHALLER =
      new Marshaller<>() {
        @Override
        public InputStream stream(Frames frames) {
          return new OutgoingMessages(frames.sent, frames.sentBytes);
        }

        @Override
        public Frames parse(InputStream stream) {
          return Frames.parse(stream);
        }
      };

  private static final int FRAMES_TAG = OutgoingMessages.TAG;

  /** The bytes that are read ahead of a frame, and the only ones copied twice. */
  private static final int READ_AHEAD_BYTES = 512;

  private final List<byte[]> received;

  /** Chunks, and protobuf frames of other messages. */
  private final List<Object> sent;

  private final int sentBytes;

  private Frames(List<byte[]> received, List<Object> sent, int sentBytes) {
    this.received = received;
    this.sent = sent;
    this.sentBytes = sentBytes;
  }

  /** Creates the frames of messages to send. */
  public static Frames of(List<DataMessage> messages) {
    List<Object> sent = new ArrayList<>(messages.size());
    for (DataMessage message : messages) {
      Chunk chunk = chunk(message);
      sent.add(chunk == null ? DataCodec.encode(message) : chunk);
    }
    return new Frames(List.of(), sent, OutgoingMessages.bytes(sent));
  }

  private static @Nullable Chunk chunk(DataMessage message) {
    return message instanceof Edge edge
            && edge.message() instanceof Data data
            && data.item() instanceof Chunk chunk
        ? chunk
        : null;
  }

  /** Returns the size of the frames to send. */
  public int bytes() {
    return sentBytes;
  }

  /** Returns the number of received frames. */
  public int count() {
    return received.size();
  }

  /**
   * Decodes the received messages, in order.
   *
   * @param streams the recent streams of the connection
   * @throws WireViolation if there are none, or one that no agent of this version sends
   */
  public List<DataMessage> messages(RecentStreams streams) throws WireViolation {
    if (received.isEmpty()) {
      throw new WireViolation("no data frame");
    }
    List<DataMessage> messages = new ArrayList<>(received.size());
    for (byte[] frame : received) {
      messages.add(DataCodec.decode(frame, streams));
    }
    return messages;
  }

  private static Frames parse(InputStream stream) {
    List<byte[]> frames = new ArrayList<>();
    try {
      CodedInputStream in = CodedInputStream.newInstance(stream, READ_AHEAD_BYTES);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == FRAMES_TAG) {
          // An empty frame takes two bytes on the network, and a hundred times that here.
          if (frames.size() == BatchSize.MOST_MESSAGES) {
            return received(List.of());
          }
          frames.add(in.readRawBytes(in.readRawVarint32()));
        } else if (!in.skipField(tag)) {
          return received(List.of());
        }
      }
      return received(frames);
    } catch (InvalidProtocolBufferException noProtobuf) {
      return received(List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Frames received(List<byte[]> frames) {
    return new Frames(frames, List.of(), 0);
  }
}
