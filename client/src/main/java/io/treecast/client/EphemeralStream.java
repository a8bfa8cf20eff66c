package io.treecast.client;

import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WriteValueRequest;
import io.treecast.proto.v1.WriteValueResponse;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call that holds an ephemeral entry, and writes it again after each interruption. */
final class EphemeralStream extends ReconnectingStream<WriteValueRequest, WriteValueResponse> {
  private final WriteValueRequest request;

  EphemeralStream(
      AgentConnection connection,
      WriteValueRequest request,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        ValuesServiceGrpc.getHoldValueMethod(),
        new ConnectionListener() {},
        executor,
        connection.newBackoff(),
        onEnd);
    this.request = request;
  }

  @Override
  WriteValueRequest request() {
    return request;
  }

  @Override
  TreecastException unanswered(String asked, @Nullable String moreTime) {
    return silent(asked, moreTime);
  }

  @Override
  void accept(WriteValueResponse event) {
    confirmed(event.getNodeId());
  }

  @Override
  void callLost(String what) {}
}
