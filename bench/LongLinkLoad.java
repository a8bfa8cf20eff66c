import io.treecast.client.BroadcastOptions;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.PayloadSink;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * The applications of bench/long-link: one publishes at an agent, one subscribes at another, in one process and so by one
 * clock. Prints the rate of each upload, from the call until the subscriber has all of it, and how long small broadcasts take
 * from one application to the other: while nothing else is sent, and during the uploads from the second on.
 *
 *   java -cp cli/target/treecast-all.jar bench/LongLinkLoad.java PUBLISHER_AGENT SUBSCRIBER_AGENT MEBIBYTES ROUNDS
 */
final class LongLinkLoad {
  private static final int IDLE_BROADCASTS = 41;
  private static final long MINUTES_AT_MOST = 3;

  private final ConcurrentLinkedQueue<Double> millis = new ConcurrentLinkedQueue<>();
  private final SynchronousQueue<Long> uploadsReceived = new SynchronousQueue<>();

  public static void main(String[] arguments) throws Exception {
    new LongLinkLoad()
        .run(arguments[0], arguments[1], Long.parseLong(arguments[2]) << 20, Integer.parseInt(arguments[3]));
    System.exit(0);
  }

  private void run(String publisherAgent, String subscriberAgent, long bytes, int rounds) throws Exception {
    CountDownLatch live = new CountDownLatch(1);
    try (Treecast publisher = Treecast.connect(publisherAgent);
        Treecast subscriber = Treecast.connect(subscriberAgent)) {
      subscriber.subscribe(new Receiver(live));
      live.await();
      broadcastSmall(publisher, 10, 50); // The code is not compiled yet, and the path not warm.
      millis.clear();
      broadcastSmall(publisher, IDLE_BROADCASTS, 100);
      double idle = report("idle");
      for (int round = 1; round <= rounds; round++) {
        long begin = System.nanoTime();
        CompletableFuture<?> upload = publisher.upload(new RandomBytes(bytes), BroadcastOptions.defaults());
        CompletableFuture<Long> received = CompletableFuture.supplyAsync(this::received);
        while (round > 1 && !received.isDone()) {
          broadcastSmall(publisher, 1, 100);
        }
        long end = received.get(MINUTES_AT_MOST, TimeUnit.MINUTES);
        upload.get(MINUTES_AT_MOST, TimeUnit.MINUTES);
        double seconds = (end - begin) / 1e9;
        System.out.printf("upload %d: %.2f s, %.1f Mbit/s%n", round, seconds, bytes * 8 / 1e6 / seconds);
      }
      if (rounds > 1) {
        System.out.printf("small broadcasts beside uploads take %.2f times as long%n", report("beside uploads") / idle);
      }
    }
  }

  private long received() {
    try {
      Long end = uploadsReceived.poll(MINUTES_AT_MOST, TimeUnit.MINUTES);
      if (end == null) {
        throw new IllegalStateException("the upload has not come in " + MINUTES_AT_MOST + " minutes");
      }
      return end;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void broadcastSmall(Treecast publisher, int count, long intervalMillis) throws Exception {
    for (int i = 0; i < count; i++) {
      publisher.broadcast(ByteBuffer.allocate(Long.BYTES).putLong(System.nanoTime()).array());
      Thread.sleep(intervalMillis);
    }
  }

  private double report(String when) throws Exception {
    Thread.sleep(1_500);
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
    public PayloadSink onLargeMessage(MessageId id) {
      return new PayloadSink() {
        @Override
        public void chunk(ByteBuffer bytes) {}

        @Override
        public void complete() {
          uploadsReceived.offer(System.nanoTime());
        }

        @Override
        public void failed(TreecastException why) {
          why.printStackTrace();
          System.exit(1);
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
