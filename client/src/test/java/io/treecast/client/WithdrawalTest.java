package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.ClaimServiceGrpc;
import io.treecast.proto.v1.HoldRequest;
import io.treecast.proto.v1.HoldResponse;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.Refusal;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whether a request has left is decided once, even if the network becomes ready just when a call
 * gives up.
 */
class WithdrawalTest {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final long PAST_ALL_NANOS = Duration.ofSeconds(6).toNanos();
  private static final BroadcastOptions HASTY = BroadcastOptions.defaults().withWait(SHORT);

  private final VirtualTimer timer = new VirtualTimer();
  private final SimulatedClient client =
      new SimulatedClient(1, timer, () -> 0L, () -> {}, this::resultCame);
  private final Agent agent = new Agent();
  private final ServerServiceDefinition service = agent.bindService();
  private final Voter voter = new Voter();
  private @Nullable CompletableFuture<?> result;
  private Runnable onceFailed = () -> {};

  /** Runs other threads of the client in the middle of the reaction to a failure. */
  private void resultCame() {
    CompletableFuture<?> watched = result;
    if (watched != null && watched.isDone()) {
      result = null;
      onceFailed.run();
    }
  }

  private void when(CompletableFuture<?> watched, Runnable happens) {
    onceFailed = happens;
    result = watched;
  }

  /** Receives requests, and begins to take broadcasts when the test says so. */
  private static final class Agent extends TreecastServiceGrpc.TreecastServiceImplBase {
    final List<BroadcastRequest> broadcasts = new ArrayList<>();
    final List<TakePartRequest> operations = new ArrayList<>();
    final List<UploadRequest> uploaded = new ArrayList<>();
    private final List<StreamObserver<PublishResponse>> calls = new ArrayList<>();
    private boolean takesBroadcasts;
    private @Nullable RefusalReason refusal;

    void takeBroadcasts() {
      takesBroadcasts = true;
      calls.forEach(Agent::begin);
    }

    private static void begin(StreamObserver<PublishResponse> call) {
      call.onNext(
          PublishResponse.newBuilder()
              .setBegan(PublishingBegan.newBuilder().setMaxPayloadBytes(1000))
              .build());
    }

    @Override
    public StreamObserver<PublishRequest> publish(StreamObserver<PublishResponse> answers) {
      calls.add(answers);
      if (takesBroadcasts) {
        begin(answers);
      }
      return new Ignoring<>() {
        @Override
        public void onNext(PublishRequest request) {
          for (int i = 0; i < request.getBroadcastsCount(); i++) {
            broadcasts.add(request.getBroadcasts(i));
            refuse(request.getNumber() + i, answers);
          }
        }
      };
    }

    private void refuse(long number, StreamObserver<PublishResponse> answers) {
      RefusalReason reason = refusal;
      if (reason != null) {
        Refusal refused = Refusal.newBuilder().setReason(reason).build();
        answers.onNext(
            PublishResponse.newBuilder()
                .addAnswers(PublishAnswer.newBuilder().setNumber(number).setRefused(refused))
                .build());
      }
    }

    @Override
    public void takePart(TakePartRequest request, StreamObserver<TakePartResponse> answer) {
      operations.add(request);
      RefusalReason reason = refusal;
      if (reason != null) {
        Metadata trailers = new Metadata();
        trailers.put(CallFailure.REASON, reason.name());
        answer.onError(Status.UNKNOWN.asException(trailers));
      }
    }

    @Override
    public StreamObserver<UploadRequest> upload(StreamObserver<UploadResponse> answer) {
      return new Ignoring<>() {
        @Override
        public void onNext(UploadRequest request) {
          uploaded.add(request);
        }
      };
    }
  }

  private abstract static class Ignoring<T> implements StreamObserver<T> {
    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {}
  }

  private static @Nullable Reason reasonOf(CompletableFuture<?> failed) {
    assertThat(failed).isDone();
    try {
      var unused = failed.join();
      return null;
    } catch (CompletionException e) {
      return e.getCause() instanceof TreecastException failure ? failure.reason() : null;
    }
  }

  private void connect() {
    client.channel().connect(service);
    client.settle();
  }

  // Broadcasts.

  @Test
  void a_broadcast_that_the_agent_did_not_take_does_not_leave_while_its_failure_is_handled() {
    connect();
    var broadcast = client.broadcast(new byte[1], HASTY);
    client.settle();
    when(
        broadcast,
        () -> {
          agent.takeBroadcasts();
          client.settle();
        });

    timer.runFor(PAST_ALL_NANOS);

    assertThat(reasonOf(broadcast)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(agent.broadcasts).isEmpty();
  }

  @Test
  void a_broadcast_without_connection_does_not_leave_while_its_failure_is_handled() {
    agent.takeBroadcasts();
    var broadcast = client.broadcast(new byte[1], HASTY);
    when(broadcast, this::connect);

    timer.runFor(SHORT.toNanos());

    assertThat(reasonOf(broadcast)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(agent.broadcasts).isEmpty();
  }

  @Test
  void a_broadcast_cancelled_before_it_could_leave_does_not_leave() {
    agent.takeBroadcasts();
    var broadcast = client.broadcast(new byte[1], HASTY);
    broadcast.cancel(false);

    connect();

    assertThat(agent.broadcasts).isEmpty();
  }

  @Test
  void a_broadcast_that_left_and_is_not_answered_has_an_unknown_outcome() {
    agent.takeBroadcasts();
    connect();
    var broadcast = sent(HASTY);

    timer.runFor(PAST_ALL_NANOS);

    assertThat(reasonOf(broadcast)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  // Retry tokens.

  @Test
  void a_refused_attempt_does_not_count_as_earlier() {
    agent.takeBroadcasts();
    agent.refusal = RefusalReason.REFUSAL_REASON_NO_TREE;
    connect();
    BroadcastOptions options = HASTY.withRetryToken(client.token("t"));
    assertThat(reasonOf(sent(options))).isEqualTo(Reason.NO_TREE);
    timer.runFor(PAST_ALL_NANOS);

    var unused = sent(options);

    assertThat(agent.broadcasts)
        .extracting(BroadcastRequest::getTokenAgeMillis)
        .containsExactly(0L, 0L);
  }

  @Test
  void an_attempt_that_did_not_leave_does_not_count_as_earlier() {
    agent.takeBroadcasts();
    BroadcastOptions options = HASTY.withRetryToken(client.token("t"));
    var first = client.broadcast(new byte[1], options);
    timer.runFor(PAST_ALL_NANOS);
    assertThat(reasonOf(first)).isEqualTo(Reason.AGENT_UNREACHABLE);
    connect();

    var unused = sent(options);

    assertThat(agent.broadcasts)
        .extracting(BroadcastRequest::getTokenAgeMillis)
        .containsExactly(0L);
  }

  @Test
  void an_attempt_of_unknown_outcome_counts_though_a_later_one_was_refused() {
    agent.takeBroadcasts();
    connect();
    BroadcastOptions options = HASTY.withRetryToken(client.token("t"));
    var unknown = sent(options);
    timer.runFor(PAST_ALL_NANOS);
    assertThat(reasonOf(unknown)).isEqualTo(Reason.OUTCOME_UNKNOWN);
    agent.refusal = RefusalReason.REFUSAL_REASON_NO_TREE;
    assertThat(reasonOf(sent(options))).isEqualTo(Reason.NO_TREE);

    var unused = sent(options);

    assertThat(agent.broadcasts)
        .extracting(BroadcastRequest::getTokenAgeMillis)
        .containsExactly(0L, 6_001L, 6_001L);
  }

  @Test
  void a_failure_does_not_deny_an_earlier_attempt() {
    agent.takeBroadcasts();
    connect();
    BroadcastOptions options = HASTY.withRetryToken(client.token("t"));
    var unused = sent(options);
    client.channel().lose(0, false);

    var again = client.broadcast(new byte[1], options);
    timer.runFor(PAST_ALL_NANOS);

    assertThat(again)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContainingAll(Reason.AGENT_UNREACHABLE + ": ", "token");
  }

  private CompletableFuture<BroadcastResult> sent(BroadcastOptions options) {
    var broadcast = client.broadcast(new byte[1], options);
    client.settle();
    return broadcast;
  }

  // Calls that lost their connection before they were written, and wait for the next one.

  @Test
  void an_operation_that_did_not_get_through_does_not_leave_while_its_failure_is_handled() {
    connect();
    var barrier = client.barrier("round 1", CollectiveOptions.defaults().withWait(SHORT));
    client.channel().lose(0, false);
    when(barrier, this::connect);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(barrier)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(agent.operations).isEmpty();
  }

  @Test
  void an_operation_that_left_just_before_it_was_given_up_may_count() {
    connect();
    var barrier = client.barrier("round 1", CollectiveOptions.defaults().withWait(SHORT));
    client.channel().lose(0, false);
    timer.runFor(SHORT.toNanos());
    connect();

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(agent.operations).hasSize(1);
    assertThat(reasonOf(barrier)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void an_operation_that_is_refused_when_it_is_asked_again_may_count() {
    connect();
    var barrier = client.barrier("round 1", CollectiveOptions.defaults().withWait(SHORT));
    client.settle();
    agent.refusal = RefusalReason.REFUSAL_REASON_NO_ROOM;
    client.channel().lose(0, false);
    client.settle();
    connect();

    timer.runFor(SHORT.toNanos());
    client.settle();

    assertThat(agent.operations).hasSize(2);
    assertThat(reasonOf(barrier)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void an_operation_that_is_refused_when_it_is_first_asked_does_not_count() {
    agent.refusal = RefusalReason.REFUSAL_REASON_NO_ROOM;
    connect();

    var barrier = client.barrier("round 1", CollectiveOptions.defaults().withWait(SHORT));
    client.settle();

    assertThat(reasonOf(barrier)).isEqualTo(Reason.BUFFER_FULL);
  }

  @Test
  void an_operation_whose_outcome_the_agent_cannot_hand_over_has_an_unknown_outcome() {
    agent.refusal = RefusalReason.REFUSAL_REASON_RESULT_NOT_READ;
    connect();

    var barrier = client.barrier("round 1", CollectiveOptions.defaults().withWait(SHORT));
    client.settle();

    assertThat(reasonOf(barrier)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void an_upload_that_did_not_get_through_does_not_leave_while_its_failure_is_handled() {
    connect();
    var upload = client.upload(new Payload(), HASTY);
    client.channel().lose(0, false);
    when(upload, this::connect);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(upload)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(agent.uploaded).isEmpty();
  }

  @Test
  void an_upload_that_fails_when_all_of_it_has_left_has_an_unknown_outcome() {
    connect();
    Payload payload = new Payload();
    var upload = client.upload(payload, HASTY);
    client.settle();
    assertThat(agent.uploaded).extracting(UploadRequest::hasEnd).endsWith(true);

    payload.fail();
    client.settle();

    assertThat(reasonOf(upload)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void an_upload_that_fails_before_its_end_has_left_is_abandoned() {
    connect();
    Payload payload = new Payload();
    var upload = client.upload(payload, HASTY);
    assertThat(client.runUpload()).isTrue();

    payload.fail();
    client.settle();

    assertThat(reasonOf(upload)).isEqualTo(Reason.INCOMPLETE);
    assertThat(agent.uploaded).noneMatch(UploadRequest::hasEnd);
  }

  // Claims.

  private CompletableFuture<Claim> acquire() {
    return client.acquire("leader", Duration.ofSeconds(1), SHORT);
  }

  private void connectToClaims() {
    client.channel().connect(voter.bindService());
    client.settle();
  }

  @Test
  void a_claim_that_was_not_asked_for_is_not_asked_for_while_its_failure_is_handled() {
    var claim = acquire();
    when(claim, this::connectToClaims);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(claim)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(voter.asked).isEmpty();
  }

  @Test
  void a_request_for_a_claim_that_was_not_written_does_not_leave_while_its_failure_is_handled() {
    connectToClaims();
    var claim = acquire();
    client.channel().lose(0, false);
    when(claim, this::connectToClaims);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(claim)).isEqualTo(Reason.AGENT_UNREACHABLE);
    assertThat(voter.asked).isEmpty();
  }

  @Test
  void a_claim_without_an_answer_has_an_unknown_outcome() {
    connectToClaims();
    var claim = acquire();
    client.settle();
    assertThat(voter.asked).hasSize(1);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(claim)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void a_claim_whose_agent_is_gone_after_the_request_has_an_unknown_outcome() {
    connectToClaims();
    var claim = acquire();
    client.settle();
    client.channel().lose(0, false);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();

    assertThat(reasonOf(claim)).isEqualTo(Reason.OUTCOME_UNKNOWN);
  }

  @Test
  void a_grant_that_comes_after_the_wait_is_not_taken() {
    connectToClaims();
    var claim = acquire();
    client.settle();
    timer.runFor(PAST_ALL_NANOS);

    voter.grant();
    client.settle();

    assertThat(reasonOf(claim)).isEqualTo(Reason.OUTCOME_UNKNOWN);
    assertThat(voter.asked).last().returns(true, HoldRequest::hasRelease);

    timer.runFor(PAST_ALL_NANOS);
    client.settle();
    assertThat(voter.ended).isEqualTo(1);
  }

  @Test
  void a_call_that_is_cancelled_while_it_is_granted_releases_the_claim() {
    connectToClaims();
    var claim = acquire();
    client.settle();
    voter.grant();
    client.settle();
    assertThat(voter.asked).last().returns(true, HoldRequest::hasRenew);

    claim.cancel(false);
    client.settle();
    assertThat(voter.asked).last().returns(true, HoldRequest::hasRelease);
  }

  /** Receives requests for claims, and grants them when the test says so. */
  private static final class Voter extends ClaimServiceGrpc.ClaimServiceImplBase {
    final List<HoldRequest> asked = new ArrayList<>();
    private final List<StreamObserver<HoldResponse>> calls = new ArrayList<>();
    private int ended;

    void grant() {
      calls.forEach(call -> call.onNext(HoldResponse.newBuilder().setFence(1).build()));
    }

    @Override
    public StreamObserver<HoldRequest> hold(StreamObserver<HoldResponse> answers) {
      calls.add(answers);
      ((ServerCallStreamObserver<HoldResponse>) answers).setOnCancelHandler(() -> ended++);
      return new Ignoring<>() {
        @Override
        public void onNext(HoldRequest request) {
          asked.add(request);
        }
      };
    }
  }

  /** A payload of one piece; it may fail even after its end, as publishers must not. */
  private static final class Payload implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
    private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> to) {
      subscriber = to;
      to.onSubscribe(this);
    }

    @Override
    public void request(long count) {
      Flow.Subscriber<? super ByteBuffer> to = subscriber;
      if (to != null) {
        to.onNext(ByteBuffer.wrap(new byte[] {1}));
        to.onComplete();
      }
    }

    @Override
    public void cancel() {}

    void fail() {
      Flow.Subscriber<? super ByteBuffer> to = subscriber;
      if (to != null) {
        to.onError(new IllegalStateException("the disk is gone"));
      }
    }
  }
}
