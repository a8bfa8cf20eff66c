package io.treecast.agent.wire;

import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.List;

/** Codec of messages about the total order of topics. */
public final class OrderCodec {
  private OrderCodec() {}

  static void encode(OrderTail tail, io.treecast.proto.v1.OrderTail.Builder encoded) {
    encoded
        .setTreeVersion(tail.treeVersion())
        .setTopic(tail.topic())
        .addAllEntries(encode(tail.entries()))
        .setLast(tail.last());
    for (TreeEpoch epoch : tail.epochs()) {
      encoded.addEpochs(CollectiveCodec.encode(epoch));
    }
  }

  static void encode(OrderNext next, io.treecast.proto.v1.OrderNext.Builder encoded) {
    encoded
        .setTreeVersion(next.treeVersion())
        .setTopic(next.topic())
        .addAllEntries(encode(next.entries()));
  }

  private static List<io.treecast.proto.v1.OrderEntry> encode(List<OrderEntry> entries) {
    List<io.treecast.proto.v1.OrderEntry> encoded = new ArrayList<>(entries.size());
    for (OrderEntry entry : entries) {
      encoded.add(
          io.treecast.proto.v1.OrderEntry.newBuilder()
              .setPosition(encode(entry.position()))
              .setOrigin(entry.stream().origin().toString())
              .setIncarnation(entry.stream().incarnation())
              .setSequence(entry.sequence())
              .setLane(entry.stream().lane())
              .build());
    }
    return encoded;
  }

  public static io.treecast.proto.v1.OrderPosition encode(OrderPosition position) {
    return io.treecast.proto.v1.OrderPosition.newBuilder()
        .setEpoch(position.epoch())
        .setNumber(position.number())
        .build();
  }

  static OrderTail decode(io.treecast.proto.v1.OrderTail tail) throws WireViolation {
    if (tail.getEpochsCount() > OrderTail.MAX_EPOCHS) {
      throw new WireViolation(
          tail.getEpochsCount() + " epochs; allowed are " + OrderTail.MAX_EPOCHS);
    }
    List<TreeEpoch> epochs = new ArrayList<>(tail.getEpochsCount());
    for (io.treecast.proto.v1.TreeEpoch epoch : tail.getEpochsList()) {
      epochs.add(CollectiveCodec.decode(epoch));
    }
    return new OrderTail(
        version(tail.getTreeVersion()),
        ValueCodec.topic(tail.getTopic()),
        epochs,
        entries(tail.getTopic(), tail.getEntriesList()),
        tail.getLast());
  }

  static OrderNext decode(io.treecast.proto.v1.OrderNext next) throws WireViolation {
    return new OrderNext(
        version(next.getTreeVersion()),
        ValueCodec.topic(next.getTopic()),
        entries(next.getTopic(), next.getEntriesList()));
  }

  private static List<OrderEntry> entries(
      String topic, List<io.treecast.proto.v1.OrderEntry> encoded) throws WireViolation {
    if (encoded.size() > OrderNext.MAX_ENTRIES) {
      throw new WireViolation(
          encoded.size() + " order entries; allowed are " + OrderNext.MAX_ENTRIES);
    }
    List<OrderEntry> entries = new ArrayList<>(encoded.size());
    for (io.treecast.proto.v1.OrderEntry entry : encoded) {
      StreamId stream =
          ValueCodec.stream(entry.getOrigin(), entry.getIncarnation(), topic, entry.getLane());
      long sequence = entry.getSequence();
      if (sequence < 1 || sequence > MessageId.MAX_SEQUENCE) {
        throw new WireViolation(
            "order entry of message "
                + Long.toUnsignedString(sequence)
                + "; allowed are 1 to "
                + MessageId.MAX_SEQUENCE);
      }
      entries.add(new OrderEntry(decode(entry.getPosition()), stream, sequence));
    }
    return entries;
  }

  private static OrderPosition decode(io.treecast.proto.v1.OrderPosition position)
      throws WireViolation {
    if (position.getNumber() < 1) {
      throw new WireViolation("order number " + position.getNumber() + "; the first is 1");
    }
    return new OrderPosition(version(position.getEpoch()), position.getNumber());
  }

  private static long version(long version) throws WireViolation {
    if (version < 1) {
      throw new WireViolation("tree version " + version + "; the first is 1");
    }
    return version;
  }
}
