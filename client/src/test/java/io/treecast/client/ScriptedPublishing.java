package io.treecast.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.Refusal;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** The agent's side of a call for broadcasts: passes them to a test, and sends its answers. */
final class ScriptedPublishing implements StreamObserver<PublishRequest> {
  private final ServerCallStreamObserver<PublishResponse> call;
  private final BiConsumer<io.treecast.proto.v1.BroadcastRequest, Answer> broadcasts;
  private final Map<Long, Answer> answers = new ConcurrentHashMap<>();

  /** Creates a call without an answer of the agent. */
  ScriptedPublishing(
      ServerCallStreamObserver<PublishResponse> call,
      BiConsumer<io.treecast.proto.v1.BroadcastRequest, Answer> broadcasts) {
    this.call = call;
    this.broadcasts = broadcasts;
    // Without a handler gRPC throws into a script that answers a cancelled call.
    call.setOnCancelHandler(() -> {});
  }

  /** Accepts broadcasts with payloads of up to this size. */
  void begin(long maxPayloadBytes) {
    send(
        PublishResponse.newBuilder()
            .setBegan(PublishingBegan.newBuilder().setMaxPayloadBytes(maxPayloadBytes)));
  }

  /** Ends the call without a reason of the agent. */
  void end(Status status) {
    end(status.asRuntimeException());
  }

  /** Ends the call. */
  void end(StatusRuntimeException failure) {
    call.onError(failure);
  }

  @Override
  public void onNext(PublishRequest request) {
    if (request.hasWithdrawal()) {
      Objects.requireNonNull(answers.get(request.getNumber())).withdrawn = true;
      return;
    }
    long number = request.getNumber();
    for (io.treecast.proto.v1.BroadcastRequest broadcast : request.getBroadcastsList()) {
      Answer answer = new Answer(number);
      answers.put(number, answer);
      broadcasts.accept(broadcast, answer);
      number++;
    }
  }

  @Override
  public void onError(Throwable error) {}

  @Override
  public void onCompleted() {}

  private synchronized void send(PublishResponse.Builder response) {
    call.onNext(response.build());
  }

  /** The answer to one broadcast: the first call of the test becomes the answer. */
  final class Answer implements StreamObserver<BroadcastResponse> {
    private final long number;
    private volatile boolean withdrawn;

    private Answer(long number) {
      this.number = number;
    }

    /** Returns whether the client has cancelled the broadcast. */
    boolean isCancelled() {
      return withdrawn || call.isCancelled();
    }

    @Override
    public void onNext(BroadcastResponse accepted) {
      answer(PublishAnswer.newBuilder().setAccepted(accepted));
    }

    @Override
    public void onError(Throwable refusal) {
      CallFailure failure = CallFailure.of(refusal);
      answer(
          PublishAnswer.newBuilder()
              .setRefused(
                  Refusal.newBuilder().setReason(failure.reason()).setText(failure.text())));
    }

    private void answer(PublishAnswer.Builder answer) {
      send(PublishResponse.newBuilder().addAnswers(answer.setNumber(number)));
    }

    @Override
    public void onCompleted() {}
  }
}
