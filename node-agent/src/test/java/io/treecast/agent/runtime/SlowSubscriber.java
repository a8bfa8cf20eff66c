package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WhenSlow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Subscribes, and takes no message until told. */
final class SlowSubscriber extends ClientCall.Listener<SubscribeResponse> {
  final AtomicInteger messages = new AtomicInteger();
  final AtomicLong missed = new AtomicLong();

  private final ClientCall<SubscribeRequest, SubscribeResponse> call;
  private volatile boolean subscribed;

  SlowSubscriber(Channel channel, WhenSlow whenSlow) {
    call = channel.newCall(TreecastServiceGrpc.getSubscribeMethod(), CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.sendMessage(SubscribeRequest.newBuilder().setWhenSlow(whenSlow).build());
    call.halfClose();
    // The word that the subscription is in place, and nothing after it.
    call.request(1);
    await().atMost(PATIENCE).until(() -> subscribed);
  }

  void takeAll() {
    call.request(Integer.MAX_VALUE);
  }

  void goAway() {
    call.cancel("gone", null);
  }

  @Override
  public void onMessage(SubscribeResponse response) {
    subscribed = true;
    response.getEventsList().forEach(this::hear);
  }

  private void hear(SubscriptionEvent message) {
    if (message.hasChunk() && message.getChunk().getLast()) {
      messages.incrementAndGet();
    } else if (message.hasMissed()) {
      missed.addAndGet(
          message.getMissed().getLastSequence() - message.getMissed().getFirstSequence() + 1);
    }
  }
}
