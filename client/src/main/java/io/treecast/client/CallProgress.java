package io.treecast.client;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * Tracks the known facts about a call: whether the request may have been sent, whether it was sent
 * for certain, and whether the status comes from the agent or from this end. A status alone is not
 * sufficient: {@code UNAVAILABLE} means both "no tree" and "connection lost".
 *
 * <p>A call that "may have been sent" but was not for certain waits on a connection: for an earlier
 * call to end, since agents limit the calls of a connection, or for the network to accept more. It
 * may be sent at any moment, but there is no answer while it waits.
 *
 * <p>gRPC's threads write, any thread reads.
 */
final class CallProgress extends ClientStreamTracer.Factory {
  private volatile boolean sent;
  private volatile boolean underWay;
  private volatile boolean taken;
  private volatile boolean answered;

  /**
   * Returns whether the call was assigned to a connection, so that the agent may have received the
   * request.
   */
  boolean sent() {
    return sent;
  }

  /** Returns whether the network has accepted the request. */
  boolean underWay() {
    return underWay;
  }

  /** Returns whether the agent has started to answer. */
  boolean taken() {
    return taken;
  }

  /** Returns whether the agent itself ended the call. */
  boolean answered() {
    return answered;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    if (info.isTransparentRetry()) {
      // The agent has not processed the call, which waits for a connection again.
      sent = false;
      underWay = false;
      taken = false;
    }
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transportAttributes, Metadata requestHeaders) {
        sent = true;
      }

      @Override
      public void outboundHeaders() {
        underWay = true;
      }

      @Override
      public void inboundHeaders() {
        taken = true;
      }

      @Override
      public void inboundTrailers(Metadata trailers) {
        answered = true;
      }
    };
  }
}
