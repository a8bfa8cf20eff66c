package io.treecast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An output that does not block its writers if its reader hangs: a daemon thread writes from a
 * bounded queue. Lines that exceed the queue are dropped, log lines below WARN first. When the
 * reader continues, a line reports the number of dropped lines. Thread-safe.
 */
public final class UnblockedOutput extends OutputStream {
  static final int MOST_QUEUED_BYTES = 1 << 20;

  /** Queue size above which detail is dropped. */
  private static final int MOST_DETAIL_BYTES = MOST_QUEUED_BYTES / 4 * 3;

  /** The beginning of log lines that are dropped first. */
  private static final Pattern DETAIL = Pattern.compile("^\\S+ (INFO|DEBUG|TRACE) ");

  private static final int LEVEL_BYTES = 64;

  private final OutputStream target;
  private final LongFunction<String> droppedLine;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
  private int queuedBytes;
  private long dropped;
  private boolean isWriting;
  private @Nullable IOException failure;

  private UnblockedOutput(OutputStream target, LongFunction<String> droppedLine) {
    this.target = target;
    this.droppedLine = droppedLine;
  }

  /**
   * Returns an output to a stream, until the process ends.
   *
   * @param name the name of the thread
   * @param droppedLine returns the line that reports a number of dropped lines, without its line
   *     end
   */
  public static UnblockedOutput to(
      OutputStream target, String name, LongFunction<String> droppedLine) {
    UnblockedOutput output = new UnblockedOutput(target, droppedLine);
    Thread thread = new Thread(output::writeAll, name);
    thread.setDaemon(true);
    thread.start();
    return output;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /**
   * Queues the bytes, one or a few complete lines.
   *
   * @throws IOException if an earlier write has failed
   */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    byte[] lines = Arrays.copyOfRange(bytes, offset, offset + length);
    lock.lock();
    try {
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      int most = isDetail(lines) ? MOST_DETAIL_BYTES : MOST_QUEUED_BYTES;
      if (queuedBytes + length > most) {
        dropped++;
      } else {
        queue.add(lines);
        queuedBytes += length;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isDetail(byte[] lines) {
    return DETAIL.matcher(new String(lines, 0, Math.min(LEVEL_BYTES, lines.length), UTF_8)).find();
  }

  private void writeAll() {
    try {
      while (true) {
        byte[] next = next();
        target.write(next);
        target.flush();
        lock.lock();
        try {
          isWriting = false;
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the next line to write. Drops are reported once half of the queue is free again. */
  private byte[] next() throws InterruptedException {
    lock.lock();
    try {
      while (queue.isEmpty() && dropped == 0) {
        changed.await();
      }
      isWriting = true;
      if (dropped > 0 && queuedBytes <= MOST_QUEUED_BYTES / 2) {
        byte[] line = (droppedLine.apply(dropped) + System.lineSeparator()).getBytes(UTF_8);
        dropped = 0;
        return line;
      }
      byte[] next = queue.remove();
      queuedBytes -= next.length;
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void fail(IOException e) {
    lock.lock();
    try {
      failure = e;
      queue.clear();
      queuedBytes = 0;
      isWriting = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the queue is written, up to a timeout. */
  public void drain(long millis) {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      while ((!queue.isEmpty() || dropped > 0 || isWriting) && failure == null && leftNanos > 0) {
        leftNanos = changed.awaitNanos(leftNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
