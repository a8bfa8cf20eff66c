package io.treecast.cli.bench;

import io.treecast.client.BroadcastResult;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An application that publishes as fast as its agent takes it, and one that counts what arrives.
 * Not more than a window is under way between them, so that the agents' buffers are not the
 * measure.
 *
 * <p>A thread of its own publishes; network threads answer it.
 */
final class BroadcastLoad {
  /** Fills the pipeline of a long line; below an agent's share of the log. */
  private static final int WINDOW_BYTES = 4 << 20;

  private static final int WINDOW_MESSAGES = 512;
  private static final Duration WAIT = Duration.ofSeconds(30);

  /** The agent says that members are slow, not when they are no longer. */
  private static final long BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Treecast publisher;
  private final byte[] payload;
  private final Semaphore window;
  private final ArrivalMeter meter = new ArrivalMeter();
  private volatile boolean agentIsFull;
  private volatile boolean ended;

  private BroadcastLoad(Treecast publisher, int payloadBytes) {
    this.publisher = publisher;
    this.payload = new byte[payloadBytes];
    this.window =
        new Semaphore(Math.max(1, Math.min(WINDOW_MESSAGES, WINDOW_BYTES / payloadBytes)));
  }

  /** What arrives at the second agent of what is published at the first, per second. */
  static Throughput measure(String from, String to, int payloadBytes, int seconds)
      throws InterruptedException {
    try (Treecast publisher = Treecast.connect(from);
        Treecast subscriber = Treecast.connect(to)) {
      BroadcastLoad load = new BroadcastLoad(publisher, payloadBytes);
      subscriber.subscribe(message -> load.arrived()).ready().join();
      Thread publishing = new Thread(load::publish, "treecast-bench-publisher");
      publishing.start();
      try {
        return load.meter.measure(payloadBytes, seconds);
      } finally {
        load.ended = true;
        publishing.interrupt();
        publishing.join();
      }
    }
  }

  private void arrived() {
    window.release();
    meter.arrived();
  }

  private void publish() {
    try {
      while (!ended) {
        window.acquire();
        if (agentIsFull) {
          agentIsFull = false;
          LockSupport.parkNanos(BACK_OFF_NANOS);
        }
        var unused = publisher.broadcast(payload, WAIT).whenComplete(this::answered);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void answered(@Nullable BroadcastResult accepted, @Nullable Throwable error) {
    if (error == null || ended) {
      return;
    }
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof TreecastException refused
        && refused.reason() == TreecastException.Reason.BUFFER_FULL) {
      agentIsFull = true;
      window.release();
    } else {
      meter.failed(String.valueOf(error.getMessage()));
    }
  }
}
