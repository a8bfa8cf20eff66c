package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.SubscriptionBegan;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to messages: puts chunks together and hands messages to the handler. When the
 * stream breaks, the next one begins after what the handler has finished.
 */
final class MessageStream extends ReconnectingStream<SubscribeRequest, SubscribeResponse> {
  private final SubscribeOptions options;
  private final MessageHandler handler;
  private final MessageAssembler assembler;

  /** Where the subscription began; null until the agent has said so. Of the handler's thread. */
  private @Nullable Positions began;

  /** By stream, the last message that the handler has finished since. Of the handler's thread. */
  private final Map<String, MessageId> finished = new HashMap<>();

  /** What the next call begins after; null if as the first did. */
  private volatile @Nullable Positions resumeAfter;

  MessageStream(
      AgentConnection connection,
      ClientSettings settings,
      SubscribeOptions options,
      MessageHandler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        TreecastServiceGrpc.getSubscribeMethod(),
        handler,
        executor,
        AgentConnection.newBackoff(settings),
        onEnd);
    this.options = options;
    this.handler = handler;
    this.assembler = new MessageAssembler(settings.maxAssemblyBytes());
  }

  @Override
  SubscribeRequest request() {
    Positions resume = resumeAfter;
    return ToWire.subscribeRequest(
        resume == null ? options : options.withStart(new SubscriptionStart.After(resume)));
  }

  @Override
  void accept(SubscribeResponse event) {
    if (event.hasSubscribed()) {
      confirmed(event.getSubscribed().getNodeId());
    } else if (event.hasBegan()) {
      begin(event.getBegan());
    } else if (event.hasChunk()) {
      if (!isConfirmed()) {
        throw new TreecastException(
            Reason.PROTOCOL_VIOLATION,
            "the agent sent a chunk before it confirmed the subscription; check that client and"
                + " agent have the same version");
      }
      Message message = assembler.add(event.getChunk());
      if (message != null) {
        callHandler(() -> handler.onMessage(message));
        finished(message.messageId());
      }
    } else if (event.hasMissed()) {
      MissedMessages missed = FromWire.missed(event.getMissed());
      assembler.drop(missed.origin(), missed.incarnation(), missed.topic());
      callHandler(() -> handler.onMissed(missed));
      finished(missed.last());
    } else if (event.hasAbandoned()) {
      MessageId abandoned = FromWire.messageId(event.getAbandoned().getMessageId());
      assembler.drop(abandoned.origin(), abandoned.incarnation(), abandoned.topic());
    } else if (event.hasLive()) {
      callHandler(handler::onLive);
    }
  }

  private void begin(SubscriptionBegan event) {
    if (began != null) {
      return; // The stream goes on after an interruption.
    }
    List<MessageId> before = new ArrayList<>();
    event.getAfterList().forEach(message -> before.add(FromWire.messageId(message)));
    Positions asked =
        options.start() instanceof SubscriptionStart.After after
            ? after.positions()
            : Positions.of(0, List.of());
    Positions positions = asked.withBegin(event.getSinceVersion(), before);
    began = positions;
    callHandler(() -> handler.onBegan(positions));
  }

  private void finished(MessageId message) {
    finished.put(Positions.stream(message), message);
  }

  @Override
  void callLost() {
    assembler.clear();
    resumeAfter = began == null ? null : began.with(finished.values());
  }
}
