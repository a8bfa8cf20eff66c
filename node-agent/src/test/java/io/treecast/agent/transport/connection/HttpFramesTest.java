package io.treecast.agent.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.BulkPiece;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.DataResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames of a call to an echoing server, behind a relay of bytes that reads them. */
class HttpFramesTest {
  private static final int DEFAULT_BYTES = 16_384;
  private static final int CONNECTION_PREFACE_BYTES = 24;
  private static final int DATA = 0;

  private final AtomicInteger largestDataFrame = new AtomicInteger();

  @Test
  void a_large_message_between_agents_crosses_in_frames_larger_than_the_default() throws Exception {
    echo(
        300_000,
        HttpFrames.accepted(InsecureServerCredentials.create()),
        HttpFrames.dialed(InsecureChannelCredentials.create()));

    assertThat(largestDataFrame.get()).isBetween(DEFAULT_BYTES + 1, 65_536);
  }

  /** Frames begin anywhere in the reads of the other end. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_383, 16_384, 65_535, 65_536, 65_537, 1_000_000, 3_000_001})
  void messages_of_each_size_come_out_as_they_went_in(int bytes) throws Exception {
    echo(
        bytes,
        HttpFrames.accepted(InsecureServerCredentials.create()),
        HttpFrames.dialed(InsecureChannelCredentials.create()));
  }

  @Test
  void another_end_need_not_have_such_frames() throws Exception {
    echo(
        300_000,
        InsecureServerCredentials.create(),
        HttpFrames.dialed(InsecureChannelCredentials.create()));

    assertThat(largestDataFrame.get()).isEqualTo(DEFAULT_BYTES);
  }

  /** Sends a small message and, after its answer, one of this size; compares the answers. */
  private void echo(int bytes, ServerCredentials accepted, ChannelCredentials dialed)
      throws Exception {
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), accepted)
            .addService(new Echo())
            .build()
            .start();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<?> relaying = threads.submit(() -> relay(relay, server.getPort(), threads));
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", relay.getLocalPort(), dialed).build();
      BlockingQueue<DataResponse> answers = new LinkedBlockingQueue<>();
      StreamObserver<DataRequest> call =
          PeerServiceGrpc.newStub(channel).data(new Answers(answers));
      call.onNext(message(10));
      assertThat(answers.poll(60, TimeUnit.SECONDS)).isNotNull();
      call.onNext(message(bytes));
      assertThat(answers.poll(60, TimeUnit.SECONDS))
          .isNotNull()
          .extracting(answer -> answer.getFrames(0))
          .isEqualTo(message(bytes).getFrames(0));
      channel.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
      relaying.get(60, TimeUnit.SECONDS);
    } finally {
      server.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
      threads.shutdownNow();
    }
  }

  private static DataRequest message(int bytes) {
    byte[] payload = new byte[bytes];
    new Random(bytes).nextBytes(payload);
    BulkPiece piece = BulkPiece.newBuilder().setPayload(ByteString.copyFrom(payload)).build();
    return DataRequest.newBuilder().addFrames(DataFrame.newBuilder().setBulkPiece(piece)).build();
  }

  /** Relays one connection until it ends. */
  private Void relay(ServerSocket relay, int port, ExecutorService threads) throws Exception {
    try (Socket from = relay.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var unused = threads.submit(() -> to.getInputStream().transferTo(from.getOutputStream()));
      relayFrames(
          new DataInputStream(from.getInputStream()), new DataOutputStream(to.getOutputStream()));
      return null;
    }
  }

  private void relayFrames(DataInputStream from, DataOutputStream to) throws IOException {
    to.write(from.readNBytes(CONNECTION_PREFACE_BYTES));
    for (int first = from.read(); first >= 0; first = from.read()) {
      int length = first << 16 | from.readUnsignedShort();
      int type = from.readUnsignedByte();
      byte[] rest = from.readNBytes(5 + length); // Flags, stream and payload.
      if (type == DATA) {
        largestDataFrame.accumulateAndGet(length, Math::max);
      }
      to.writeByte(first);
      to.writeShort(length);
      to.writeByte(type);
      to.write(rest);
      to.flush();
    }
  }

  private record Answers(BlockingQueue<DataResponse> answers)
      implements StreamObserver<DataResponse> {
    @Override
    public void onNext(DataResponse answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable end) {}

    @Override
    public void onCompleted() {}
  }

  private static final class Echo extends PeerServiceGrpc.PeerServiceImplBase {
    @Override
    public StreamObserver<DataRequest> data(StreamObserver<DataResponse> responses) {
      return new StreamObserver<>() {
        @Override
        public void onNext(DataRequest message) {
          responses.onNext(DataResponse.newBuilder().addAllFrames(message.getFramesList()).build());
        }

        @Override
        public void onError(Throwable end) {}

        @Override
        public void onCompleted() {}
      };
    }
  }
}
