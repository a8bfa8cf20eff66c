package io.treecast.cli.bench;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadSink;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * An application that publishes as fast as its agent accepts, and one that counts arrivals. A
 * window limits the messages in flight between them, so that the agents' buffers do not distort the
 * result; it has one payload if payloads must be uploaded.
 *
 * <p>Publishes on its own thread; answers arrive on network threads.
 */
final class BroadcastLoad {
  /** Larger payloads are uploaded, and arrive piece by piece. */
  static final int MAX_WHOLE_BYTES = 4 << 20;

  /** Fills the pipeline of a long line; below an agent's share of the log. */
  private static final int WINDOW_BYTES = 4 << 20;

  private static final int WINDOW_MESSAGES = 512;
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final Treecast publisher;
  private final int payloadBytes;

  /** Permits for messages that have not arrived. */
  private final Semaphore window;

  /** Permits for messages without an answer; the receiver may be ahead of the answers. */
  private final Semaphore answers;

  private final ArrivalMeter meter = new ArrivalMeter();
  private volatile boolean ended;

  private BroadcastLoad(Treecast publisher, int payloadBytes) {
    this.publisher = publisher;
    this.payloadBytes = payloadBytes;
    int messages = Math.max(1, Math.min(WINDOW_MESSAGES, WINDOW_BYTES / payloadBytes));
    this.window = new Semaphore(messages);
    this.answers = new Semaphore(messages);
  }

  /** Measures the throughput of messages from the first agent to the second. */
  static Throughput measure(String from, String to, int payloadBytes, int seconds)
      throws InterruptedException {
    try (Treecast publisher = Treecast.connect(from);
        Treecast subscriber = Treecast.connect(to)) {
      BroadcastLoad load = new BroadcastLoad(publisher, payloadBytes);
      subscriber.subscribe(load.new Receiver()).ready().join();
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

  /** Counts and discards payloads of any size. */
  private final class Receiver implements MessageHandler, PayloadSink {
    @Override
    public void onMessage(Message message) {
      meter.arrived(payloadBytes);
      window.release();
    }

    @Override
    public PayloadSink onLargeMessage(MessageId messageId) {
      return this;
    }

    @Override
    public void chunk(ByteBuffer bytes) {
      meter.arrived(bytes.remaining());
    }

    @Override
    public void complete() {
      window.release();
    }

    @Override
    public void failed(TreecastException why) {
      lost(why);
    }
  }

  private void publish() {
    byte[] payload = new byte[Math.min(payloadBytes, MAX_WHOLE_BYTES)];
    BroadcastOptions options = BroadcastOptions.defaults().withWait(WAIT);
    try {
      while (!ended) {
        window.acquire();
        answers.acquire();
        CompletableFuture<BroadcastResult> accepted =
            payloadBytes > MAX_WHOLE_BYTES
                ? publisher.upload(new Repeated(payload, payloadBytes), options)
                : publisher.broadcast(payload, options);
        var unused = accepted.whenComplete(this::answered);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void answered(@Nullable BroadcastResult accepted, @Nullable Throwable error) {
    answers.release();
    if (error != null) {
      lost(error);
    }
  }

  private void lost(Throwable error) {
    if (!ended) {
      meter.failed(String.valueOf(error.getMessage()));
    }
  }
}
