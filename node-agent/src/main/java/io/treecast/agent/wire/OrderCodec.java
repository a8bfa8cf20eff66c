package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderNext;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
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
    return new OrderTail(
        DataCodec.treeVersion(tail.getTreeVersion()),
        ValueCodec.topic(tail.getTopic()),
        Bounds.all("epochs", tail.getEpochsList(), OrderTail.MAX_EPOCHS, CollectiveCodec::decode),
        entries(tail.getTopic(), tail.getEntriesList()),
        tail.getLast());
  }

  static OrderNext decode(io.treecast.proto.v1.OrderNext next) throws WireViolation {
    return new OrderNext(
        DataCodec.treeVersion(next.getTreeVersion()),
        ValueCodec.topic(next.getTopic()),
        entries(next.getTopic(), next.getEntriesList()));
  }

  private static List<OrderEntry> entries(
      String topic, List<io.treecast.proto.v1.OrderEntry> encoded) throws WireViolation {
    return Bounds.all(
        "order entries", encoded, OrderNext.MAX_ENTRIES, entry -> decode(topic, entry));
  }

  private static OrderEntry decode(String topic, io.treecast.proto.v1.OrderEntry entry)
      throws WireViolation {
    return new OrderEntry(
        decode(entry.getPosition()),
        ValueCodec.stream(entry.getOrigin(), entry.getIncarnation(), topic, entry.getLane()),
        Bounds.within("order entry of message %s", entry.getSequence(), 1, MessageId.MAX_SEQUENCE));
  }

  private static OrderPosition decode(io.treecast.proto.v1.OrderPosition position)
      throws WireViolation {
    return new OrderPosition(
        DataCodec.treeVersion(position.getEpoch()),
        Bounds.positive("order number %s", position.getNumber()));
  }
}
