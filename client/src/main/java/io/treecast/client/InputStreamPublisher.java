package io.treecast.client;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;

/**
 * Publishes an input stream to one subscriber, and reads on demand on a thread of its own.
 * Available bytes are published at once, in buffers of any size.
 */
final class InputStreamPublisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  private final InputStream in;
  private final Semaphore asked = new Semaphore(0);
  private volatile boolean cancelled;

  /** Creates a publisher for a stream, which the caller closes. */
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
    } catch (Throwable e) { // After any failure, the upload must not wait for more.
      subscriber.onError(e);
    }
  }
}
