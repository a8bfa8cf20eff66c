package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The agent gets the releases of a client that is closed, over a real connection. */
@Timeout(120)
class ReleaseOnCloseTest {
  private static final int CLAIMS = 100;

  /** So long that the end of a lease cannot be taken for a release. */
  private static final Duration LEASE = Duration.ofHours(1);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final SlowVoter voter = new SlowVoter();
  private final List<Claim> claims = new ArrayList<>();
  private Server server;
  private Treecast treecast;

  @BeforeEach
  void acquire() throws Exception {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .addService(voter)
            .build()
            .start();
    treecast = Treecast.connect("127.0.0.1:" + server.getPort());
    for (int i = 0; i < CLAIMS; i++) {
      claims.add(acquire("c" + i));
    }
  }

  private Claim acquire(String name) throws Exception {
    return treecast.claims().among("h1").acquire(name, LEASE).get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws IOException {
    treecast.close();
    server.shutdownNow();
  }

  @Test
  void the_claims_of_a_client_that_is_closed_are_released() {
    treecast.close();

    assertThat(claims).noneMatch(Claim::isHeld);
    voter.readOn();
    await().untilAsserted(() -> assertThat(voter.released).hasValue(CLAIMS));
    await().untilAsserted(() -> assertThat(treecast.isConnected()).isFalse());
    assertThat(voter.cancelled).hasValue(0);
  }

  @Test
  void a_release_just_before_the_close_arrives() {
    claims.forEach(Claim::close);
    treecast.close();

    voter.readOn();
    await().untilAsserted(() -> assertThat(voter.released).hasValue(CLAIMS));
    assertThat(voter.cancelled).hasValue(0);
  }

  @Test
  void a_program_goes_on_after_the_close_until_the_releases_are_answered() {
    treecast.close();

    assertThat(threadsThatKeepTheProgram()).hasSize(1);
    voter.readOn();
    await().until(() -> threadsThatKeepTheProgram().isEmpty());
    assertThat(voter.released).hasValue(CLAIMS);
  }

  private List<Thread> threadsThatKeepTheProgram() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith(":" + server.getPort()) && !thread.isDaemon())
        .toList();
  }

  @Test
  void a_connection_whose_agent_does_not_answer_a_release_ends() {
    treecast.close();

    await().untilAsserted(() -> assertThat(voter.cancelled).hasValue(CLAIMS));
    assertThat(treecast.isConnected()).isFalse();
  }

  @Test
  void a_release_is_over_when_the_agent_has_answered_it_also_after_a_lost_call() throws Exception {
    voter.losesNext.set(true);
    Claim claim = acquire("again");
    CompletableFuture<@Nullable Void> first = claim.release();
    CompletableFuture<@Nullable Void> second = claim.release();

    assertThat(first).isNotDone();
    assertThat(second).isNotDone();

    voter.readOn();
    assertThat(first).succeedsWithin(PATIENCE);
    assertThat(second).succeedsWithin(PATIENCE);
    assertThat(voter.released).hasValue(1);
  }

  /** Grants each claim, and reads what follows the first question when the test says so. */
  private static final class SlowVoter extends ClaimServiceGrpc.ClaimServiceImplBase {
    final AtomicInteger released = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();

    /** Whether the next call ends without an answer. */
    final AtomicBoolean losesNext = new AtomicBoolean();

    private final List<ServerCallStreamObserver<HoldResponse>> calls = new CopyOnWriteArrayList<>();

    void readOn() {
      calls.forEach(call -> call.request(100));
    }

    @Override
    public StreamObserver<HoldRequest> hold(StreamObserver<HoldResponse> answers) {
      if (losesNext.getAndSet(false)) {
        answers.onError(Status.UNAVAILABLE.asException());
        return new Ignoring();
      }
      ServerCallStreamObserver<HoldResponse> call =
          (ServerCallStreamObserver<HoldResponse>) answers;
      calls.add(call);
      call.setOnCancelHandler(cancelled::incrementAndGet);
      call.disableAutoRequest();
      call.request(2); // The request for the claim, and the first question.
      return new Ignoring() {
        @Override
        public void onNext(HoldRequest request) {
          if (request.hasRelease()) {
            released.incrementAndGet();
            call.onCompleted();
          } else {
            call.onNext(
                HoldResponse.newBuilder()
                    .setNumber(request.getRenew().getNumber())
                    .setFence(1)
                    .setRemainingNanos(LEASE.toNanos())
                    .build());
          }
        }
      };
    }
  }

  private static class Ignoring implements StreamObserver<HoldRequest> {
    @Override
    public void onNext(HoldRequest request) {}

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {}
  }
}
