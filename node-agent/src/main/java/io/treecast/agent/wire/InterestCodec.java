package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.List;

/** Codec of messages about wanted topics. */
final class InterestCodec {
  private InterestCodec() {}

  static void encode(Interest interest, io.treecast.proto.v1.Interest.Builder encoded) {
    encoded
        .setTreeVersion(interest.treeVersion())
        .setNumber(interest.number())
        .addAllAdded(interest.added())
        .addAllRemoved(interest.removed())
        .setAsks(interest.asks())
        .setAsksOfDefaultTopic(interest.asksOfDefaultTopic())
        .setLast(interest.last());
  }

  static void encode(InterestKnown known, io.treecast.proto.v1.InterestKnown.Builder encoded) {
    encoded
        .setNumber(known.number())
        .addAllEnds(DataCodec.encode(known.positions()))
        .setLast(known.last());
    known.forgotten().forEach(gap -> DataCodec.encode(gap, encoded.addForgottenBuilder()));
  }

  static Interest decode(io.treecast.proto.v1.Interest interest) throws WireViolation {
    if (interest.getAsksOfDefaultTopic() && !interest.getAsks()) {
      throw new WireViolation("interest asks about the default topic, and requests no answer");
    }
    return new Interest(
        DataCodec.treeVersion(interest.getTreeVersion()),
        number(interest.getNumber()),
        topics(interest.getAddedList()),
        topics(interest.getRemovedList()),
        interest.getAsks(),
        interest.getAsksOfDefaultTopic(),
        interest.getLast());
  }

  private static long number(long number) throws WireViolation {
    return Bounds.positive("interest %s", number);
  }

  private static List<String> topics(List<String> names) throws WireViolation {
    return Bounds.all("topics of interest", names, Interest.MAX_TOPICS, InterestCodec::topic);
  }

  private static String topic(String name) throws WireViolation {
    if (name.isEmpty()) {
      throw new WireViolation("interest in the default topic, which is always wanted");
    }
    if (Topic.isSelection(Topic.isOrder(name) ? Topic.ofOrder(name) : name)) {
      throw new WireViolation("interest in a selection, whose receivers are known");
    }
    return Topic.isOrder(name)
        ? Topic.orderOf(ValueCodec.topic(Topic.ofOrder(name)))
        : ValueCodec.topic(name);
  }

  static InterestKnown decode(io.treecast.proto.v1.InterestKnown known) throws WireViolation {
    return new InterestKnown(
        number(known.getNumber()),
        DataCodec.decode("streams of an answer", known.getEndsList()),
        Bounds.all(
            "forgotten streams", known.getForgottenList(), Digest.MAX_POSITIONS, DataCodec::decode),
        known.getLast());
  }
}
