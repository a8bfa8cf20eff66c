package io.treecast.agent.runtime.server;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.treecast.agent.transport.StreamDrops;
import io.treecast.proto.v1.PeerServiceGrpc;

/**
 * Counts streams of other agents that gRPC has ended because a frame was malformed or too large.
 * The handlers of these streams are not notified of that reason.
 */
final class UnreadableStreams extends ServerStreamTracer.Factory {
  private static final ServerStreamTracer IGNORING = new ServerStreamTracer() {};

  private final ServerStreamTracer counting;

  UnreadableStreams(StreamDrops drops) {
    counting =
        new ServerStreamTracer() {
          @Override
          public void streamClosed(Status status) {
            // Agents and broken networks do not end a stream with these codes.
            if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED
                || status.getCode() == Status.Code.INTERNAL) {
              drops.count(StreamDrops.Reason.INVALID_FRAME);
            }
          }
        };
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    return fullMethodName.startsWith(PeerServiceGrpc.SERVICE_NAME + "/") ? counting : IGNORING;
  }
}
