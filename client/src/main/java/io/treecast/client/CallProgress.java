package io.treecast.client;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * Tracks the certain facts about a call: whether the request may have left, whether it surely has,
 * and whether the status is the agent's own or was made up at this end. A status alone does not
 * tell: {@code UNAVAILABLE} is both "no tree" and "connection lost".
 *
 * <p>Between "may have left" and "surely left" is a call that waits on a connection: for an earlier
 * one to end, since agents limit the calls of a connection, or for the network to take more. It may
 * leave at any moment, but no answer comes while it waits.
 *
 * <p>gRPC's threads write, any thread reads.
 */
final class CallProgress extends ClientStreamTracer.Factory {
  private volatile boolean sent;
  private volatile boolean underWay;
  private volatile boolean taken;
  private volatile boolean answered;

  /** Returns whether the request reached a connection, so that the agent may have seen it. */
  boolean sent() {
    return sent;
  }

  /** Returns whether the network has taken the call. */
  boolean underWay() {
    return underWay;
  }

  /** Returns whether the agent has begun to answer. */
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
      // The agent did not process the call, which waits for a connection again.
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
