package io.treecast.agent.wire;

import com.google.protobuf.UnsafeByteOperations;
import io.treecast.agent.core.DataMessage;
import io.treecast.agent.core.DataMessage.AttachData;
import io.treecast.agent.core.DataMessage.Credit;
import io.treecast.agent.core.DataMessage.Data;
import io.treecast.agent.core.DataMessage.Leave;
import io.treecast.collectives.Chunk;
import io.treecast.proto.v1.DataFrame;

/** Data frames. Payloads are wrapped, not copied. */
public final class DataCodec {
  private DataCodec() {}

  public static DataFrame encode(DataMessage message) {
    DataFrame.Builder frame = DataFrame.newBuilder();
    if (message instanceof Data data) {
      frame.setChunk(encode(data.chunk()));
    } else if (message instanceof Credit credit) {
      frame.getCreditBuilder().setBytes(credit.bytes());
    } else if (message instanceof AttachData attach) {
      frame
          .getAttachDataBuilder()
          .setNodeId(attach.node().toString())
          .setIncarnation(attach.incarnation())
          .setSession(attach.session());
    } else if (message instanceof Leave) {
      frame.getLeaveBuilder();
    }
    return frame.build();
  }

  public static io.treecast.proto.v1.Chunk encode(Chunk chunk) {
    return io.treecast.proto.v1.Chunk.newBuilder()
        .setMessageId(ValueCodec.encode(chunk.messageId()))
        .setIndex(chunk.index())
        .setLast(chunk.last())
        // Nobody writes to a chunk's payload once it is a chunk.
        .setPayload(UnsafeByteOperations.unsafeWrap(chunk.payload()))
        .build();
  }

  /**
   * What the frame says.
   *
   * @throws WireViolation if no agent of this version sends such a frame
   */
  public static DataMessage decode(DataFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case CHUNK -> new Data(decode(frame.getChunk()));
      case CREDIT -> decode(frame.getCredit());
      case ATTACH_DATA ->
          new AttachData(
              ValueCodec.nodeId(frame.getAttachData().getNodeId()),
              frame.getAttachData().getIncarnation(),
              frame.getAttachData().getSession());
      case LEAVE -> new Leave();
      case BODY_NOT_SET -> throw new WireViolation("data frame without a known body");
    };
  }

  private static Chunk decode(io.treecast.proto.v1.Chunk chunk) throws WireViolation {
    if (chunk.getIndex() < 0) {
      throw new WireViolation("chunk index beyond " + Integer.MAX_VALUE);
    }
    return new Chunk(
        ValueCodec.decode(chunk.getMessageId()),
        chunk.getIndex(),
        chunk.getLast(),
        chunk.getPayload().asReadOnlyByteBuffer());
  }

  private static Credit decode(io.treecast.proto.v1.Credit credit) throws WireViolation {
    if (credit.getBytes() < 1) {
      throw new WireViolation("credit of " + credit.getBytes() + " bytes; the least is 1");
    }
    return new Credit(credit.getBytes());
  }
}
