package io.treecast.client;

import io.treecast.proto.v1.SubscribeRequest;

/** Turns this package's public types into what the agent is sent. */
final class ToWire {
  private ToWire() {}

  static SubscribeRequest subscribeRequest(SubscribeOptions options) {
    SubscribeRequest.Builder request =
        SubscribeRequest.newBuilder()
            .setWhenSlow(whenSlow(options.whenSlow()))
            .addAllTopics(options.topics())
            .setInTotalOrder(options.inTotalOrder());
    if (options.start() instanceof SubscriptionStart.After after) {
      request
          .setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_AFTER)
          .setSinceVersion(after.positions().sinceVersion());
      after.positions().messages().forEach(message -> request.addAfter(messageId(message)));
    } else if (options.start() instanceof SubscriptionStart.Retained) {
      request.setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_RETAINED);
    } else {
      request.setStart(io.treecast.proto.v1.SubscriptionStart.SUBSCRIPTION_START_NOW);
    }
    return request.build();
  }

  static io.treecast.proto.v1.MessageId messageId(MessageId id) {
    return io.treecast.proto.v1.MessageId.newBuilder()
        .setOrigin(id.origin())
        .setIncarnation(id.incarnation())
        .setTopic(id.topic())
        .setLane(id.lane())
        .setSequence(id.sequence())
        .build();
  }

  private static io.treecast.proto.v1.WhenSlow whenSlow(WhenSlow whenSlow) {
    return switch (whenSlow) {
      case SLOW_PUBLISHER -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_SLOW_PUBLISHER;
      case CATCH_UP -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_CATCH_UP;
      case GAP -> io.treecast.proto.v1.WhenSlow.WHEN_SLOW_GAP;
    };
  }
}
