package io.treecast.agent.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The sockets of both ends of a call between real ports. */
@EnabledOnOs(OS.LINUX)
class LinuxTcpSocketTest {
  private final CompletableFuture<@Nullable LinuxTcpSocket> accepted = new CompletableFuture<>();
  private final CompletableFuture<@Nullable LinuxTcpSocket> dialed = new CompletableFuture<>();
  private volatile Attributes ofAccepted = Attributes.EMPTY;
  private Server server;
  private ManagedChannel channel;

  /** Answers each message. */
  private final class Answers extends PeerServiceGrpc.PeerServiceImplBase {
    @Override
    public StreamObserver<ControlRequest> control(StreamObserver<ControlResponse> responses) {
      return new StreamObserver<>() {
        @Override
        public void onNext(ControlRequest message) {
          accepted.complete(LinuxTcpSocket.ofCurrentThread(ofAccepted));
          responses.onNext(ControlResponse.getDefaultInstance());
        }

        @Override
        public void onError(Throwable lost) {
          // The test has ended.
        }

        @Override
        public void onCompleted() {
          responses.onCompleted();
        }
      };
    }
  }

  private final class Interceptor implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ofAccepted = call.getAttributes();
      return next.startCall(call, headers);
    }
  }

  @BeforeEach
  void call() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .intercept(new Interceptor())
            .addService(new Answers())
            .build()
            .start();
    channel =
        NettyChannelBuilder.forAddress(
                "127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    // A call that waits for the connection may hand its first message over on another thread.
    await().until(() -> channel.getState(true) == ConnectivityState.READY);
    ClientCall<ControlRequest, ControlResponse> call =
        channel.newCall(PeerServiceGrpc.getControlMethod(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(ControlResponse message) {
            dialed.complete(LinuxTcpSocket.ofCurrentThread(call.getAttributes()));
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage(ControlRequest.getDefaultInstance());
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
    server.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
  }

  private static LinuxTcpSocket found(CompletableFuture<@Nullable LinuxTcpSocket> future)
      throws Exception {
    LinuxTcpSocket socket = future.get(60, TimeUnit.SECONDS);
    assertThat(socket).isNotNull();
    return socket;
  }

  @Test
  void both_ends_know_their_round_trip_and_what_was_acknowledged() throws Exception {
    for (TcpSocket socket : new TcpSocket[] {found(dialed), found(accepted)}) {
      TcpSocket.Measurements measured = socket.measurements();
      assertThat(measured).isNotNull();
      assertThat(measured.ackedBytes()).isBetween(1L, 10_000L);
      assertThat(measured.minRttMicros()).isBetween(1L, 60_000_000L);
      assertThat(measured.smoothedRttMicros()).isGreaterThanOrEqualTo(measured.minRttMicros());
    }
  }

  @Test
  void the_system_takes_a_limit_and_its_end() throws Exception {
    LinuxTcpSocket socket = found(dialed);

    socket.limit(1_000_000);
    assertThat(socket.limitBytesPerSecond()).isEqualTo(1_000_000);

    socket.limit(TcpSocket.UNLIMITED);
    assertThat(socket.limitBytesPerSecond()).isEqualTo(TcpSocket.UNLIMITED);
  }

  @Test
  void a_closed_socket_measures_nothing_and_takes_any_limit() throws Exception {
    LinuxTcpSocket socket = found(dialed);
    stop();

    assertThat(socket.measurements()).isNull();
    socket.limit(1_000_000);
  }

  @Test
  void another_thread_has_no_socket() {
    assertThat(LinuxTcpSocket.ofCurrentThread(Attributes.EMPTY)).isNull();
  }
}
