package io.treecast.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sink from which another thread reads the payload of a large message while it arrives. Holds one
 * chunk; the subscription waits until it is read, so the reader must not be the handler's thread.
 * If the message fails, or its subscription is closed meanwhile, reads throw an {@link
 * IOException}.
 *
 * <p>The reader must {@link #close} the stream, also when reading fails, as try-with-resources
 * does. Otherwise the subscription waits without limit, and finally slows all publishers.
 *
 * <p>For one reader at a time.
 */
public final class PayloadInputStream extends InputStream implements PayloadSink {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private @Nullable ByteBuffer current;
  private boolean complete;
  private boolean closed;
  private @Nullable TreecastException failure;

  /** Creates a stream without bytes. */
  public PayloadInputStream() {}

  @Override
  public void chunk(ByteBuffer bytes) {
    lock.lock();
    try {
      current = bytes;
      changed.signalAll();
      while (bytes.hasRemaining() && !closed && failure == null) {
        changed.awaitUninterruptibly();
      }
      current = null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void complete() {
    lock.lock();
    try {
      complete = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(TreecastException why) {
    lock.lock();
    try {
      failure = failure == null ? why : failure;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * Waits for bytes, without a timeout.
   *
   * @throws IOException if the message fails, this stream was closed, or the thread is interrupted
   */
  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new IOException("the stream is closed");
        }
        if (length == 0) {
          return 0;
        }
        if (failure != null) {
          throw new IOException(failure.getMessage(), failure);
        }
        if (current != null && current.hasRemaining()) {
          int count = Math.min(length, current.remaining());
          current.get(into, offset, count);
          changed.signalAll();
          return count;
        }
        if (complete) {
          return -1;
        }
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      lock.unlock();
    }
  }

  /** Stops reading; further bytes are dropped. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
