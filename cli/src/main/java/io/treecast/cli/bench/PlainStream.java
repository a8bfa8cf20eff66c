package io.treecast.cli.bench;

import com.google.protobuf.ByteString;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.cli.console.CommandFailure;
import io.treecast.proto.v1.Chunk;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.DataResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The baseline: gRPC messages of the generated code without an agent, over one stream or along a
 * line of {@link PlainRelay}s. A message has the size of a chunk with the payload, or of a piece of
 * a payload that is too large for a message. gRPC's flow control is the only one. Runs on network
 * threads.
 */
final class PlainStream {
  private static final int PIECE_BYTES = 1 << 20;

  /** The bytes of a message beside its payload. */
  private static final int OVERHEAD_BYTES = 1 << 10;

  private final int messageBytes;
  private final ArrivalMeter meter = new ArrivalMeter();
  private final List<Server> servers = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  private PlainStream(int messageBytes) {
    this.messageBytes = messageBytes;
  }

  /** Measures the throughput behind a number of relays. */
  static Throughput measure(int payloadBytes, int relays, int seconds) throws InterruptedException {
    int bytes = payloadBytes > BroadcastLoad.MAX_WHOLE_BYTES ? PIECE_BYTES : payloadBytes;
    PlainStream line = new PlainStream(bytes);
    try {
      int port = line.serve(new Receiver(bytes, line.meter));
      for (int i = 0; i < relays; i++) {
        port = line.serve(new PlainRelay(line.dial(port), bytes, line.meter));
      }
      var unused =
          PeerServiceGrpc.newStub(line.dial(port)).data(new Sender(message(bytes), line.meter));
      return line.meter.measure(payloadBytes, seconds);
    } finally {
      line.end();
    }
  }

  /** Starts a server and returns its port. */
  private int serve(BindableService service) {
    try {
      Server server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .directExecutor()
              .maxInboundMessageSize(messageBytes + OVERHEAD_BYTES)
              .addService(service)
              .build()
              .start();
      servers.add(server);
      return server.getPort();
    } catch (IOException e) {
      throw CommandFailure.failed("no free port of the loopback address (" + e.getMessage() + ")");
    }
  }

  private ManagedChannel dial(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .directExecutor()
            .build();
    channels.add(channel);
    return channel;
  }

  private void end() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
    for (Server server : servers) {
      server.awaitTermination();
    }
  }

  private static DataRequest message(int payloadBytes) {
    Chunk chunk =
        Chunk.newBuilder().setPayload(ByteString.copyFrom(new byte[payloadBytes])).build();
    return DataRequest.newBuilder().addFrames(DataFrame.newBuilder().setChunk(chunk)).build();
  }

  private static final class Receiver extends PeerServiceGrpc.PeerServiceImplBase {
    private final int messageBytes;
    private final ArrivalMeter meter;

    Receiver(int messageBytes, ArrivalMeter meter) {
      this.messageBytes = messageBytes;
      this.meter = meter;
    }

    @Override
    public StreamObserver<DataRequest> data(StreamObserver<DataResponse> responses) {
      return new StreamObserver<>() {
        @Override
        public void onNext(DataRequest message) {
          meter.arrived(messageBytes);
        }

        @Override
        public void onError(Throwable end) {
          // The measurement has ended.
        }

        @Override
        public void onCompleted() {}
      };
    }
  }

  /** Sends whenever the stream is ready. */
  private static final class Sender implements ClientResponseObserver<DataRequest, DataResponse> {
    private final DataRequest message;
    private final ArrivalMeter meter;

    Sender(DataRequest message, ArrivalMeter meter) {
      this.message = message;
      this.meter = meter;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<DataRequest> out) {
      out.setOnReadyHandler(
          () -> {
            while (out.isReady()) {
              out.onNext(message);
            }
          });
    }

    @Override
    public void onNext(DataResponse none) {}

    @Override
    public void onError(Throwable error) {
      meter.failed(String.valueOf(error.getMessage()));
    }

    @Override
    public void onCompleted() {}
  }
}
