package io.treecast.agent.transport.frame;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.treecast.agent.wire.ChunkFrame;
import io.treecast.agent.wire.DeliveredChunk;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.proto.v1.DataRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC message for the network whose first field repeats other messages. gRPC drains it at once,
 * so payloads are copied only into the network's memory; others may read it. For one thread.
 */
final class OutgoingMessages extends InputStream implements Drainable, KnownLength {
  /** Precedes each of the messages. */
  static final int TAG = DataRequest.FRAMES_FIELD_NUMBER << 3 | 2;

  /**
   * The memory for the fields of a chunk beside its payload; it grows for long names and headers.
   */
  private static final int HEAD_BYTES = 256;

  /** Frames and events with chunks, and other messages of protobuf. */
  private final List<?> messages;

  private final int bytes;
  private @Nullable ByteArrayInputStream rest;
  private boolean drained;

  /**
   * Creates the message.
   *
   * @param messages each is a {@link Chunk}, a {@link DeliveredChunk} or an object of protobuf
   * @param bytes as {@link #bytes(List)} returns it
   */
  OutgoingMessages(List<?> messages, int bytes) {
    this.messages = messages;
    this.bytes = bytes;
  }

  /** Returns the size of these messages in the field. */
  static int bytes(List<?> messages) {
    int bytes = 0;
    for (Object message : messages) {
      int messageBytes = bytes(message);
      bytes += 1 + CodedOutputStream.computeUInt32SizeNoTag(messageBytes) + messageBytes;
    }
    return bytes;
  }

  private static int bytes(Object message) {
    if (message instanceof Chunk chunk) {
      return ChunkFrame.bytes(chunk);
    }
    return message instanceof DeliveredChunk delivered
        ? delivered.bytes()
        : ((MessageLite) message).getSerializedSize();
  }

  private void writeTo(OutputStream out) throws IOException {
    byte[] head = new byte[HEAD_BYTES];
    for (Object message : messages) {
      int messageBytes = bytes(message);
      Chunk chunk = chunk(message);
      if (chunk != null) {
        int headBytes = 6 + messageBytes - chunk.bytes();
        head = headBytes > head.length ? new byte[headBytes] : head;
        CodedOutputStream coded = CodedOutputStream.newInstance(head);
        begin(coded, messageBytes);
        if (message instanceof DeliveredChunk delivered) {
          delivered.writeHead(coded);
        } else {
          ChunkFrame.writeHead(coded, chunk);
        }
        out.write(head, 0, coded.getTotalBytesWritten());
        write(chunk.payload(), out);
      } else {
        CodedOutputStream coded = CodedOutputStream.newInstance(out);
        begin(coded, messageBytes);
        ((MessageLite) message).writeTo(coded);
        coded.flush();
      }
    }
  }

  private static @Nullable Chunk chunk(Object message) {
    if (message instanceof Chunk chunk) {
      return chunk;
    }
    return message instanceof DeliveredChunk delivered ? delivered.chunk() : null;
  }

  private static void begin(CodedOutputStream coded, int messageBytes) throws IOException {
    coded.writeUInt32NoTag(TAG);
    coded.writeUInt32NoTag(messageBytes);
  }

  private static void write(ByteBuffer payload, OutputStream out) throws IOException {
    if (payload.hasArray()) {
      out.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
    } else {
      byte[] copy = new byte[payload.remaining()];
      payload.duplicate().get(copy);
      out.write(copy);
    }
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    drained = true;
    writeTo(target);
    return bytes;
  }

  @Override
  public int available() {
    return drained ? 0 : rest == null ? bytes : rest.available();
  }

  @Override
  public int read() {
    return rest().read();
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    return rest().read(target, offset, length);
  }

  private ByteArrayInputStream rest() {
    ByteArrayInputStream unread = rest;
    if (unread == null) {
      ByteArrayOutputStream all = new ByteArrayOutputStream(bytes);
      try {
        writeTo(all);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      unread = new ByteArrayInputStream(all.toByteArray());
      rest = unread;
    }
    return unread;
  }
}
