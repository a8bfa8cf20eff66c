package io.treecast.agent.transport.frame;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.DataResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The methods of {@code PeerService}, parsed tolerantly: malformed protobuf arrives as a message
 * without body. gRPC itself would end such a call without telling its handler why; so the stream
 * finds that the frame has no body, ends with a reason, and is counted.
 *
 * <p>A data frame is copied from the network's memory into one array, and its payload is a view of
 * that array, from which a relay sends it on. Frames that travel together are copied into an array
 * each, so that a retained one does not retain the others; of small frames only the payload is
 * copied, so that it does not retain its frame. More frames than agents send together count as
 * malformed, too. Stateless.
 */
public final class PeerMethods {
  /**
   * Largest frame: a message about a collective operation of all members of the largest cluster.
   */
  public static final int MAX_FRAME_BYTES = 8 * 1024 * 1024;

  public static final MethodDescriptor<ControlRequest, ControlResponse> CONTROL =
      tolerant(
          PeerServiceGrpc.getControlMethod(),
          ControlRequest.getDefaultInstance(),
          ControlResponse.getDefaultInstance());

  public static final MethodDescriptor<DataRequest, DataResponse> DATA =
      ofFrames(PeerServiceGrpc.getDataMethod());

  public static final MethodDescriptor<DataRequest, DataResponse> UPLOADS =
      ofFrames(PeerServiceGrpc.getUploadsMethod());

  private PeerMethods() {}

  /** Returns the service with these methods instead of the generated ones. */
  public static ServerServiceDefinition tolerant(ServerServiceDefinition generated) {
    ServiceDescriptor descriptor =
        ServiceDescriptor.newBuilder(PeerServiceGrpc.SERVICE_NAME)
            .setSchemaDescriptor(generated.getServiceDescriptor().getSchemaDescriptor())
            .addMethod(CONTROL)
            .addMethod(DATA)
            .addMethod(UPLOADS)
            .build();
    return ServerServiceDefinition.builder(descriptor)
        .addMethod(withHandlerOf(generated, CONTROL))
        .addMethod(withHandlerOf(generated, DATA))
        .addMethod(withHandlerOf(generated, UPLOADS))
        .build();
  }

  private static MethodDescriptor<DataRequest, DataResponse> ofFrames(
      MethodDescriptor<DataRequest, DataResponse> method) {
    return method.toBuilder(
            new FramesMarshaller<>(
                method.getRequestMarshaller(),
                frames -> DataRequest.newBuilder().addAllFrames(frames).build()),
            new FramesMarshaller<>(
                method.getResponseMarshaller(),
                frames -> DataResponse.newBuilder().addAllFrames(frames).build()))
        .build();
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

  /** Marshals messages that have frames and no other known field. */
  private record FramesMarshaller<T>(Marshaller<T> strict, Function<List<DataFrame>, T> of)
      implements Marshaller<T> {
    private static final int FRAMES_TAG = DataRequest.FRAMES_FIELD_NUMBER << 3 | 2;

    /** Only bytes read ahead of a frame are copied twice. */
    private static final int READ_AHEAD_BYTES = 512;

    /** Up to this the rest of a frame may take more than its payload, which is copied then. */
    private static final int SMALL_FRAME_BYTES = 1_024;

    @Override
    public InputStream stream(T value) {
      return strict.stream(value);
    }

    @Override
    public T parse(InputStream stream) {
      List<DataFrame> frames = new ArrayList<>();
      try {
        CodedInputStream in = CodedInputStream.newInstance(stream, READ_AHEAD_BYTES);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          if (tag == FRAMES_TAG) {
            // An empty frame takes two bytes on the network, and a hundred times that here.
            if (frames.size() == BatchSize.MOST_MESSAGES) {
              return of.apply(List.of());
            }
            frames.add(frame(in.readRawBytes(in.readRawVarint32())));
          } else if (!in.skipField(tag)) {
            return of.apply(List.of());
          }
        }
        return of.apply(frames);
      } catch (InvalidProtocolBufferException noProtobuf) {
        return of.apply(List.of());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static DataFrame frame(byte[] bytes) throws IOException {
      CodedInputStream in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
      in.enableAliasing(bytes.length > SMALL_FRAME_BYTES);
      return DataFrame.parseFrom(in);
    }
  }
}
