package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A dial to an agent that hangs, while the network's threads of its process go on. */
class UnansweredDialTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final LinkEmulation realLinks = LinkEmulation.ofRealLinks();
  private final TransportNode a = new TransportNode("a", realLinks);
  private final Hanging hanging = new Hanging();
  private final Server server =
      NettyServerBuilder.forAddress(new HostPort("127.0.0.1", 0).toSocketAddress())
          .directExecutor()
          .addService(hanging)
          .build()
          .start();

  UnansweredDialTest() throws IOException {}

  @AfterEach
  void close() {
    a.close();
    server.shutdownNow();
    realLinks.close();
  }

  @Test
  void one_that_is_given_up_leaves_no_call_behind() {
    Connection<PeerMessage> dialed = a.dialControl("127.0.0.1:" + server.getPort());
    await().atMost(PATIENCE).until(hanging.greeted::isDone);
    assertThat(hanging.cancelled).isNotDone();

    a.execute(dialed::abort);

    await().atMost(PATIENCE).until(hanging.cancelled::isDone);
  }

  /** This end has closed, and the other has heard it and does not close. */
  private void closeInVain() {
    Connection<PeerMessage> dialed = a.dialControl("127.0.0.1:" + server.getPort());
    await().atMost(PATIENCE).until(hanging.greeted::isDone);
    a.execute(dialed::close);
    await().atMost(PATIENCE).until(hanging.closedThere::isDone);
  }

  @Test
  void one_that_was_closed_in_vain_ends_when_the_agent_crashes() {
    closeInVain();
    assertThat(hanging.cancelled).isNotDone();

    a.crash();

    await().atMost(PATIENCE).until(hanging.cancelled::isDone);
  }

  @Test
  void an_agent_that_leaves_waits_until_the_other_end_has_heard_all() throws Exception {
    closeInVain();
    CompletableFuture<Boolean> left = new CompletableFuture<>();
    Thread leaving =
        new Thread(
            () -> {
              try {
                a.leave(PATIENCE);
                left.complete(true);
              } catch (InterruptedException e) {
                left.completeExceptionally(e);
              }
            });
    leaving.start();
    await()
        .atMost(PATIENCE)
        .until(() -> leaving.getState() == Thread.State.TIMED_WAITING || left.isDone());
    assertThat(left).isNotDone();
    assertThat(hanging.cancelled).isNotDone();

    hanging.answers.join().onCompleted();

    await().atMost(PATIENCE).until(left::isDone);
    assertThat(left.get()).isTrue();
    assertThat(hanging.cancelled).isNotDone();
  }

  /** Hears what is said, and neither answers nor ends a call. */
  private static final class Hanging extends PeerServiceGrpc.PeerServiceImplBase {
    private final CompletableFuture<ControlRequest> greeted = new CompletableFuture<>();
    private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    private final CompletableFuture<Boolean> closedThere = new CompletableFuture<>();
    private final CompletableFuture<StreamObserver<ControlResponse>> answers =
        new CompletableFuture<>();

    @Override
    public StreamObserver<ControlRequest> control(StreamObserver<ControlResponse> responses) {
      ((ServerCallStreamObserver<ControlResponse>) responses)
          .setOnCancelHandler(() -> cancelled.complete(true));
      answers.complete(responses);
      return new StreamObserver<>() {
        @Override
        public void onNext(ControlRequest request) {
          greeted.complete(request);
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {
          closedThere.complete(true);
        }
      };
    }
  }
}
