package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A subscription to messages: puts chunks together and hands messages to the handler. */
final class MessageStream extends ReconnectingStream<SubscribeRequest, SubscribeResponse> {
  private final MessageHandler handler;
  private final MessageAssembler assembler;

  MessageStream(
      AgentConnection connection,
      ClientSettings settings,
      MessageHandler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        TreecastServiceGrpc.getSubscribeMethod(),
        SubscribeRequest.getDefaultInstance(),
        handler,
        executor,
        AgentConnection.newBackoff(settings),
        onEnd);
    this.handler = handler;
    this.assembler = new MessageAssembler(settings.maxAssemblyBytes());
  }

  @Override
  void accept(SubscribeResponse event) {
    if (event.hasSubscribed()) {
      confirmed(event.getSubscribed().getNodeId());
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
      }
    } else if (event.hasMissed()) {
      MissedMessages missed = FromWire.missed(event.getMissed());
      assembler.drop(missed.origin(), missed.incarnation());
      callHandler(() -> handler.onMissed(missed));
    } else if (event.hasAbandoned()) {
      MessageId abandoned = FromWire.messageId(event.getAbandoned().getMessageId());
      assembler.drop(abandoned.origin(), abandoned.incarnation());
    }
  }

  @Override
  void callLost() {
    assembler.clear();
  }
}
