import io.treecast.client.BroadcastOptions;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.MissedMessages;
import io.treecast.client.PayloadSink;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The applications of bench/long-link: one publishes at an agent, one subscribes at another, in one process and so by one
 * clock. Prints the rate of each upload, from the call until the subscriber has all of it, and how long small broadcasts take
 * from one application to the other: while nothing else is sent, and during the uploads from the second on. Ends with an error
 * that names what did not come, if that takes longer than three minutes.
 *
 *   java -cp cli/target/treecast-all.jar bench/LongLinkLoad.java PUBLISHER_AGENT SUBSCRIBER_AGENT MEBIBYTES ROUNDS
 */
final class LongLinkLoad {
  private static final int IDLE_BROADCASTS = 41;
  private static final long SECONDS_AT_MOST = Long.getLong("seconds", 180);

  private final ConcurrentLinkedQueue<Double> millis = new ConcurrentLinkedQueue<>();
  private final LinkedBlockingQueue<Long> uploadsReceived = new LinkedBlockingQueue<>();
  private final AtomicLong uploadedBytesReceived = new AtomicLong();
  private final Thread main = Thread.currentThread();
  private int sent;

  /** The event that the main thread waits for, and the start of the wait. */
  private volatile String awaited = "the process to begin";

  private volatile long awaitedSince = System.nanoTime();

  public static void main(String[] arguments) throws Exception {
    new LongLinkLoad()
        .run(arguments[0], arguments[1], Long.parseLong(arguments[2]) << 20, Integer.parseInt(arguments[3]));
    System.exit(0);
  }

  private void run(String publisherAgent, String subscriberAgent, long bytes, int rounds) throws Exception {
    CountDownLatch live = new CountDownLatch(1);
    Thread watch = new Thread(this::watch, "watch");
    watch.setDaemon(true);
    watch.start();
    await("connections to " + publisherAgent + " and " + subscriberAgent);
    try (Treecast publisher = Treecast.connect(publisherAgent);
        Treecast subscriber = Treecast.connect(subscriberAgent)) {
      await("a live subscription at " + subscriberAgent);
      subscriber.subscribe(new Receiver(live)).ready().exceptionally(why -> fail("no subscription: " + why));
      live.await();
      broadcastSmall(publisher, 10, 50); // The code is not compiled yet, and the path not warm.
      awaitAll();
      millis.clear();
      sent = 0;
      broadcastSmall(publisher, IDLE_BROADCASTS, 100);
      double idle = report("idle");
      for (int round = 1; round <= rounds; round++) {
        uploadedBytesReceived.set(0);
        await("the end of upload " + round + " at the subscriber");
        long begin = System.nanoTime();
        CompletableFuture<?> upload = publisher.upload(new RandomBytes(bytes), BroadcastOptions.defaults());
        while (round > 1 && uploadsReceived.isEmpty()) {
          long since = awaitedSince;
          broadcastSmall(publisher, 1, 100);
          await("the end of upload " + round + " at the subscriber", since);
        }
        long end = uploadsReceived.take();
        await("the result of upload " + round + " at the publisher");
        upload.get();
        double seconds = (end - begin) / 1e9;
        System.out.printf("upload %d: %.2f s, %.1f Mbit/s%n", round, seconds, bytes * 8 / 1e6 / seconds);
      }
      if (rounds > 1) {
        System.out.printf("small broadcasts beside uploads take %.2f times as long%n", report("beside uploads") / idle);
      }
    }
  }

  private void await(String what) {
    await(what, System.nanoTime());
  }

  private void await(String what, long since) {
    awaitedSince = since;
    awaited = what;
  }

  /** Ends the process if the main thread waits for too long. */
  private void watch() {
    while (true) {
      try {
        Thread.sleep(1_000);
      } catch (InterruptedException e) {
        return;
      }
      if (System.nanoTime() - awaitedSince > TimeUnit.SECONDS.toNanos(SECONDS_AT_MOST)) {
        System.err.printf(
            "long-link: in %d s there came no sign of %s (small broadcasts: %d of %d received; upload: %d bytes received)%n",
            SECONDS_AT_MOST, awaited, millis.size(), sent, uploadedBytesReceived.get());
        for (StackTraceElement frame : main.getStackTrace()) {
          System.err.println("  at " + frame);
        }
        Runtime.getRuntime().halt(1);
      }
    }
  }

  private <T> T fail(String why) {
    System.err.println("long-link: " + why);
    Runtime.getRuntime().halt(1);
    return null;
  }

  private void broadcastSmall(Treecast publisher, int count, long intervalMillis) throws Exception {
    for (int i = 0; i < count; i++) {
      await("room for a small broadcast");
      sent++;
      byte[] payload = ByteBuffer.allocate(Long.BYTES).putLong(System.nanoTime()).array();
      publisher.broadcast(payload).exceptionally(why -> fail("a small broadcast failed: " + why));
      Thread.sleep(intervalMillis);
    }
  }

  /** Waits until all small broadcasts have arrived. */
  private void awaitAll() throws Exception {
    await("all small broadcasts at the subscriber");
    while (millis.size() < sent) {
      Thread.sleep(10);
    }
  }

  private double report(String when) throws Exception {
    awaitAll();
    sent = 0;
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    millis.clear();
    double median = sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    System.out.printf(
        "small broadcasts %s: median %.1f ms, 95 %% within %.1f ms, %d of them%n",
        when, median, sorted.length == 0 ? Double.NaN : sorted[sorted.length * 95 / 100], sorted.length);
    return median;
  }

  private final class Receiver implements MessageHandler {
    private final CountDownLatch live;

    Receiver(CountDownLatch live) {
      this.live = live;
    }

    @Override
    public void onLive() {
      live.countDown();
    }

    @Override
    public void onMessage(Message message) {
      long sent = ByteBuffer.wrap(message.payload()).getLong();
      millis.add((System.nanoTime() - sent) / 1e6);
    }

    @Override
    public void onMissed(MissedMessages missed) {
      fail("the subscriber missed " + missed);
    }

    @Override
    public PayloadSink onLargeMessage(MessageId id) {
      return new PayloadSink() {
        @Override
        public void chunk(ByteBuffer bytes) {
          uploadedBytesReceived.addAndGet(bytes.remaining());
        }

        @Override
        public void complete() {
          uploadsReceived.add(System.nanoTime());
        }

        @Override
        public void failed(TreecastException why) {
          fail("the upload failed: " + why);
        }
      };
    }
  }

  /** Bytes that nothing can compress. */
  private static final class RandomBytes extends InputStream {
    private final byte[] block = new byte[1 << 20];
    private long left;

    RandomBytes(long bytes) {
      left = bytes;
      new SplittableRandom(bytes).nextBytes(block);
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left == 0) {
        return -1;
      }
      int given = (int) Math.min(Math.min(left, length), block.length);
      System.arraycopy(block, 0, into, offset, given);
      left -= given;
      return given;
    }
  }
}
