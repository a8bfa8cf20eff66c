package io.treecast.agent.transport.frame;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.ServerCalls.ServerStreamingMethod;
import io.treecast.agent.wire.DeliveredChunk;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The events for a subscriber that share a gRPC message: on the wire a {@link SubscribeResponse}.
 * Chunks are written when gRPC asks for them. Immutable.
 */
public final class SubscriberEvents {
  private static final Marshaller<SubscriberEvents> MARSHALLER =
      new Marshaller<>() {
        @Override
        public InputStream stream(SubscriberEvents events) {
          return events.stream();
        }

        @Override
        public SubscriberEvents parse(InputStream stream) {
          throw new UnsupportedOperationException("subscribers use the generated method");
        }
      };

  /** The method {@code Subscribe} with these events as its responses. */
  public static final MethodDescriptor<SubscribeRequest, SubscriberEvents> SUBSCRIBE =
      TreecastServiceGrpc.getSubscribeMethod().toBuilder(
              TreecastServiceGrpc.getSubscribeMethod().getRequestMarshaller(), MARSHALLER)
          .build();

  private final List<?> events;

  /**
   * Creates the events of a message.
   *
   * @param events each is a {@link DeliveredChunk} or a {@link SubscriptionEvent}
   */
  public SubscriberEvents(List<?> events) {
    this.events = List.copyOf(events);
  }

  /**
   * Returns the service for applications with {@link #SUBSCRIBE} instead of the generated method.
   */
  public static ServerServiceDefinition in(
      ServerServiceDefinition generated,
      ServerStreamingMethod<SubscribeRequest, SubscriberEvents> subscribe) {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(TreecastServiceGrpc.SERVICE_NAME)
            .setSchemaDescriptor(generated.getServiceDescriptor().getSchemaDescriptor())
            .addMethod(SUBSCRIBE);
    List<ServerMethodDefinition<?, ?>> others =
        generated.getMethods().stream().filter(each -> !isSubscribe(each)).toList();
    others.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder service =
        ServerServiceDefinition.builder(descriptor.build())
            .addMethod(SUBSCRIBE, ServerCalls.asyncServerStreamingCall(subscribe));
    others.forEach(service::addMethod);
    return service.build();
  }

  private static boolean isSubscribe(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getFullMethodName().equals(SUBSCRIBE.getFullMethodName());
  }

  /** Returns the events as an object of protobuf. */
  public SubscribeResponse toProto() {
    try {
      return SubscribeResponse.parseFrom(stream());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private InputStream stream() {
    return new OutgoingMessages(events, OutgoingMessages.bytes(events));
  }
}
