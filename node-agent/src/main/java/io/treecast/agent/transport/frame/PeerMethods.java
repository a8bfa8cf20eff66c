package io.treecast.agent.transport.frame;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.ServerCalls.BidiStreamingMethod;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.InputStream;

/**
 * The methods of {@code PeerService} with a tolerant parser: malformed protobuf becomes a message
 * without body. gRPC would end such a call without notifying the handler of the reason; here the
 * stream rejects the frame, ends with a reason, and is counted.
 *
 * <p>Data frames are {@link Frames}, not protobuf objects. Stateless.
 */
public final class PeerMethods {
  /**
   * The maximum size of a frame: a message about a collective operation of all members of the
   * largest cluster.
   */
  public static final int MAX_FRAME_BYTES = 8 * 1024 * 1024;

  public static final MethodDescriptor<ControlRequest, ControlResponse> CONTROL =
      tolerant(
          PeerServiceGrpc.getControlMethod(),
          ControlRequest.getDefaultInstance(),
          ControlResponse.getDefaultInstance());

  public static final MethodDescriptor<Frames, Frames> DATA =
      ofFrames(PeerServiceGrpc.getDataMethod());

  public static final MethodDescriptor<Frames, Frames> UPLOADS =
      ofFrames(PeerServiceGrpc.getUploadsMethod());

  private PeerMethods() {}

  /**
   * Returns the service with these methods instead of the generated ones.
   *
   * @param data handles the calls of {@link #DATA}
   * @param uploads handles those of {@link #UPLOADS}
   */
  public static ServerServiceDefinition tolerant(
      ServerServiceDefinition generated,
      BidiStreamingMethod<Frames, Frames> data,
      BidiStreamingMethod<Frames, Frames> uploads) {
    ServiceDescriptor descriptor =
        ServiceDescriptor.newBuilder(PeerServiceGrpc.SERVICE_NAME)
            .setSchemaDescriptor(generated.getServiceDescriptor().getSchemaDescriptor())
            .addMethod(CONTROL)
            .addMethod(DATA)
            .addMethod(UPLOADS)
            .build();
    return ServerServiceDefinition.builder(descriptor)
        .addMethod(withHandlerOf(generated, CONTROL))
        .addMethod(DATA, ServerCalls.asyncBidiStreamingCall(data))
        .addMethod(UPLOADS, ServerCalls.asyncBidiStreamingCall(uploads))
        .build();
  }

  private static MethodDescriptor<Frames, Frames> ofFrames(MethodDescriptor<?, ?> method) {
    return method.toBuilder(Frames.MARSHALLER, Frames.MARSHALLER).build();
  }

  @SuppressWarnings("unchecked") // A method of that name has these types.
  private static <Q, R> ServerMethodDefinition<Q, R> withHandlerOf(
      ServerServiceDefinition generated, MethodDescriptor<Q, R> method) {
    ServerMethodDefinition<Q, R> definition =
        (ServerMethodDefinition<Q, R>) generated.getMethod(method.getFullMethodName());
    if (definition == null) {
      throw new IllegalArgumentException("no method " + method.getFullMethodName());
    }
    return ServerMethodDefinition.create(method, definition.getServerCallHandler());
  }

  private static <Q extends MessageLite, R extends MessageLite> MethodDescriptor<Q, R> tolerant(
      MethodDescriptor<Q, R> method, Q emptyRequest, R emptyResponse) {
    return method.toBuilder(
            new TolerantMarshaller<>(method.getRequestMarshaller(), emptyRequest),
            new TolerantMarshaller<>(method.getResponseMarshaller(), emptyResponse))
        .build();
  }

  private record TolerantMarshaller<T extends MessageLite>(Marshaller<T> strict, T unreadable)
      implements Marshaller<T> {
    @Override
    public InputStream stream(T value) {
      return strict.stream(value);
    }

    @Override
    @SuppressWarnings("unchecked") // The parser of a message makes messages of its type.
    public T parse(InputStream stream) {
      try {
        return (T) unreadable.getParserForType().parseFrom(stream);
      } catch (InvalidProtocolBufferException noProtobuf) {
        return unreadable;
      }
    }
  }
}
