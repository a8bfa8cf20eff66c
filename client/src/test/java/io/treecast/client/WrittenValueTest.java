package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.ValueChange;
import io.treecast.proto.v1.ValuesServiceGrpc;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WatchValuesResponse;
import io.treecast.proto.v1.WriteValueRequest;
import io.treecast.proto.v1.WriteValueResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The outcome of a write or a read as the client reports it. */
class WrittenValueTest {
  private volatile Consumer<StreamObserver<WriteValueResponse>> agent = answer -> {};
  private volatile Consumer<StreamObserver<WatchValuesResponse>> reads = answer -> {};
  private final List<ServerCallStreamObserver<WriteValueResponse>> held =
      new CopyOnWriteArrayList<>();
  private Server server;
  private Treecast client;
  private Treecast impatient;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server =
        InProcessServerBuilder.forName(name)
            .addService(
                new ValuesServiceGrpc.ValuesServiceImplBase() {
                  @Override
                  public void writeValue(
                      WriteValueRequest request, StreamObserver<WriteValueResponse> response) {
                    agent.accept(response);
                  }

                  @Override
                  public void holdValue(
                      WriteValueRequest request, StreamObserver<WriteValueResponse> response) {
                    var call = (ServerCallStreamObserver<WriteValueResponse>) response;
                    call.setOnCancelHandler(() -> {});
                    held.add(call);
                  }

                  @Override
                  public void watchValues(
                      WatchValuesRequest request, StreamObserver<WatchValuesResponse> response) {
                    reads.accept(response);
                  }
                })
            .build()
            .start();
    client = Treecast.inProcess(name).connect();
    impatient = Treecast.inProcess(name).defaultWait(Duration.ofMillis(500)).connect();
  }

  @AfterEach
  void stop() {
    client.close();
    impatient.close();
    server.shutdownNow();
  }

  private static Reason reason(CompletableFuture<?> failed) {
    return failed
        .handle(
            (result, error) ->
                error instanceof CompletionException wrapped ? wrapped.getCause() : error)
        .thenApply(error -> ((TreecastException) error).reason())
        .join();
  }

  /** Repeated, because no call may reach the agent within the wait on a busy machine. */
  private static void awaitUnknown(Supplier<CompletableFuture<?>> call) {
    await().untilAsserted(() -> assertThat(reason(call.get())).isEqualTo(Reason.OUTCOME_UNKNOWN));
  }

  @Test
  void the_outcome_of_a_write_that_an_agent_has_and_does_not_answer_is_unknown() {
    Values<byte[]> values = impatient.values("routes");
    awaitUnknown(() -> values.put("eu", "h7".getBytes(UTF_8)));
    awaitUnknown(() -> values.delete("eu"));
    awaitUnknown(() -> impatient.best("bound", Best.MIN).offer(1, new byte[0]));
  }

  @Test
  void a_read_that_is_not_answered_has_no_outcome_to_know() {
    assertThat(reason(impatient.values("routes").get("eu"))).isEqualTo(Reason.AGENT_UNREACHABLE);
  }

  @Test
  void a_write_that_ends_with_an_error_of_the_other_end_was_not_taken() {
    agent = answer -> answer.onError(Status.UNAVAILABLE.asRuntimeException());
    assertThat(reason(client.values("routes").put("eu", new byte[0])))
        .isEqualTo(Reason.AGENT_UNREACHABLE);
  }

  /** The agent's server ends a call so when its deadline passes, or when its code fails. */
  @ParameterizedTest
  @EnumSource(names = {"DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL"})
  void a_write_that_the_other_end_breaks_off_may_have_been_taken(Status.Code code) {
    agent = answer -> answer.onError(code.toStatus().asRuntimeException());
    assertThat(reason(client.values("routes").put("eu", new byte[0])))
        .isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void a_write_that_finds_no_agent_was_not_sent() {
    server.shutdownNow();
    assertThat(reason(impatient.values("routes").put("eu", new byte[0])))
        .isEqualTo(Reason.AGENT_UNREACHABLE);
  }

  @Test
  void a_value_that_the_codec_cannot_decode_is_an_illegal_argument_also_of_a_blocking_read() {
    reads =
        answer -> {
          answer.onNext(
              WatchValuesResponse.newBuilder()
                  .addChanges(ValueChange.newBuilder().setKey("eu"))
                  .build());
          answer.onCompleted();
        };
    Values<Integer> ports =
        client.values(
            "ports",
            Codec.of(port -> new byte[port], bytes -> Integer.parseInt(new String(bytes, UTF_8))));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.blocking().get(ports, "eu"))
        .withRootCauseInstanceOf(NumberFormatException.class);
  }

  @Test
  void a_label_whose_caller_cancels_is_withdrawn() {
    CompletableFuture<Subscription> label = client.members().label("fw", "2.1");
    await().until(() -> held.size() == 1);

    label.cancel(false);

    await().until(() -> held.get(0).isCancelled());
  }
}
