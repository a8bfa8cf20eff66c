package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.Hello;
import io.treecast.proto.v1.PeerServiceGrpc;
import io.treecast.proto.v1.RefuseLink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid traffic on an agent's port ends its connection, is counted, and harms no other. */
class WireGarbageTest {
  private static final String SERVICE = "treecast.v1.PeerService/";
  private static final byte[] NO_PROTOBUF = {(byte) 0xff, (byte) 0xff, (byte) 0xff, 1, 2, 3};

  private final TestAgents agents = new TestAgents();
  private List<Agent> cluster = List.of();

  @BeforeEach
  void startCluster() {
    cluster = agents.startReadyCluster(2);
  }

  @AfterEach
  void theClusterIsUnharmed() {
    try {
      for (Agent agent : cluster) {
        AgentSnapshot snapshot = snapshot(agent);
        assertThat(snapshot.carriesBroadcasts()).isTrue();
        assertThat(snapshot.links()).allMatch(link -> link.session() == 1);
        assertThat(agent.stopped()).isNotDone();
      }
    } finally {
      agents.close();
    }
  }

  private Agent target() {
    return cluster.get(0);
  }

  private void awaitDropped(String reason, double count) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(agents.dropped("h1", reason)).isEqualTo(count));
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), target().address().port());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private static void readToTheEnd(Socket socket) throws IOException {
    byte[] rest = socket.getInputStream().readAllBytes();
    assertThat(rest.length).isLessThan(10_000);
  }

  @Test
  void bytes_that_are_not_http2_close_the_connection() throws IOException {
    byte[] garbage = new byte[1_000];
    new Random(1).nextBytes(garbage);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(garbage);
      readToTheEnd(socket);
    } catch (java.net.SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
    awaitDropped("invalid_connection", 1);
  }

  @Test
  void http1_closes_the_connection() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII));
      readToTheEnd(socket);
    } catch (java.net.SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
    awaitDropped("invalid_connection", 1);
  }

  @Test
  void a_connection_that_ends_without_a_byte_is_counted() throws IOException {
    connect().close();
    awaitDropped("invalid_connection", 1);
  }

  @Test
  void an_application_that_comes_and_goes_is_not_counted() {
    var channel = agents.channel(target());
    var unused =
        io.treecast.proto.v1.AdminServiceGrpc.newBlockingStub(channel)
            .getStatus(io.treecast.proto.v1.GetStatusRequest.getDefaultInstance());
    ((io.grpc.ManagedChannel) channel).shutdownNow();
    // A later stranger is counted: so the application was not.
    try {
      connect().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitDropped("invalid_connection", 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Control", "Data"})
  void malformed_protobuf_ends_the_stream(String method) {
    assertThat(send(method, NO_PROTOBUF).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    awaitDropped("invalid_frame", 1);
  }

  @ParameterizedTest
  @CsvSource({"Control,frame without a known body", "Data,no data frame"})
  void a_message_without_a_body_ends_the_stream_with_the_reason(String method, String reason) {
    Status status = send(method, new byte[0]);
    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains(reason);
    awaitDropped("invalid_frame", 1);
  }

  @Test
  void a_frame_with_a_bad_value_ends_the_stream_with_the_reason() {
    ControlRequest bad =
        ControlRequest.newBuilder()
            .setFrame(
                ControlFrame.newBuilder()
                    .setHello(
                        Hello.newBuilder()
                            .setNodeId("no spaces please")
                            .setAddress("a:1")
                            .setProtocolVersion((int) PeerMessage.PROTOCOL_VERSION)))
            .build();
    Status status = send("Control", bad.toByteArray());
    assertThat(status.getDescription()).startsWith("invalid frame: node id: ");
    awaitDropped("invalid_frame", 1);
  }

  @Test
  void an_agent_of_another_version_is_refused_and_both_report_what_to_do() {
    CompletableFuture<RefuseLink> refusal = new CompletableFuture<>();
    StreamObserver<ControlRequest> requests =
        PeerServiceGrpc.newStub(agents.channel(target()))
            .control(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ControlResponse response) {
                    refusal.complete(response.getFrame().getRefuseLink());
                  }

                  @Override
                  public void onError(Throwable error) {
                    refusal.completeExceptionally(error);
                  }

                  @Override
                  public void onCompleted() {
                    refusal.completeExceptionally(new AssertionError("ended without a word"));
                  }
                });
    Hello hello =
        Hello.newBuilder()
            .setNodeId("h9")
            .setAddress("there:1")
            .setCluster("another")
            .setProtocolVersion((int) PeerMessage.PROTOCOL_VERSION + 1)
            .build();
    requests.onNext(
        ControlRequest.newBuilder().setFrame(ControlFrame.newBuilder().setHello(hello)).build());

    RefuseLink refused = refusal.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    assertThat(refused.getCause()).isEqualTo(RefuseLink.Cause.CAUSE_OTHER_VERSION);
    assertThat(refused.getReason())
        .contains(
            "h1 at " + target().address(),
            "version " + PeerMessage.PROTOCOL_VERSION + " ",
            "h9 at there:1",
            "version " + (PeerMessage.PROTOCOL_VERSION + 1));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(agents.notices())
                    .filteredOn(notice -> notice.kind() == Notice.Kind.OTHER_VERSION)
                    .singleElement()
                    .matches(notice -> notice.text().endsWith(": " + refused.getReason())));
  }

  @Test
  void a_message_out_of_turn_ends_the_stream_and_is_counted_as_a_violation() {
    ControlRequest outOfTurn =
        ControlRequest.newBuilder()
            .setFrame(
                ControlFrame.newBuilder().setProbe(io.treecast.proto.v1.Probe.getDefaultInstance()))
            .build();
    send("Control", outOfTurn.toByteArray());
    awaitDropped("protocol_violation", 1);
  }

  @Test
  void a_data_stream_of_nobody_is_closed() {
    DataRequest attach =
        DataRequest.newBuilder()
            .addFrames(
                DataFrame.newBuilder()
                    .setAttachData(
                        io.treecast.proto.v1.AttachData.newBuilder().setNodeId("h2").setSession(1)))
            .build();
    assertThat(send("Data", attach.toByteArray()).isOk()).isTrue();
  }

  @Test
  void a_frame_that_is_too_large_ends_the_stream_and_is_counted() {
    send("Control", new byte[64 * 1024 * 1024]);
    awaitDropped("invalid_frame", 1);
  }

  @Test
  void an_address_that_makes_no_sense_is_one_that_cannot_be_reached() {
    // Announced by a would-be member; the agent has to live with dialing it.
    for (String address : List.of("not an address", "host:port", "[::1", "h:99999", ":", "x:0")) {
      String id = "m" + Math.floorMod(address.hashCode(), 1_000);
      AgentConfig config = agents.config(id, List.of(address));
      agents.start(TestAgents.listeningOn(config, config.listen(), TestAgents.ANY_PORT));
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(agents.notices())
                    .filteredOn(notice -> notice.kind() == Notice.Kind.SEEDS_SILENT)
                    .hasSize(6));
  }

  @Test
  void garbage_from_a_server_that_an_agent_dials_ends_the_stream_and_is_counted()
      throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(new Babbler())
            .build()
            .start();
    try {
      agents.start("d", "127.0.0.1:" + server.getPort());
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(agents.dropped("d", "invalid_frame"))
                      .as("it dials again and again")
                      .isGreaterThan(1));
    } finally {
      server.shutdownNow();
    }
  }

  /** Answers a Control stream with bytes that are not protobuf. */
  private static final class Babbler implements BindableService {
    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder("treecast.v1.PeerService")
          .addMethod(
              method("Control"),
              (ServerCall<byte[], byte[]> call, Metadata headers) -> {
                call.sendHeaders(new Metadata());
                call.sendMessage(NO_PROTOBUF);
                return new ServerCall.Listener<>() {};
              })
          .build();
    }
  }

  /** Opens a stream, sends one message, and waits for the end. */
  private Status send(String method, byte[] message) {
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call =
        agents.channel(target()).newCall(method(method), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(10);
    call.sendMessage(message);
    return end.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(SERVICE + name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
