package io.treecast.agent.runtime.admin;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.runtime.server.UnreadAnswers;

/**
 * The single answer to an operator's call. Its bytes count as unread from {@link #give} until the
 * call ends. Thread-safe.
 *
 * @param <T> its type
 */
final class AdminAnswer<T extends MessageLite> {
  private final ServerCallStreamObserver<T> out;
  private final UnreadAnswers unread;
  private int bytes;
  private boolean over;

  /** Creates the answer; to be called before gRPC's thread returns from the call. */
  AdminAnswer(StreamObserver<T> response, UnreadAnswers unread) {
    this.out = (ServerCallStreamObserver<T>) response;
    this.unread = unread;
    out.setOnCancelHandler(this::over);
    out.setOnCloseHandler(this::over);
  }

  private synchronized void over() {
    over = true;
    unread.over(bytes);
    bytes = 0;
  }

  /** Returns whether the answer is counted now, or its call has ended. */
  private synchronized boolean isCounted(int answerBytes) {
    if (over) {
      return true;
    }
    if (!unread.add(answerBytes)) {
      return false;
    }
    bytes = answerBytes;
    return true;
  }

  void give(T answer) {
    int answerBytes = answer.getSerializedSize();
    if (isCounted(answerBytes)) {
      out.onNext(answer);
      out.onCompleted();
    } else {
      fail(
          Status.RESOURCE_EXHAUSTED
              .withDescription(
                  "answers of "
                      + unread.bytes()
                      + " bytes have not been read, and "
                      + answerBytes
                      + " more would pass the "
                      + unread.maxBytes()
                      + " that may be: read them, and ask again")
              .asException());
    }
  }

  void fail(Throwable why) {
    out.onError(why);
  }
}
