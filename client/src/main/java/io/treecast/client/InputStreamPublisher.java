package io.treecast.client;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;

/**
 * Publishes what an input stream has, to one subscriber, reading on a thread of its own when it is
 * asked. What is there is published at once, however little it is.
 */
final class InputStreamPublisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  private final InputStream in;
  private final Semaphore asked = new Semaphore(0);
  private volatile boolean cancelled;

  /** Of a stream that the caller closes when all is over. */
  InputStreamPublisher(InputStream in) {
    this.in = in;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(this);
    HandlerThread.factory("treecast-upload-reader").newThread(() -> publish(subscriber)).start();
  }

  @Override
  public void request(long count) {
    asked.release((int) Math.min(count, Integer.MAX_VALUE / 2));
  }

  @Override
  public void cancel() {
    cancelled = true;
    asked.release();
  }

  private void publish(Flow.Subscriber<? super ByteBuffer> subscriber) {
    try {
      while (true) {
        asked.acquire();
        if (cancelled) {
          return;
        }
        byte[] bytes = new byte[UploadCall.PIECE_BYTES];
        int length = in.read(bytes);
        if (length < 0) {
          subscriber.onComplete();
          return;
        }
        subscriber.onNext(ByteBuffer.wrap(bytes, 0, length));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      subscriber.onError(e);
    } catch (Throwable e) { // Whatever it is, the upload is not to wait for more.
      subscriber.onError(e);
    }
  }
}
