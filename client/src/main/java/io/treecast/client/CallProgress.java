package io.treecast.client;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * What is certain about a call that failed: whether the request may have left, and whether the
 * status is the agent's own word or was made up at this end. A status alone does not tell: {@code
 * UNAVAILABLE} is both "no tree" and "connection lost".
 *
 * <p>gRPC's threads write, any thread reads.
 */
final class CallProgress extends ClientStreamTracer.Factory {
  private volatile boolean sent;
  private volatile boolean answered;

  /** Whether the request reached a connection, so that the agent may have seen it. */
  boolean sent() {
    return sent;
  }

  /** Whether the agent itself ended the call. */
  boolean answered() {
    return answered;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transportAttributes, Metadata requestHeaders) {
        sent = true;
      }

      @Override
      public void inboundTrailers(Metadata trailers) {
        answered = true;
      }
    };
  }
}
