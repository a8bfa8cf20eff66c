package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Attributes;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultEventExecutor;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.transport.connection.Departures;
import io.treecast.agent.transport.connection.IdentityMismatches;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.frame.StreamCodec;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One end of a stream, with gRPC and the loop played by the test. */
class GrpcStreamTest {
  private static final int UNSENT_BYTES = 700;
  private static final int MAX_UNSENT = 5;

  private final ArrayDeque<Runnable> loopTasks = new ArrayDeque<>();
  private final List<Long> waitedNanos = new ArrayList<>();
  private volatile long loopNanos;
  private final Departures departures = new Departures();
  private final List<String> events = new ArrayList<>();
  private final StreamDrops drops = new StreamDrops();
  private final FakeCall call = new FakeCall();
  private final GrpcStream<PeerMessage, ControlRequest, ControlResponse> stream = stream();

  private GrpcStream<PeerMessage, ControlRequest, ControlResponse> stream() {
    Loop loop =
        new Loop() {
          @Override
          public void execute(Runnable task) {
            loopTasks.add(task);
          }

          @Override
          public long nowNanos() {
            return loopNanos;
          }
        };
    return GrpcStream.accepted(
        new Codec(),
        new StreamEvents<>() {
          @Override
          public void received(
              Connection<PeerMessage> connection,
              PeerMessage message,
              long arrivedNanos,
              long nowNanos) {
            events.add("received " + message);
            waitedNanos.add(nowNanos - arrivedNanos);
          }

          @Override
          public void closed(Connection<PeerMessage> connection, String reason, long nowNanos) {
            events.add("closed: " + reason);
          }
        },
        new StreamSettings(
            NodeId.of("m"),
            loop,
            null,
            drops,
            new IdentityMismatches(notice -> events.add(notice.text())),
            departures,
            UNSENT_BYTES,
            MAX_UNSENT,
            32),
        new RemoteEnd("peer:1", Attributes.EMPTY),
        call);
  }

  private void runLoop() {
    for (Runnable task = loopTasks.poll(); task != null; task = loopTasks.poll()) {
      task.run();
    }
  }

  private static ControlRequest request(PeerMessage message) {
    return ControlRequest.newBuilder().setFrame(new PeerCodec().encode(message)).build();
  }

  @Test
  void takes_no_more_from_the_network_than_the_loop_has_dealt_with() {
    int first = call.requested;
    for (int i = 0; i < first; i++) {
      stream.onNext(request(new Probe(i, 500, 0, false, null)));
    }
    assertThat(call.requested).isEqualTo(first);
    runLoop();
    assertThat(events).hasSize(first);
    assertThat(call.requested).isEqualTo(2 * first);
  }

  @Test
  void tells_when_a_message_arrived_that_had_to_wait_for_the_loop() {
    loopNanos = 5;
    stream.onNext(request(new Probe(1, 500, 0, false, null)));
    loopNanos = 12;
    runLoop();
    assertThat(waitedNanos).containsExactly(7L);
  }

  @Test
  void a_probe_says_how_long_after_its_event_it_leaves() {
    departures.eventBegins(5);
    loopNanos = 12;
    stream.send(new Probe(1, 500, 0, false, null));
    assertThat(call.sent)
        .containsExactly(new Codec().encode(new Probe(1, 500, 0, false, null).leaving(7)));
  }

  @Test
  void a_message_leaves_on_the_thread_of_its_connection_and_says_how_long_it_waited_for_it()
      throws Exception {
    EventExecutor network = new DefaultEventExecutor();
    try {
      network.submit(() -> stream.onNext(request(new Probe(1, 500, 0, false, null)))).get();
      CountDownLatch isBusy = new CountDownLatch(1);
      network.execute(() -> awaitUninterruptibly(isBusy));
      stream.send(new ProbeReply(1, 100));
      loopNanos = 9;
      isBusy.countDown();
      await().until(() -> !call.sent.isEmpty());
    } finally {
      var unused = network.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
    assertThat(call.sent).containsExactly(new Codec().encode(new ProbeReply(1, 100).leaving(9)));
    assertThat(departures.takeLongestWaitNanos()).isEqualTo(9);
    assertThat(departures.takeLongestWaitNanos()).isZero();
  }

  @Test
  void messages_keep_their_order_when_the_first_ones_arrive_on_other_threads() throws Exception {
    EventExecutor first = new DefaultEventExecutor();
    EventExecutor later = new DefaultEventExecutor();
    try {
      stream.onNext(request(new Probe(1, 500, 0, false, null)));
      stream.send(new ProbeReply(1, 100));
      first.submit(() -> stream.onNext(request(new Probe(2, 500, 0, false, null)))).get();
      CountDownLatch isBusy = new CountDownLatch(1);
      first.execute(() -> awaitUninterruptibly(isBusy));
      stream.send(new ProbeReply(2, 100));
      later.submit(() -> stream.onNext(request(new Probe(3, 500, 0, false, null)))).get();
      stream.send(new ProbeReply(3, 100));
      later.submit(() -> {}).get();
      isBusy.countDown();
      await().until(() -> call.sent.size() == 3);
    } finally {
      var unused = first.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      var unusedToo = later.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
    assertThat(call.sent)
        .containsExactly(
            new Codec().encode(new ProbeReply(1, 100)),
            new Codec().encode(new ProbeReply(2, 100)),
            new Codec().encode(new ProbeReply(3, 100)));
  }

  private void endNetworkThread() throws Exception {
    EventExecutor network = new DefaultEventExecutor();
    network.submit(() -> stream.onNext(request(new Probe(1, 500, 0, false, null)))).get();
    network.shutdownGracefully(0, 0, TimeUnit.SECONDS).get();
  }

  @Test
  void a_stream_is_over_for_a_message_that_finds_the_thread_of_its_connection_ended()
      throws Exception {
    endNetworkThread();
    stream.send(new ProbeReply(1, 100));
    stream.send(new ProbeReply(2, 100));
    runLoop();
    assertThat(call.sent).isEmpty();
    assertThat(events).hasSize(2).last().asString().startsWith("closed: ");
    assertThat(call.completed).isEqualTo(1);
    assertThat(stream.hasRoom()).isFalse();
  }

  @Test
  void a_stream_whose_network_has_ended_closes() throws Exception {
    call.networkHasEnded = true;
    endNetworkThread();
    stream.close();
    runLoop();
    assertThat(call.completed).isEqualTo(1);
  }

  @Test
  void messages_that_wait_for_the_loop_are_handled_when_the_network_has_ended() {
    int first = call.requested;
    call.networkHasEnded = true;
    for (int i = 0; i < first; i++) {
      stream.onNext(request(new Probe(i, 500, 0, false, null)));
    }
    runLoop();
    assertThat(events).hasSize(first);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void gives_up_when_the_other_end_takes_nothing_of_what_is_sent() {
    call.ready = false;
    for (int i = 0; i <= MAX_UNSENT; i++) {
      stream.send(new Probe(i, 500, 0, false, null));
    }
    runLoop();
    assertThat(call.sent).hasSize(MAX_UNSENT);
    assertThat(call.readyThreshold).isEqualTo(UNSENT_BYTES);
    assertThat(events)
        .singleElement()
        .asString()
        .startsWith("closed: ")
        .contains("700 bytes", "5 messages");
    assertThat(drops.counted(StreamDrops.Reason.SEND_QUEUE_FULL)).isEqualTo(1);
    assertThat(call.error).isNotNull();
  }

  @Test
  void does_not_give_up_on_one_that_is_slow_as_long_as_it_takes_something() {
    call.ready = false;
    for (int i = 0; i < 10 * MAX_UNSENT; i++) {
      stream.send(new Probe(i, 500, 0, false, null));
      if (i % MAX_UNSENT == MAX_UNSENT - 1) {
        // The network had room for a moment, between two sends.
        call.becomeReady();
        call.ready = false;
      }
    }
    runLoop();
    assertThat(events).isEmpty();
    assertThat(call.sent).hasSize(10 * MAX_UNSENT);
  }

  @Test
  void an_invalid_frame_ends_the_stream_and_nothing_after_it_arrives() {
    stream.onNext(ControlRequest.getDefaultInstance());
    stream.onNext(request(new Probe(1, 500, 0, false, null)));
    runLoop();
    assertThat(events).singleElement().asString().startsWith("closed: ");
    assertThat(drops.counted(StreamDrops.Reason.INVALID_FRAME)).isEqualTo(1);
    assertThat(Status.fromThrowable(call.error).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void after_close_nothing_arrives_and_no_end_is_reported() {
    stream.onNext(request(new Probe(1, 500, 0, false, null)));
    stream.close();
    stream.onCompleted();
    stream.onError(Status.CANCELLED.asException());
    runLoop();
    assertThat(events).isEmpty();
    assertThat(call.completed).isEqualTo(1);
    stream.send(new Probe(2, 500, 0, false, null));
    assertThat(call.sent).isEmpty();
  }

  @Test
  void after_close_it_takes_on_so_that_the_end_of_the_call_arrives() {
    stream.close();
    int first = call.requested;
    for (int i = 0; i < first; i++) {
      stream.onNext(request(new Probe(i, 500, 0, false, null)));
    }
    runLoop();
    assertThat(events).isEmpty();
    assertThat(call.requested).isEqualTo(2 * first);
  }

  @Test
  void the_end_is_reported_once_with_what_the_network_knows_of_it() {
    stream.onError(
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new java.io.IOException("Connection reset"))
            .asException());
    stream.onCompleted();
    runLoop();
    assertThat(events)
        .singleElement()
        .asString()
        .startsWith("closed: ")
        .endsWith(": Connection reset");
  }

  private record Codec() implements StreamCodec<PeerMessage, ControlRequest, ControlResponse> {
    @Override
    public ControlResponse encode(PeerMessage message) {
      return ControlResponse.newBuilder().setFrame(new PeerCodec().encode(message)).build();
    }

    @Override
    public PeerMessage leaving(PeerMessage message, long lateNanos) {
      return message.leaving(lateNanos);
    }

    @Override
    public PeerMessage decode(ControlRequest message) throws WireViolation {
      return new PeerCodec().decode(message.getFrame());
    }

    @Override
    public @Nullable NodeId sender(PeerMessage message) {
      return message instanceof Hello hello ? hello.node() : null;
    }
  }

  private static final class FakeCall extends ServerCallStreamObserver<ControlResponse> {
    private final List<ControlResponse> sent = new CopyOnWriteArrayList<>();
    private boolean ready = true;
    private int readyThreshold;
    private int requested;
    private int completed;
    private boolean networkHasEnded;
    private @Nullable Throwable error;
    private @Nullable Runnable onReady;

    void becomeReady() {
      ready = true;
      if (onReady != null) {
        onReady.run();
      }
    }

    @Override
    public void onNext(ControlResponse value) {
      sent.add(value);
    }

    @Override
    public void onError(Throwable failure) {
      error = failure;
    }

    @Override
    public void onCompleted() {
      completed++;
      failIfNetworkHasEnded();
    }

    /** As a call of gRPC fails whose thread has ended. */
    private void failIfNetworkHasEnded() {
      if (networkHasEnded) {
        throw new RejectedExecutionException();
      }
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }

    @Override
    public void setOnReadyThreshold(int bytes) {
      readyThreshold = bytes;
    }

    @Override
    public void request(int count) {
      requested += count;
      failIfNetworkHasEnded();
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void disableAutoRequest() {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}
  }
}
