package io.treecast.agent.runtime.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.agent.runtime.UntimedLoop;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of uploads wait for a busy loop. */
class UploadCallsTest {
  private final EventLoop loop = UntimedLoop.create();

  private final LongAdder refusedBehind = new LongAdder();
  private final UploadCalls calls =
      new UploadCalls(
          () -> {
            throw new AssertionError("what is not allowed is refused before");
          },
          loop,
          8,
          refusedBehind);

  @AfterEach
  void stop() {
    loop.stop();
  }

  /** An application's end that remembers how its call ended. */
  private static final class Out extends UnheededResponses<UploadResponse> {
    volatile @Nullable Throwable error;

    String end() {
      return error == null ? "none" : String.valueOf(Status.fromThrowable(error).getDescription());
    }

    @Override
    public void onError(Throwable failure) {
      error = failure;
    }

    @Override
    public boolean isReady() {
      return true;
    }
  }

  private void runLoop() throws InterruptedException {
    loop.start();
    UntimedLoop.await(loop);
  }

  private static UploadRequest beginWithPayload() {
    return UploadRequest.newBuilder()
        .setBegin(BroadcastRequest.newBuilder().setPayload(ByteString.copyFrom(new byte[600_000])))
        .build();
  }

  @Test
  void requests_that_begin_are_refused_where_the_loop_has_no_room_for_them() throws Exception {
    Out first = new Out();
    Out second = new Out();
    // Both together are more than may wait.
    calls.accepted(first).onNext(beginWithPayload());
    calls.accepted(second).onNext(beginWithPayload());

    runLoop();

    assertThat(first.end()).startsWith("upload: ");
    assertThat(second.end()).doesNotStartWith("upload: ");
    assertThat(refusedBehind.sum()).isEqualTo(1);
  }

  @Test
  void a_request_larger_than_a_piece_is_not_queued() throws Exception {
    Out out = new Out();
    StreamObserver<UploadRequest> call = calls.accepted(out);
    call.onNext(UploadRequest.newBuilder().setBegin(BroadcastRequest.newBuilder()).build());

    WeakReference<UploadRequest> sent = sendTooLarge(call);

    await()
        .atMost(TestAgents.PATIENCE)
        .until(
            () -> {
              System.gc();
              return sent.get() == null;
            });
  }

  private static WeakReference<UploadRequest> sendTooLarge(StreamObserver<UploadRequest> call) {
    UploadRequest tooLarge =
        UploadRequest.newBuilder().setPiece(ByteString.copyFrom(new byte[600_000])).build();
    call.onNext(tooLarge);
    return new WeakReference<>(tooLarge);
  }
}
