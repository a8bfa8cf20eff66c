package io.treecast.agent.runtime.admin;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.agent.runtime.UnreadCall;
import io.treecast.agent.runtime.series.SeriesFiles;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ReadSeriesRequest;
import io.treecast.proto.v1.ReadSeriesResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that its reader does not take is held within a limit. */
class AdminEndpointTest {
  private static final NodeId PEER = NodeId.of("h2");
  private static final int POINTS = 9_000;
  private static final long MAX_UNREAD_BYTES = 500_000;

  @TempDir private Path directory;
  private SeriesFiles series;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void serve() throws Exception {
    series = SeriesFiles.in(directory, NodeId.of("h1"));
    for (int i = 0; i < POINTS; i++) {
      series.add(PEER, SeriesResource.RTT, new SeriesPoint(1_000_000_000_000L + i, 1_000 + i));
    }
    AdminEndpoint endpoint =
        new AdminEndpoint(
            new AdminSources(
                () -> CompletableFuture.failedFuture(new AssertionError("nobody asks for it")),
                (peer, metric) ->
                    CompletableFuture.failedFuture(new AssertionError("nor for this")),
                series,
                new TreeHistory(),
                () -> CompletableFuture.failedFuture(new AssertionError("nor for these")),
                () -> CompletableFuture.failedFuture(new AssertionError("nor for labels")),
                () -> CompletableFuture.failedFuture(new AssertionError("nor for groups")),
                path -> CompletableFuture.failedFuture(new AssertionError("nor for " + path)),
                System::nanoTime,
                System.nanoTime()),
            MAX_UNREAD_BYTES);
    server =
        NettyServerBuilder.forAddress(TestAgents.ANY_PORT.toSocketAddress())
            .directExecutor()
            .addService(endpoint)
            .build()
            .start();
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
            .usePlaintext()
            .flowControlWindow(1 << 16)
            .build();
  }

  @AfterEach
  void end() {
    channel.shutdownNow();
    server.shutdownNow();
    series.close();
  }

  private UnreadCall<ReadSeriesRequest, ReadSeriesResponse> unreadCall() {
    return new UnreadCall<>(
        channel,
        AdminServiceGrpc.getReadSeriesMethod(),
        ReadSeriesRequest.newBuilder().setPeer("h2").setResource("rtt").build());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answers_that_are_not_read_are_bounded_until_they_are_or_nobody_wants_them(boolean isRead)
      throws Exception {
    List<UnreadCall<ReadSeriesRequest, ReadSeriesResponse>> calls = new ArrayList<>();
    UnreadCall<ReadSeriesRequest, ReadSeriesResponse> last;
    do {
      last = unreadCall();
      calls.add(last);
      await().atMost(PATIENCE).until(last::hasAnswer);
    } while (!last.end().isDone() && calls.size() < 20);
    calls.remove(last);
    assertThat(calls).hasSizeBetween(2, 10);
    assertThat(last.end().join().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(last.end().join().getDescription()).contains(" 500000 ");

    for (UnreadCall<ReadSeriesRequest, ReadSeriesResponse> call : calls) {
      if (isRead) {
        assertThat(call.read()).isEqualTo(Status.OK);
      } else {
        call.cancel();
      }
    }

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(unreadCall().read()).isEqualTo(Status.OK));
  }
}
