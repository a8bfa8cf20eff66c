package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.treecast.client.ClusterTime.Order;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.ClockServiceGrpc;
import io.treecast.proto.v1.ReadClockRequest;
import io.treecast.proto.v1.ReadClockResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clock at an agent that knows the time exactly: the root's time is {@code nanoTime}. */
class ClusterClockTest {
  private static final ClusterTime AT_100 = new ClusterTime(3, "h1", 7, 100, 10);

  private final Executor late = CompletableFuture.delayedExecutor(40, TimeUnit.MILLISECONDS);
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Consumer<StreamObserver<ReadClockResponse>> agent = answer -> {};
  private final String name = InProcessServerBuilder.generateName();
  private Server server;
  private Treecast client;

  @BeforeEach
  void start() throws IOException {
    server =
        InProcessServerBuilder.forName(name)
            .addService(
                new ClockServiceGrpc.ClockServiceImplBase() {
                  @Override
                  public void readClock(
                      ReadClockRequest request, StreamObserver<ReadClockResponse> response) {
                    calls.incrementAndGet();
                    agent.accept(response);
                  }
                })
            .build()
            .start();
    client = Treecast.inProcess(name).defaultWait(Duration.ofSeconds(30)).connect();
  }

  @AfterEach
  void stop() {
    client.close();
    server.shutdownNow();
  }

  private static ReadClockResponse answer(long rootNanos, long errorNanos) {
    return ReadClockResponse.newBuilder()
        .setTreeVersion(3)
        .setRoot("h1")
        .setRootIncarnation(7)
        .setRootNanos(rootNanos)
        .setErrorNanos(errorNanos)
        .setMember("h2")
        .build();
  }

  private static void send(StreamObserver<ReadClockResponse> observer, ReadClockResponse answer) {
    observer.onNext(answer);
    observer.onCompleted();
  }

  private void assertContainsTheTruth() {
    long instant = System.nanoTime();
    ClusterTime time = client.blocking().clusterTimeAt(instant);
    assertThat(Math.abs(time.rootNanos() - instant)).isLessThanOrEqualTo(time.errorNanos());
    assertThat(time.error()).isBetween(Duration.ofMillis(20), Duration.ofSeconds(10));
  }

  @Test
  void the_bound_contains_an_answer_that_is_late() {
    agent =
        observer -> {
          ReadClockResponse read = answer(System.nanoTime(), 0);
          late.execute(() -> send(observer, read));
        };
    assertContainsTheTruth();
  }

  @Test
  void the_bound_contains_a_question_that_is_late() {
    agent = observer -> late.execute(() -> send(observer, answer(System.nanoTime(), 0)));
    assertContainsTheTruth();
  }

  @Test
  void an_answer_is_used_for_a_while_and_the_bound_grows_from_then() {
    agent = observer -> send(observer, answer(System.nanoTime(), 0));
    // Repeated, because a second may pass between two calls on a busy machine.
    await()
        .untilAsserted(
            () -> {
              calls.set(0);
              try (Treecast fresh = Treecast.inProcess(name).connect()) {
                long instant = System.nanoTime();
                ClusterTime now = fresh.blocking().clusterTimeAt(instant);
                ClusterTime before = fresh.blocking().clusterTimeAt(instant - 5_000_000_000L);

                assertThat(calls).hasValue(1);
                assertThat(before.errorNanos() - now.errorNanos()).isBetween(900_000L, 1_000_001L);
                assertThat(before.order(now)).isEqualTo(Order.BEFORE);
              }
            });
  }

  @Test
  void time_does_not_go_back_when_a_better_answer_is_earlier() {
    agent = observer -> send(observer, answer(60_000_000_000L, 50_000_000_000L));
    ClusterTime first = client.clock().now().join();
    agent = observer -> send(observer, answer(20_000_000_000L, 0));
    await().until(() -> client.clock().now().isDone() && calls.get() >= 2);

    ClusterTime second = client.clock().now().join();
    assertThat(second.rootNanos()).isGreaterThanOrEqualTo(first.rootNanos());
    assertThat(second.rootNanos() - second.errorNanos()).isLessThan(22_000_000_000L);
  }

  @Test
  void a_client_waits_for_the_time_of_its_agent() {
    agent =
        observer -> {
          if (calls.get() == 1) {
            observer.onError(AgentRefusal.of("NO_TREE", "no time yet"));
          } else {
            send(observer, answer(5, 0));
          }
        };
    assertThat(client.blocking().clusterTime().rootNanos()).isGreaterThanOrEqualTo(5);
    assertThat(calls).hasValue(2);
  }

  @Test
  void a_client_that_times_out_reports_the_reason() {
    agent = observer -> observer.onError(AgentRefusal.of("NO_TREE", "no time yet"));

    awaitFailureWithoutTree();
  }

  /** Repeated, because no call may get its answer within the wait on a busy machine. */
  private void awaitFailureWithoutTree() {
    await()
        .untilAsserted(
            () -> {
              calls.set(0);
              try (Treecast impatient =
                  Treecast.inProcess(name).defaultWait(Duration.ofSeconds(1)).connect()) {
                assertThatExceptionOfType(TreecastException.class)
                    .isThrownBy(() -> impatient.blocking().clusterTime())
                    .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.NO_TREE));
              }
            });
  }

  @Test
  void a_wait_that_ends_during_a_call_has_the_reason_of_the_call_before() {
    agent =
        observer -> {
          if (calls.get() == 1) {
            observer.onError(AgentRefusal.of("NO_TREE", "no time yet"));
          }
        };

    awaitFailureWithoutTree();
  }

  @Test
  void a_closed_client_tells_no_time() {
    CompletableFuture<ClusterTime> waiting = client.clock().now();
    client.close();

    assertThat(waiting)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(TreecastException.class);
  }

  @Test
  void times_compare_by_their_bounds() {
    assertThat(AT_100.order(new ClusterTime(3, "h1", 7, 121, 10))).isEqualTo(Order.BEFORE);
    assertThat(AT_100.order(new ClusterTime(3, "h1", 7, 120, 10))).isEqualTo(Order.OVERLAPPING);
    assertThat(AT_100.order(new ClusterTime(3, "h1", 7, 79, 10))).isEqualTo(Order.AFTER);
  }

  @Test
  void times_of_different_epochs_do_not_compare() {
    assertThat(AT_100.order(new ClusterTime(4, "h1", 7, 500, 1))).isEqualTo(Order.OTHER_EPOCH);
    assertThat(AT_100.order(new ClusterTime(3, "h2", 7, 500, 1))).isEqualTo(Order.OTHER_EPOCH);
    assertThat(AT_100.order(new ClusterTime(3, "h1", 8, 500, 1))).isEqualTo(Order.OTHER_EPOCH);
  }
}
