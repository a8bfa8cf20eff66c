package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.DataResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A neighbour that keeps its connection alive, and reads nothing of a data stream. */
class UnreadDataTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CHUNK_BYTES = 256 << 10;

  /** Twice what may wait. */
  private static final int CHUNKS = 2 * GrpcTransport.MIN_UNSENT_DATA_BYTES / CHUNK_BYTES;

  private TransportNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TransportNode("a", null);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** As many as may wait, and as many again. */
  private void sendMuch(Connection<DataMessage> connection) throws InterruptedException {
    ByteBuffer payload = ByteBuffer.allocate(CHUNK_BYTES);
    for (int i = 1; i <= CHUNKS; i++) {
      MessageId id = new MessageId(NodeId.of("a"), 1, i);
      CountDownLatch sent = new CountDownLatch(1);
      node.execute(
          () -> {
            connection.send(new Edge(new Data(new Chunk(id, 0, true, 1, payload.duplicate()))));
            sent.countDown();
          });
      assertThat(sent.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private void assertGivenUp() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(node.events())
                    .last()
                    .asString()
                    .startsWith("data closed: ")
                    .contains("67108864"));
    assertThat(node.drops.counted(StreamDrops.Reason.SEND_QUEUE_FULL)).isEqualTo(1);
  }

  @Test
  void one_that_has_dialed_is_given_up() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forTarget(node.address()).usePlaintext().directExecutor().build();
    try {
      ClientCall<DataRequest, DataResponse> call =
          channel.newCall(PeerServiceGrpc.getDataMethod(), CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {}, new Metadata());
      await().atMost(PATIENCE).until(() -> node.events().contains("data accepted"));

      sendMuch(node.data());

      assertGivenUp();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void one_that_was_dialed_is_given_up_and_what_waits_for_it_is_forgotten() throws Exception {
    CompletableFuture<Boolean> called = new CompletableFuture<>();
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(new ReadsNothing(called, cancelled))
            .build()
            .start();
    try {
      Connection<DataMessage> connection = node.dialData("127.0.0.1:" + server.getPort());
      assertThat(called.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

      sendMuch(connection);

      assertGivenUp();
      assertThat(cancelled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      server.shutdownNow();
    }
  }

  private static final class ReadsNothing extends PeerServiceGrpc.PeerServiceImplBase {
    private final CompletableFuture<Boolean> called;
    private final CompletableFuture<Boolean> cancelled;

    ReadsNothing(CompletableFuture<Boolean> called, CompletableFuture<Boolean> cancelled) {
      this.called = called;
      this.cancelled = cancelled;
    }

    @Override
    public StreamObserver<DataRequest> data(StreamObserver<DataResponse> responses) {
      ServerCallStreamObserver<DataResponse> out =
          (ServerCallStreamObserver<DataResponse>) responses;
      out.disableAutoRequest();
      called.complete(true);
      out.setOnCancelHandler(() -> cancelled.complete(true));
      return new StreamObserver<>() {
        @Override
        public void onNext(DataRequest request) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
      };
    }
  }
}
