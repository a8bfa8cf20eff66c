package io.treecast.agent.runtime.application;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.treecast.proto.v1.TreecastServiceGrpc;

/**
 * Sends the headers of a subscription's response at once, because the first event may have to wait
 * for a tree. A client can so distinguish an agent without a tree from one that hangs. On gRPC's
 * threads.
 */
public final class EarlyResponseHeaders implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!call.getMethodDescriptor()
        .getFullMethodName()
        .equals(TreecastServiceGrpc.getSubscribeMethod().getFullMethodName())) {
      return next.startCall(call, headers);
    }
    call.sendHeaders(new Metadata());
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void sendHeaders(Metadata sentBefore) {}
        },
        headers);
  }
}
