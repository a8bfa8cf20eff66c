package io.treecast.agent.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachBulk;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.BulkPiece;
import io.treecast.agent.core.message.DataMessage.BulkReady;
import io.treecast.agent.core.message.DataMessage.BulkTiming;
import io.treecast.agent.core.message.DataMessage.ClaimParcel;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.DataMessage.GroupParcel;
import io.treecast.agent.core.message.DataMessage.JoinData;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.core.message.DataMessage.Numbered;
import io.treecast.agent.core.message.DataMessage.SharedValue;
import io.treecast.agent.core.message.DataMessage.TimeOfRoot;
import io.treecast.agent.core.message.DataMessage.WantConnections;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.EdgeMessage.Replicated;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.DataFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Codec of data frames. Payloads are wrapped, not copied. */
public final class DataCodec {
  private static final ByteString PADDING =
      UnsafeByteOperations.unsafeWrap(new byte[AttachData.MAX_PADDING_BYTES]);

  private DataCodec() {}

  public static DataFrame encode(DataMessage message) {
    DataFrame.Builder frame = DataFrame.newBuilder();
    if (message instanceof Edge edge) {
      encode(edge.message(), frame);
    } else if (message instanceof Collective collective) {
      CollectiveCodec.encode(collective.message(), frame);
    } else if (message instanceof SharedValue value) {
      ValuesCodec.encode(value.message(), frame);
    } else if (message instanceof ClaimParcel parcel) {
      ClaimCodec.encode(parcel, frame.getClaimParcelBuilder());
    } else if (message instanceof TimeOfRoot timeOfRoot) {
      ClockCodec.encode(timeOfRoot, frame.getRootTimeBuilder());
    } else if (message instanceof GroupParcel groups) {
      GroupCodec.encode(groups.message(), frame);
    } else if (message instanceof AttachData attach) {
      encode(attach, frame.getAttachDataBuilder());
    } else if (message instanceof JoinData join) {
      encode(join.stream(), frame.getJoinDataBuilder().getStreamBuilder());
    } else if (message instanceof Numbered numbered) {
      frame.getNumberedBuilder().setNumber(numbered.number());
    } else if (message instanceof WantConnections wanted) {
      frame.getWantConnectionsBuilder().setCount(wanted.count());
    } else if (message instanceof AttachBulk attach) {
      frame
          .getAttachBulkBuilder()
          .setNodeId(attach.node().toString())
          .setIncarnation(attach.incarnation())
          .setSession(attach.session());
    } else if (message instanceof BulkReady) {
      frame.getBulkReadyBuilder();
    } else if (message instanceof BulkPiece piece) {
      frame
          .getBulkPieceBuilder()
          .setFollowing(piece.following())
          .setPayload(PayloadBytes.of(piece.payload()));
    } else if (message instanceof BulkTiming timing) {
      frame.getBulkTimingBuilder().setBytes(timing.bytes()).setNanos(timing.nanos());
    } else if (message instanceof Leave) {
      frame.getLeaveBuilder();
    } else {
      throw new IllegalArgumentException("no frame is defined for " + message);
    }
    return frame.build();
  }

  private static void encode(AttachData attach, io.treecast.proto.v1.AttachData.Builder encoded) {
    encoded
        .setNodeId(attach.node().toString())
        .setIncarnation(attach.incarnation())
        .setSession(attach.session())
        .setStream(attach.stream())
        .setPadding(PADDING.substring(0, attach.paddingBytes()));
  }

  private static void encode(EdgeMessage message, DataFrame.Builder frame) {
    if (message instanceof Data data) {
      encode(data.item(), frame);
    } else if (message instanceof Credit credit) {
      frame
          .getCreditBuilder()
          .setBytes(credit.bytes())
          .setWindowBytes(credit.windowBytes())
          .setChannel(encode(credit.channel()));
    } else if (message instanceof UnusedCredit unused) {
      frame.getUnusedCreditBuilder().setBytes(unused.bytes());
    } else if (message instanceof Attach attach) {
      frame.getAttachBuilder().setChannel(encode(attach.channel()));
    } else if (message instanceof Digest digest) {
      frame
          .getDigestBuilder()
          .setChannel(encode(digest.channel()))
          .setLast(digest.last())
          .addAllPositions(encode(digest.positions()));
    } else if (message instanceof Have have) {
      frame
          .getHaveBuilder()
          .setTreeVersion(have.treeVersion())
          .addAllPositions(encode(have.positions()))
          .setAwaitsAbsent(have.awaitsAbsent())
          .setBrieflyAbsent(have.brieflyAbsent());
    } else if (message instanceof Stable stable) {
      frame
          .getStableBuilder()
          .setTreeVersion(stable.treeVersion())
          .addAllPositions(encode(stable.positions()))
          .setRetained(stable.isRetained())
          .setBrieflyAbsent(stable.brieflyAbsent());
    } else if (message instanceof Delivered delivered) {
      encode(delivered, frame.getDeliveredBuilder());
    } else if (message instanceof Replicated replicated) {
      ReplicaCodec.encode(replicated, frame.getReplicatedBuilder());
    } else if (message instanceof Interest interest) {
      InterestCodec.encode(interest, frame.getInterestBuilder());
    } else if (message instanceof InterestKnown known) {
      InterestCodec.encode(known, frame.getInterestKnownBuilder());
    } else if (message instanceof OrderTail tail) {
      OrderCodec.encode(tail, frame.getOrderTailBuilder());
    } else if (message instanceof OrderNext next) {
      OrderCodec.encode(next, frame.getOrderNextBuilder());
    } else if (message instanceof Detach detach) {
      frame.getDetachBuilder().setChannel(encode(detach.channel()));
    } else {
      throw new IllegalArgumentException("no frame is defined for " + message);
    }
  }

  private static io.treecast.proto.v1.Channel encode(Channel channel) {
    return switch (channel) {
      case MESSAGES -> io.treecast.proto.v1.Channel.CHANNEL_UNSPECIFIED;
      case UPLOADS -> io.treecast.proto.v1.Channel.CHANNEL_UPLOADS;
    };
  }

  private static Channel decode(io.treecast.proto.v1.Channel channel) throws WireViolation {
    return switch (channel) {
      case CHANNEL_UNSPECIFIED -> Channel.MESSAGES;
      case CHANNEL_UPLOADS -> Channel.UPLOADS;
      case UNRECOGNIZED -> throw new WireViolation("unknown channel");
    };
  }

  private static void encode(Delivered delivered, io.treecast.proto.v1.Delivered.Builder encoded) {
    encoded
        .setMessageId(ValueCodec.encode(delivered.message()))
        .setReceiptMillis(delivered.receiptMillis());
    for (Receipt receipt : delivered.receipts()) {
      NodeId from = receipt.from();
      encoded
          .addReceiptsBuilder()
          .setMember(receipt.member().toString())
          .setFrom(from == null ? "" : from.toString())
          .setDeliveredNanos(receipt.deliveredNanos())
          .setErrorNanos(receipt.errorNanos())
          .setNever(receipt.outcome() == Receipt.Outcome.NEVER)
          .setWithoutSubscriber(receipt.outcome() == Receipt.Outcome.WITHOUT_SUBSCRIBER);
    }
  }

  static List<io.treecast.proto.v1.StreamPosition> encode(List<StreamPosition> positions) {
    List<io.treecast.proto.v1.StreamPosition> encoded = new ArrayList<>(positions.size());
    for (StreamPosition position : positions) {
      encoded.add(
          io.treecast.proto.v1.StreamPosition.newBuilder()
              .setOrigin(position.stream().origin().toString())
              .setIncarnation(position.stream().incarnation())
              .setTopic(position.stream().topic())
              .setLane(position.stream().lane())
              .setNext(encode(position.next()))
              .build());
    }
    return encoded;
  }

  private static void encode(LogItem item, DataFrame.Builder frame) {
    if (item instanceof Chunk chunk) {
      frame.setChunk(encode(chunk));
    } else if (item instanceof Gap gap) {
      encode(gap, frame.getGapBuilder());
    }
  }

  static void encode(Gap gap, io.treecast.proto.v1.Gap.Builder encoded) {
    encoded
        .setOrigin(gap.stream().origin().toString())
        .setIncarnation(gap.stream().incarnation())
        .setTopic(gap.stream().topic())
        .setLane(gap.stream().lane())
        .setFrom(encode(gap.from()))
        .setTo(encode(gap.to()))
        .setTreeVersion(gap.treeVersion());
  }

  private static io.treecast.proto.v1.Position encode(Position position) {
    return io.treecast.proto.v1.Position.newBuilder()
        .setSequence(position.sequence())
        .setIndex(position.index())
        .build();
  }

  public static io.treecast.proto.v1.Chunk encode(Chunk chunk) {
    io.treecast.proto.v1.Chunk.Builder encoded =
        io.treecast.proto.v1.Chunk.newBuilder()
            .setMessageId(ValueCodec.encode(chunk.messageId()))
            .setIndex(chunk.index())
            .setLast(chunk.last())
            .setTreeVersion(chunk.treeVersion())
            .setPayload(PayloadBytes.of(chunk.payload()))
            .setReceiptMillis(chunk.receiptMillis())
            .setAbandoned(chunk.abandoned())
            .setReplicas(chunk.replicas().count())
            .setReplicaMillis(chunk.replicas().millis())
            .setPublishedBytes(chunk.publishedBytes())
            .setPublishedNanos(chunk.publishedNanos())
            .setHeaders(PayloadBytes.of(chunk.headers()));
    if (chunk.crc32c() != Chunk.NO_CHECKSUM) {
      encoded.setCrc32C((int) chunk.crc32c());
    }
    return encoded.build();
  }

  /**
   * Decodes a frame. The array must not change afterwards, since payloads may be views of it.
   *
   * @param streams the recent streams of the frame's connection
   * @throws WireViolation if no agent of this version sends such a frame
   */
  public static DataMessage decode(byte[] frame, RecentStreams streams) throws WireViolation {
    try {
      Chunk chunk = ChunkFrame.decode(frame, streams);
      if (chunk != null) {
        return new Edge(new Data(chunk));
      }
      CodedInputStream in = UnsafeByteOperations.unsafeWrap(frame).newCodedInput();
      in.enableAliasing(frame.length > ChunkFrame.SMALL_FRAME_BYTES);
      return decode(DataFrame.parseFrom(in));
    } catch (IOException noProtobuf) {
      throw new WireViolation("malformed data frame");
    }
  }

  /**
   * Decodes a frame.
   *
   * @throws WireViolation if no agent of this version sends such a frame
   */
  public static DataMessage decode(DataFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case CHUNK -> new Edge(new Data(decode(frame.getChunk())));
      case GAP -> new Edge(new Data(decode(frame.getGap())));
      case CREDIT -> new Edge(decode(frame.getCredit()));
      case UNUSED_CREDIT ->
          new Edge(
              new UnusedCredit(
                  Bounds.positive(
                      "unused credit of %s bytes", frame.getUnusedCredit().getBytes())));
      case ATTACH -> new Edge(new Attach(decode(frame.getAttach().getChannel())));
      case DIGEST -> new Edge(decode(frame.getDigest()));
      case HAVE -> new Edge(decode(frame.getHave()));
      case STABLE -> new Edge(decode(frame.getStable()));
      case DELIVERED -> new Edge(decode(frame.getDelivered()));
      case REPLICATED -> new Edge(ReplicaCodec.decode(frame.getReplicated()));
      case INTEREST -> new Edge(InterestCodec.decode(frame.getInterest()));
      case INTEREST_KNOWN -> new Edge(InterestCodec.decode(frame.getInterestKnown()));
      case ORDER_TAIL -> new Edge(OrderCodec.decode(frame.getOrderTail()));
      case ORDER_NEXT -> new Edge(OrderCodec.decode(frame.getOrderNext()));
      case DETACH -> new Edge(new Detach(decode(frame.getDetach().getChannel())));
      case COLLECTIVE_CONTRIBUTION ->
          new Collective(CollectiveCodec.decode(frame.getCollectiveContribution()));
      case COLLECTIVE_ANSWER -> new Collective(CollectiveCodec.decode(frame.getCollectiveAnswer()));
      case COLLECTIVE_QUESTION ->
          new Collective(CollectiveCodec.decode(frame.getCollectiveQuestion()));
      case COLLECTIVE_MISSING ->
          new Collective(CollectiveCodec.decode(frame.getCollectiveMissing()));
      case COLLECTIVE_CHAIN_LEFT ->
          new Collective(CollectiveCodec.decode(frame.getCollectiveChainLeft()));
      case COLLECTIVE_CREDIT -> new Collective(CollectiveCodec.decode(frame.getCollectiveCredit()));
      case VALUES_SUMMARY -> new SharedValue(ValuesCodec.decode(frame.getValuesSummary()));
      case VALUES_DIGEST -> new SharedValue(ValuesCodec.decode(frame.getValuesDigest()));
      case VALUES_UPDATE -> new SharedValue(ValuesCodec.decode(frame.getValuesUpdate()));
      case VALUES_ACK -> new SharedValue(new ValuesMessage.Ack());
      case GROUP_WAKE -> new GroupParcel(new GroupMessage.Wake());
      case GROUP_REPORT -> new GroupParcel(GroupCodec.decode(frame.getGroupReport()));
      case GROUP_VIEW_UPDATE -> new GroupParcel(GroupCodec.decode(frame.getGroupViewUpdate()));
      case GROUP_LIST_REQUEST -> new GroupParcel(GroupCodec.decode(frame.getGroupListRequest()));
      case GROUP_LIST_ANSWER -> new GroupParcel(GroupCodec.decode(frame.getGroupListAnswer()));
      case CLAIM_PARCEL -> ClaimCodec.decode(frame.getClaimParcel());
      case ROOT_TIME -> ClockCodec.decode(frame.getRootTime());
      case ATTACH_DATA -> decode(frame.getAttachData());
      case JOIN_DATA -> new JoinData(decode(frame.getJoinData().getStream()));
      case NUMBERED ->
          new Numbered(Bounds.positive("part %s of uploads", frame.getNumbered().getNumber()));
      case WANT_CONNECTIONS ->
          new WantConnections(
              notNegative("%s wanted connections", frame.getWantConnections().getCount()));
      case ATTACH_BULK ->
          new AttachBulk(
              ValueCodec.nodeId(frame.getAttachBulk().getNodeId()),
              frame.getAttachBulk().getIncarnation(),
              frame.getAttachBulk().getSession());
      case BULK_READY -> new BulkReady();
      case BULK_PIECE -> decode(frame.getBulkPiece());
      case BULK_TIMING -> decode(frame.getBulkTiming());
      case LEAVE -> new Leave();
      case BODY_NOT_SET -> throw new WireViolation("data frame without a known body");
    };
  }

  private static int notNegative(String text, int value) throws WireViolation {
    return Bounds.within(text, value, 0, Integer.MAX_VALUE);
  }

  private static AttachData decode(io.treecast.proto.v1.AttachData attach) throws WireViolation {
    return new AttachData(
        ValueCodec.nodeId(attach.getNodeId()),
        attach.getIncarnation(),
        attach.getSession(),
        attach.getStream(),
        Bounds.within(
            "%s bytes of padding", attach.getPadding().size(), 0, AttachData.MAX_PADDING_BYTES));
  }

  private static BulkPiece decode(io.treecast.proto.v1.BulkPiece piece) throws WireViolation {
    return new BulkPiece(
        notNegative("%s pieces of a train", piece.getFollowing()),
        PayloadBytes.of(piece.getPayload()));
  }

  private static BulkTiming decode(io.treecast.proto.v1.BulkTiming timing) throws WireViolation {
    return new BulkTiming(
        Bounds.positive("train of %s bytes", timing.getBytes()),
        Bounds.within("train that took %s ns", timing.getNanos(), 0, Long.MAX_VALUE));
  }

  static Chunk decode(io.treecast.proto.v1.Chunk chunk) throws WireViolation {
    return chunk(
        ValueCodec.decode(chunk.getMessageId()),
        chunk.getIndex(),
        chunk.getLast(),
        chunk.getTreeVersion(),
        chunk.getPublishedBytes(),
        PayloadBytes.of(chunk.getPayload()),
        chunk.getReceiptMillis(),
        chunk.hasCrc32C() ? (Integer) chunk.getCrc32C() : null,
        chunk.getAbandoned(),
        ReplicaCodec.wanted(chunk.getReplicas(), chunk.getReplicaMillis()),
        chunk.getPublishedNanos(),
        PayloadBytes.of(chunk.getHeaders()));
  }

  /** Returns the chunk with these components, after checks. */
  static Chunk chunk(
      MessageId message,
      int index,
      boolean last,
      long treeVersion,
      long publishedBytes,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      boolean abandoned,
      WantedReplicas replicas,
      long publishedNanos,
      ByteBuffer headers)
      throws WireViolation {
    if (index < 0) {
      throw new WireViolation("chunk index beyond " + Integer.MAX_VALUE);
    }
    if (receiptMillis(receiptMillis) > 0 && !message.stream().mayAskForReceipts()) {
      throw new WireViolation("receipts are requested on topic '" + message.topic() + "'");
    }
    if (headers.remaining() > Headers.MAX_BYTES) {
      throw new WireViolation(
          headers.remaining() + " bytes of headers; allowed are " + Headers.MAX_BYTES);
    }
    if (!last && (crc32c != null || abandoned || headers.hasRemaining())) {
      throw new WireViolation(
          "chunk " + index + " has fields of a last chunk, and is not the last");
    }
    if (publishedBytes < 0) {
      throw new WireViolation("more bytes published before a chunk than " + Long.MAX_VALUE);
    }
    return new Chunk(
        message,
        index,
        last,
        treeVersion(treeVersion),
        publishedBytes,
        payload,
        receiptMillis,
        crc32c,
        abandoned,
        replicas,
        publishedNanos,
        headers.hasRemaining() ? new Headers(headers) : Headers.NONE);
  }

  private static int receiptMillis(int millis) throws WireViolation {
    return Bounds.within(
        "receipts are requested within %s ms", millis, 0, Chunk.MAX_RECEIPT_MILLIS);
  }

  private static Delivered decode(io.treecast.proto.v1.Delivered delivered) throws WireViolation {
    return new Delivered(
        ValueCodec.decode(delivered.getMessageId()),
        receiptMillis(delivered.getReceiptMillis()),
        Bounds.all(
            "receipts", delivered.getReceiptsList(), Delivered.MAX_RECEIPTS, DataCodec::decode));
  }

  private static Receipt decode(io.treecast.proto.v1.Receipt receipt) throws WireViolation {
    NodeId member = ValueCodec.nodeId(receipt.getMember());
    long errorNanos =
        Bounds.within(
            "error of %s ns in a receipt's time", receipt.getErrorNanos(), 0, Long.MAX_VALUE);
    if (receipt.getNever()) {
      return Receipt.never(member);
    }
    return new Receipt(
        member,
        receipt.getFrom().isEmpty() ? null : ValueCodec.nodeId(receipt.getFrom()),
        receipt.getDeliveredNanos(),
        errorNanos,
        receipt.getWithoutSubscriber()
            ? Receipt.Outcome.WITHOUT_SUBSCRIBER
            : Receipt.Outcome.HANDED_OVER);
  }

  static long treeVersion(long version) throws WireViolation {
    return Bounds.positive("tree version %s", version);
  }

  static Gap decode(io.treecast.proto.v1.Gap gap) throws WireViolation {
    Position from = decode(gap.getFrom());
    Position to = decode(gap.getTo());
    if (!from.isBefore(to)) {
      throw new WireViolation("gap from " + from + " to " + to + "; it is empty");
    }
    StreamId stream =
        ValueCodec.stream(gap.getOrigin(), gap.getIncarnation(), gap.getTopic(), gap.getLane());
    return new Gap(stream, from, to, treeVersion(gap.getTreeVersion()));
  }

  private static Position decode(io.treecast.proto.v1.Position position) throws WireViolation {
    if (position.getSequence() < 1 || position.getIndex() < 0) {
      throw new WireViolation(
          "position " + position.getSequence() + "." + position.getIndex() + "; the first is 1.0");
    }
    if (position.getSequence() > MessageId.MAX_SEQUENCE && position.getIndex() > 0) {
      throw new WireViolation(
          "position inside message "
              + position.getSequence()
              + "; the last is "
              + MessageId.MAX_SEQUENCE);
    }
    return new Position(position.getSequence(), position.getIndex());
  }

  private static Digest decode(io.treecast.proto.v1.Digest digest) throws WireViolation {
    return new Digest(
        decode(digest.getChannel()),
        decode("streams of a digest", digest.getPositionsList()),
        digest.getLast());
  }

  private static Have decode(io.treecast.proto.v1.Have have) throws WireViolation {
    return new Have(
        treeVersion(have.getTreeVersion()),
        decode("streams that a member has", have.getPositionsList()),
        have.getAwaitsAbsent(),
        brieflyAbsent(have.getBrieflyAbsent()));
  }

  private static Stable decode(io.treecast.proto.v1.Stable stable) throws WireViolation {
    return new Stable(
        treeVersion(stable.getTreeVersion()),
        decode("stable streams", stable.getPositionsList()),
        stable.getRetained(),
        brieflyAbsent(stable.getBrieflyAbsent()));
  }

  private static int brieflyAbsent(int members) throws WireViolation {
    return Bounds.within("%s briefly absent members", members, 0, BroadcastLimits.MAX_COUNT);
  }

  static List<StreamPosition> decode(String what, List<io.treecast.proto.v1.StreamPosition> encoded)
      throws WireViolation {
    return Bounds.all(what, encoded, Digest.MAX_POSITIONS, DataCodec::decode);
  }

  private static StreamPosition decode(io.treecast.proto.v1.StreamPosition position)
      throws WireViolation {
    return new StreamPosition(
        ValueCodec.stream(
            position.getOrigin(),
            position.getIncarnation(),
            position.getTopic(),
            position.getLane()),
        decode(position.getNext()));
  }

  private static Credit decode(io.treecast.proto.v1.Credit credit) throws WireViolation {
    long bytes = Bounds.positive("credit of %s bytes", credit.getBytes());
    return new Credit(
        decode(credit.getChannel()),
        bytes,
        Bounds.within("%s bytes of credit for the window", credit.getWindowBytes(), 0, bytes));
  }
}
