package io.treecast.agent.wire;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.proto.v1.MissedMessages;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscriptionBegan;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Codec of a subscriber's request, and of its events other than chunks. */
public final class SubscriptionCodec {
  private SubscriptionCodec() {}

  public static SubscribeOptions decode(SubscribeRequest request) throws WireViolation {
    Set<String> topics =
        request.getTopicsCount() == 0
            ? Set.of(Topic.DEFAULT)
            : new TreeSet<>(request.getTopicsList());
    SubscriptionStart start = start(request);
    WhenSlow whenSlow = whenSlow(request);
    return Bounds.checked(
        "",
        () ->
            new SubscribeOptions(
                start, whenSlow, new TreeSet<>(topics), request.getInTotalOrder()));
  }

  private static SubscriptionStart start(SubscribeRequest request) throws WireViolation {
    return switch (request.getStart()) {
      case SUBSCRIPTION_START_UNSPECIFIED, SUBSCRIPTION_START_NOW -> new SubscriptionStart.Now();
      case SUBSCRIPTION_START_RETAINED -> new SubscriptionStart.Retained();
      case SUBSCRIPTION_START_AFTER -> after(request);
      case UNRECOGNIZED ->
          throw new WireViolation(
              "start " + request.getStartValue() + " is not known; is the client newer?");
    };
  }

  private static SubscriptionStart after(SubscribeRequest request) throws WireViolation {
    List<MessageId> messages =
        Bounds.all("messages", request.getAfterList(), Integer.MAX_VALUE, ValueCodec::decode);
    return Bounds.checked("", () -> new SubscriptionStart.After(messages));
  }

  private static WhenSlow whenSlow(SubscribeRequest request) throws WireViolation {
    return switch (request.getWhenSlow()) {
      case WHEN_SLOW_UNSPECIFIED, WHEN_SLOW_SLOW_PUBLISHER -> WhenSlow.SLOW_PUBLISHER;
      case WHEN_SLOW_CATCH_UP -> WhenSlow.CATCH_UP;
      case WHEN_SLOW_GAP -> WhenSlow.GAP;
      case UNRECOGNIZED ->
          throw new WireViolation(
              "when_slow " + request.getWhenSlowValue() + " is not known; is the client newer?");
    };
  }

  public static SubscriptionBegan encode(List<MessageId> after) {
    SubscriptionBegan.Builder began = SubscriptionBegan.newBuilder();
    after.forEach(message -> began.addAfter(ValueCodec.encode(message)));
    return began.build();
  }

  public static MissedMessages encode(Gap gap, MissedReason reason) {
    return MissedMessages.newBuilder()
        .setOrigin(gap.stream().origin().toString())
        .setIncarnation(gap.stream().incarnation())
        .setTopic(gap.stream().topic())
        .setLane(gap.stream().lane())
        .setFirstSequence(gap.firstMissed())
        .setLastSequence(gap.lastMissed())
        .setReason(encode(reason))
        .build();
  }

  private static io.treecast.proto.v1.MissedReason encode(MissedReason reason) {
    return switch (reason) {
      case AGENT_AWAY -> io.treecast.proto.v1.MissedReason.MISSED_REASON_AGENT_AWAY;
      case NOT_RETAINED -> io.treecast.proto.v1.MissedReason.MISSED_REASON_NOT_RETAINED;
      case SKIPPED -> io.treecast.proto.v1.MissedReason.MISSED_REASON_SKIPPED;
    };
  }
}
