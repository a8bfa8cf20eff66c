package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.core.contract.PublishCounters;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WhenSlow;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A slow subscriber slows publishers and loses nothing, or nobody waits for it and it is told what
 * it misses; nothing piles up.
 */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class SlowSubscriberTest {
  private static final int PAYLOAD_BYTES = 64 * 1024;
  private static final BroadcastLimits LIMITS =
      BroadcastLimits.builder()
          .chunkBytes(16 * 1024)
          .payloadBytes(PAYLOAD_BYTES)
          .publishBufferBytes(256 * 1024)
          .logBytes(1 << 20)
          .edgeWindowBytes(128 * 1024)
          .subscriberWindowBytes(64 * 1024)
          .subscribers(10)
          .topics(10)
          .origins(10)
          .build();

  /** A publisher's share of the log is more than its publish buffer and all windows hold. */
  private static final BroadcastLimits ROOMY_LOG =
      BroadcastLimits.builder()
          .chunkBytes(16 * 1024)
          .payloadBytes(PAYLOAD_BYTES)
          .publishBufferBytes(256 * 1024)
          .logBytes(4 << 20)
          .edgeWindowBytes(128 * 1024)
          .subscriberWindowBytes(64 * 1024)
          .subscribers(10)
          .topics(10)
          .origins(10)
          .build();

  private final TestAgents agents = new TestAgents().withLimits(LIMITS);

  @AfterEach
  void closeAll() {
    agents.close();
  }

  @Test
  void publishers_fail_with_the_limit_named_until_the_subscriber_reads_again() {
    List<Agent> cluster = agents.withLimits(ROOMY_LOG).startReadyCluster(3);
    SlowSubscriber slow =
        new SlowSubscriber(agents.channel(cluster.get(2)), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    var publisher = TreecastServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));

    StatusRuntimeException[] refusal = new StatusRuntimeException[1];
    int[] accepted = {0};
    // What is on its way through the windows may make room once more after the first refusal.
    await()
        .atMost(PATIENCE)
        .during(Duration.ofMillis(500))
        .until(
            () -> {
              try {
                publish(publisher);
                accepted[0]++;
                return false;
              } catch (StatusRuntimeException e) {
                refusal[0] = e;
                return true;
              }
            });
    assertThat(refusal[0].getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal[0].getStatus().getDescription())
        .contains("65536 bytes")
        .endsWith("limits.publishBufferBytes = 262144");
    assertThat(slow.messages).hasValue(0);

    // Each agent holds no more than one window for each neighbour, and the publish buffer.
    long most = LIMITS.publishBufferBytes() + 2 * LIMITS.edgeWindowBytes();
    for (Agent agent : cluster) {
      assertThat(snapshot(agent).broadcast().waitingBytes()).isLessThanOrEqualTo(most);
    }
    // And no more than all of that, the subscriber's window and the network's was accepted.
    assertThat((long) accepted[0] * PAYLOAD_BYTES).isLessThan(8 * 1024 * 1024);

    slow.takeAll();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(slow.messages).hasValue(accepted[0]));
    publish(publisher);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(slow.messages).hasValue(accepted[0] + 1));
    assertThat(cluster).allMatch(agent -> snapshot(agent).tree().ready());
  }

  @Test
  void a_subscriber_that_takes_nothing_stops_publishers_for_a_bounded_time_and_learns_its_gap() {
    List<Agent> cluster =
        agents.withLimits(ROOMY_LOG.withSlowSubscriberMillis(500)).startReadyCluster(3);
    SlowSubscriber slow =
        new SlowSubscriber(agents.channel(cluster.get(2)), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    var publisher = TreecastServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));

    int messages = 200; // More than logs, windows and the network hold.
    for (int i = 0; i < messages; i++) {
      publish(publisher, PATIENCE);
    }
    assertThat(snapshot(cluster.get(2)).broadcast().fallenBehind()).isEqualTo(1);

    slow.takeAll();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(slow.messages.get() + slow.missed.get()).isEqualTo(messages));
    assertThat(slow.missed.get()).isPositive();
  }

  @Test
  void a_publisher_that_waits_is_slowed_and_nothing_is_refused_lost_or_out_of_order() {
    List<Agent> cluster = agents.startReadyCluster(3);
    CompletableFuture<Void> reading = new CompletableFuture<>();
    int messages = 200;
    List<Integer> received = new CopyOnWriteArrayList<>();
    try (Treecast subscriber = Treecast.connect(cluster.get(2).address().toString());
        Treecast publisher = Treecast.connect(cluster.get(0).address().toString())) {
      subscriber
          .subscribe(
              message -> {
                reading.join();
                received.add(ByteBuffer.wrap(message.payload()).getInt());
              })
          .ready()
          .join();
      CompletableFuture<Void> publishing =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < messages; i++) {
                  byte[] payload = ByteBuffer.allocate(PAYLOAD_BYTES).putInt(i).array();
                  publisher.blocking().broadcast(payload, PATIENCE);
                }
              });
      await()
          .atMost(PATIENCE)
          .during(Duration.ofMillis(500))
          .until(() -> snapshot(cluster.get(0)).publishing().waiting() == 1);
      long published = snapshot(cluster.get(0)).broadcast().publishedMessages();
      assertThat(published).isBetween(1L, messages - 1L);
      assertThat(received).isEmpty();

      reading.complete(null);
      publishing.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
      await().atMost(PATIENCE).until(() -> received.size() >= messages);
      assertThat(received).isEqualTo(IntStream.range(0, messages).boxed().toList());
      PublishCounters counters = snapshot(cluster.get(0)).publishing();
      assertThat(counters.refused()).isZero();
      assertThat(counters.waits()).isPositive();
    }
  }

  @Test
  void a_waiting_broadcast_of_a_publisher_that_is_gone_is_not_published() {
    List<Agent> cluster = agents.startReadyCluster(1);
    Agent agent = cluster.get(0);
    SlowSubscriber slow =
        new SlowSubscriber(agents.channel(agent), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    fill(agent);
    long published = snapshot(agent).broadcast().publishedMessages();
    Treecast closed = Treecast.connect(agent.address().toString());
    try (Treecast stays = Treecast.connect(agent.address().toString())) {
      var cancelled = stays.broadcast(new byte[PAYLOAD_BYTES], PATIENCE);
      var ended = closed.broadcast(new byte[PAYLOAD_BYTES], PATIENCE);
      await().atMost(PATIENCE).until(() -> snapshot(agent).publishing().waiting() == 2);
      cancelled.cancel(false);
      await().atMost(PATIENCE).until(() -> snapshot(agent).publishing().waiting() == 1);
      closed.close();
      await().atMost(PATIENCE).until(() -> snapshot(agent).publishing().waiting() == 0);
      assertThat(ended).isCompletedExceptionally();

      slow.takeAll();
      publish(TreecastServiceGrpc.newBlockingStub(agents.channel(agent)), PATIENCE);
      assertThat(snapshot(agent).broadcast().publishedMessages()).isEqualTo(published + 1);
    }
  }

  @Test
  void an_agent_that_shuts_down_tells_publishers_that_wait_and_one_in_time_out_why() {
    List<Agent> cluster = agents.startReadyCluster(1);
    Agent agent = cluster.get(0);
    var unused = new SlowSubscriber(agents.channel(agent), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    fill(agent);
    try (Treecast publisher = Treecast.connect(agent.address().toString())) {
      // The first may be over before there is a connection.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatExceptionOfType(TreecastException.class)
                      .isThrownBy(
                          () ->
                              publisher
                                  .blocking()
                                  .broadcast(new byte[PAYLOAD_BYTES], Duration.ofMillis(50)))
                      .withMessageContaining("65536 bytes")
                      .withMessageContaining("limits.publishBufferBytes = 262144")
                      .returns(TreecastException.Reason.BUFFER_FULL, TreecastException::reason));

      var waiting = publisher.broadcast(new byte[PAYLOAD_BYTES], PATIENCE);
      await().atMost(PATIENCE).until(() -> snapshot(agent).publishing().waiting() == 1);
      agent.close();
      assertThatExceptionOfType(CompletionException.class)
          .isThrownBy(waiting::join)
          .havingCause()
          .isInstanceOfSatisfying(
              TreecastException.class,
              failure -> assertThat(failure.reason()).isEqualTo(TreecastException.Reason.NO_TREE));
    }
  }

  /** Publishes until nothing fits for a while. */
  private void fill(Agent agent) {
    var publisher = TreecastServiceGrpc.newBlockingStub(agents.channel(agent));
    await()
        .atMost(PATIENCE)
        .during(Duration.ofMillis(500))
        .until(
            () -> {
              try {
                publish(publisher);
                return false;
              } catch (StatusRuntimeException e) {
                return true;
              }
            });
  }

  @Test
  void a_subscriber_that_goes_away_without_reading_holds_nobody_up() {
    List<Agent> cluster = agents.startReadyCluster(2);
    SlowSubscriber slow =
        new SlowSubscriber(agents.channel(cluster.get(1)), WhenSlow.WHEN_SLOW_SLOW_PUBLISHER);
    var publisher = TreecastServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                publish(publisher);
                return false;
              } catch (StatusRuntimeException e) {
                return true;
              }
            });
    slow.goAway();
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(
            () -> {
              publish(publisher);
              return true;
            });
    await()
        .atMost(PATIENCE)
        .until(() -> cluster.stream().allMatch(a -> snapshot(a).broadcast().waitingBytes() == 0));
  }

  @ParameterizedTest
  @CsvSource({"WHEN_SLOW_CATCH_UP, not_retained", "WHEN_SLOW_GAP, skipped"})
  void a_subscriber_that_publishers_do_not_wait_for_learns_its_gap(
      WhenSlow whenSlow, String reason) {
    List<Agent> cluster = agents.startReadyCluster(2);
    SlowSubscriber slow = new SlowSubscriber(agents.channel(cluster.get(1)), whenSlow);
    var publisher = TreecastServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));

    // Far more than the logs, windows and connections hold; a moment for the network at most.
    int accepted = 200;
    for (int i = 0; i < accepted; i++) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .ignoreException(StatusRuntimeException.class)
          .until(
              () -> {
                publish(publisher);
                return true;
              });
    }
    await()
        .atMost(PATIENCE)
        .until(() -> cluster.stream().allMatch(a -> snapshot(a).broadcast().waitingBytes() == 0));
    for (Agent agent : cluster) {
      assertThat(snapshot(agent).broadcast().retainedBytes())
          .isLessThanOrEqualTo(LIMITS.logBytes());
    }

    slow.takeAll();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(slow.messages.get() + slow.missed.get()).isEqualTo(accepted));
    assertThat(slow.missed).hasPositiveValue();
    assertThat(
            agents
                .registry()
                .get("treecast.broadcast.missed")
                .tag("node", "h2")
                .tag("reason", reason)
                .functionCounter()
                .count())
        .isPositive();
  }

  private static void publish(TreecastServiceGrpc.TreecastServiceBlockingStub publisher) {
    publish(publisher, Duration.ZERO);
  }

  private static void publish(
      TreecastServiceGrpc.TreecastServiceBlockingStub publisher, Duration wait) {
    var unused =
        publisher.broadcast(
            BroadcastRequest.newBuilder()
                .setPayload(ByteString.copyFrom(new byte[PAYLOAD_BYTES]))
                .setWaitMillis(wait.toMillis())
                .build());
  }
}
