package io.treecast.agent.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.proto.v1.DataFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes a data frame with a chunk in the format of {@link DataCodec}, without
 * protobuf's objects. For small payloads, these objects would take more time than the rest of the
 * path through an agent. The encoder writes all fields before the payload, which follows as the
 * last field. Stateless.
 */
public final class ChunkFrame {
  /**
   * The size of a frame up to which the payload is copied, since the rest of the frame may be
   * larger than the payload.
   */
  static final int SMALL_FRAME_BYTES = 1_024;

  private static final int CHUNK_TAG = lengthDelimited(DataFrame.CHUNK_FIELD_NUMBER);

  private ChunkFrame() {}

  // Encoding. The field numbers are those of DataFrame, Chunk and MessageId.

  /** Returns the size of the frame with the payload. */
  public static int bytes(Chunk chunk) {
    return bytes(chunk, 0);
  }

  /**
   * Returns the size of the frame, or of a subscriber's event, in which a chunk has the same field
   * number.
   *
   * @param publishedUnixMillis the time of publication for a subscriber; 0 for none
   */
  static int bytes(Chunk chunk, long publishedUnixMillis) {
    return CodedOutputStream.computeTagSize(DataFrame.CHUNK_FIELD_NUMBER)
        + delimited(chunkBytes(chunk, publishedUnixMillis));
  }

  static int delimited(int bytes) {
    return CodedOutputStream.computeUInt32SizeNoTag(bytes) + bytes;
  }

  private static int chunkBytes(Chunk chunk, long publishedUnixMillis) {
    int bytes = 1 + delimited(idBytes(chunk.messageId()));
    bytes += chunk.index() == 0 ? 0 : CodedOutputStream.computeUInt32Size(2, chunk.index());
    bytes += chunk.last() ? 2 : 0;
    bytes += CodedOutputStream.computeUInt64Size(5, chunk.treeVersion());
    bytes += uint32Bytes(6, chunk.receiptMillis());
    bytes += chunk.crc32c() == Chunk.NO_CHECKSUM ? 0 : 5;
    bytes += chunk.abandoned() ? 2 : 0;
    bytes +=
        chunk.publishedBytes() == 0
            ? 0
            : CodedOutputStream.computeUInt64Size(9, chunk.publishedBytes());
    bytes += uint32Bytes(10, chunk.replicas().count());
    bytes += uint32Bytes(11, chunk.replicas().millis());
    bytes += chunk.publishedNanos() == 0 ? 0 : 9;
    bytes += chunk.headers().hasRemaining() ? 1 + delimited(chunk.headers().remaining()) : 0;
    bytes +=
        publishedUnixMillis == 0 ? 0 : CodedOutputStream.computeUInt64Size(14, publishedUnixMillis);
    return bytes + (chunk.bytes() == 0 ? 0 : 1 + delimited(chunk.bytes()));
  }

  private static int idBytes(MessageId id) {
    return CodedOutputStream.computeStringSize(1, id.origin().toString())
        + (id.incarnation() == 0 ? 0 : 9)
        + CodedOutputStream.computeUInt64Size(3, id.sequence())
        + (id.topic().isEmpty() ? 0 : CodedOutputStream.computeStringSize(4, id.topic()))
        + uint32Bytes(5, id.lane());
  }

  private static int uint32Bytes(int field, int value) {
    return value == 0 ? 0 : CodedOutputStream.computeUInt32Size(field, value);
  }

  /** Writes the frame up to the bytes of the payload, which must follow. */
  public static void writeHead(CodedOutputStream out, Chunk chunk) throws IOException {
    writeHead(out, chunk, 0);
  }

  /** Writes the frame, or a subscriber's event, up to the bytes of the payload. */
  static void writeHead(CodedOutputStream out, Chunk chunk, long publishedUnixMillis)
      throws IOException {
    out.writeTag(DataFrame.CHUNK_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(chunkBytes(chunk, publishedUnixMillis));
    MessageId id = chunk.messageId();
    out.writeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(idBytes(id));
    out.writeString(1, id.origin().toString());
    if (id.incarnation() != 0) {
      out.writeFixed64(2, id.incarnation());
    }
    out.writeUInt64(3, id.sequence());
    if (!id.topic().isEmpty()) {
      out.writeString(4, id.topic());
    }
    writeUInt32(out, 5, id.lane());

    writeUInt32(out, 2, chunk.index());
    if (chunk.last()) {
      out.writeBool(3, true);
    }
    out.writeUInt64(5, chunk.treeVersion());
    writeUInt32(out, 6, chunk.receiptMillis());
    if (chunk.crc32c() != Chunk.NO_CHECKSUM) {
      out.writeFixed32(7, (int) chunk.crc32c());
    }
    if (chunk.abandoned()) {
      out.writeBool(8, true);
    }
    if (chunk.publishedBytes() != 0) {
      out.writeUInt64(9, chunk.publishedBytes());
    }
    writeUInt32(out, 10, chunk.replicas().count());
    writeUInt32(out, 11, chunk.replicas().millis());
    if (chunk.publishedNanos() != 0) {
      out.writeSFixed64(12, chunk.publishedNanos());
    }
    if (chunk.headers().hasRemaining()) {
      out.writeBytes(13, PayloadBytes.of(chunk.headers()));
    }
    if (publishedUnixMillis != 0) {
      out.writeUInt64(14, publishedUnixMillis);
    }
    if (chunk.bytes() > 0) {
      out.writeTag(4, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(chunk.bytes());
    }
  }

  private static void writeUInt32(CodedOutputStream out, int field, int value) throws IOException {
    if (value != 0) {
      out.writeUInt32(field, value);
    }
  }

  // Decoding.

  /**
   * Decodes a frame. The payload is a view of the array; in a small frame it is a copy.
   *
   * @param streams the recent streams of the frame's connection
   * @return the chunk; null if the frame has other content
   * @throws InvalidProtocolBufferException if the frame is malformed
   * @throws WireViolation if no agent of this version sends such a chunk
   */
  static @Nullable Chunk decode(byte[] frame, RecentStreams streams)
      throws IOException, WireViolation {
    CodedInputStream in = CodedInputStream.newInstance(frame);
    if (frame.length == 0
        || in.readTag() != CHUNK_TAG
        || in.readRawVarint32() != frame.length - in.getTotalBytesRead()) {
      return null;
    }
    return new Reader(frame, in).read(streams);
  }

  private static int lengthDelimited(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /** The decoded fields of one chunk. A repeated field replaces the earlier value. */
  private static final class Reader {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final byte[] frame;
    private final CodedInputStream in;
    private String origin = "";
    private long incarnation;
    private long sequence;
    private String topic = "";
    private int lane;
    private int index;
    private boolean last;
    private ByteBuffer payload = NOTHING;
    private long treeVersion;
    private int receiptMillis;
    private @Nullable Integer crc32c;
    private boolean abandoned;
    private long publishedBytes;
    private int replicas;
    private int replicaMillis;
    private long publishedNanos;
    private ByteBuffer headers = NOTHING;

    Reader(byte[] frame, CodedInputStream in) {
      this.frame = frame;
      this.in = in;
    }

    Chunk read(RecentStreams streams) throws IOException, WireViolation {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> readId();
          case 2 << 3 -> index = in.readUInt32();
          case 3 << 3 -> last = in.readBool();
          case 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> payload = readBytes();
          case 5 << 3 -> treeVersion = in.readUInt64();
          case 6 << 3 -> receiptMillis = in.readUInt32();
          case 7 << 3 | WireFormat.WIRETYPE_FIXED32 -> crc32c = in.readFixed32();
          case 8 << 3 -> abandoned = in.readBool();
          case 9 << 3 -> publishedBytes = in.readUInt64();
          case 10 << 3 -> replicas = in.readUInt32();
          case 11 << 3 -> replicaMillis = in.readUInt32();
          case 12 << 3 | WireFormat.WIRETYPE_FIXED64 -> publishedNanos = in.readSFixed64();
          case 13 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> headers = readBytes();
          default -> skip(tag);
        }
      }
      return DataCodec.chunk(
          streams.message(origin, incarnation, topic, lane, sequence),
          index,
          last,
          treeVersion,
          publishedBytes,
          payload,
          receiptMillis,
          crc32c,
          abandoned,
          ReplicaCodec.wanted(replicas, replicaMillis),
          publishedNanos,
          headers);
    }

    private void readId() throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> origin = in.readStringRequireUtf8();
          case 2 << 3 | WireFormat.WIRETYPE_FIXED64 -> incarnation = in.readFixed64();
          case 3 << 3 -> sequence = in.readUInt64();
          case 4 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> topic = in.readStringRequireUtf8();
          case 5 << 3 -> lane = in.readUInt32();
          default -> skip(tag);
        }
      }
      in.popLimit(outer);
    }

    private ByteBuffer readBytes() throws IOException {
      int bytes = in.readRawVarint32();
      int from = in.getTotalBytesRead();
      in.skipRawBytes(bytes); // Throws if fewer bytes are left.
      return frame.length > SMALL_FRAME_BYTES
          ? ByteBuffer.wrap(frame, from, bytes)
          : ByteBuffer.wrap(Arrays.copyOfRange(frame, from, from + bytes));
    }

    /** Skips a field of another version. */
    private void skip(int tag) throws IOException {
      if (!in.skipField(tag)) {
        throw new InvalidProtocolBufferException("a group ends that has no beginning");
      }
    }
  }
}
