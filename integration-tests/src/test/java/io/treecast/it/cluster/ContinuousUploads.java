package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.MessageId;
import io.treecast.client.Treecast;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Consecutive uploads of some MiB at some agents, and subscribers at others that must receive them.
 * Each upload has its own thread; the test's thread calls.
 */
final class ContinuousUploads implements AutoCloseable {
  /** Size above the limit for messages in memory, so that each upload is received by a sink. */
  private static final int LEAST_BYTES = 9 << 19;

  private static final int MORE_BYTES = 3 << 20;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Time within which a restarted agent is in all trees again. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private record Upload(int origin, long beganNanos) {}

  private final List<Treecast> clients;
  private final Random seeds;
  private final Map<Integer, UploadAudience> audiences = new TreeMap<>();
  private final Map<MessageId, Upload> accepted = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();

  /** Time of the last kill, freeze or restart, by node. */
  private final Map<Integer, Long> disturbedNanos = new TreeMap<>();

  private final ScheduledExecutorService publishers;

  /**
   * Subscribes the audience.
   *
   * @param clients the client of each node
   * @param origins nodes whose clients upload
   * @param subscribed nodes whose clients subscribe
   */
  ContinuousUploads(
      List<Treecast> clients, List<Integer> origins, List<Integer> subscribed, long seed) {
    this.clients = clients;
    this.seeds = new Random(seed);
    this.publishers = Executors.newScheduledThreadPool(origins.size());
    for (int node : subscribed) {
      UploadAudience audience = new UploadAudience();
      audiences.put(node, audience);
      clients.get(node).subscribe(audience).ready().join();
    }
    for (int origin : origins) {
      var unused =
          publishers.scheduleWithFixedDelay(
              () -> upload(origin), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void upload(int origin) {
    byte[] payload;
    synchronized (seeds) {
      payload = payload(seeds.nextLong());
    }
    long beganNanos = System.nanoTime();
    try {
      MessageId id =
          clients
              .get(origin)
              .upload(
                  new ByteArrayInputStream(payload),
                  BroadcastOptions.defaults().withWait(Duration.ofMinutes(1)))
              .get()
              .messageId();
      accepted.put(id, new Upload(origin, beganNanos));
    } catch (ExecutionException refusal) {
      refused.increment();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the payload of a seed, which it begins with. */
  private static byte[] payload(long seed) {
    Random random = new Random(seed);
    byte[] payload = new byte[LEAST_BYTES + random.nextInt(MORE_BYTES)];
    random.nextBytes(payload);
    ByteBuffer.wrap(payload).putLong(seed);
    return payload;
  }

  /** Returns whether bytes are the complete payload of their seed. */
  static boolean isWhole(byte[] payload) {
    return payload.length >= LEAST_BYTES
        && Arrays.equals(payload, payload(ByteBuffer.wrap(payload).getLong()));
  }

  /** Records that a node was killed, frozen, or restarted. */
  void disturbed(int node) {
    disturbedNanos.put(node, System.nanoTime());
  }

  /** Begins no further uploads and waits for the present ones, while all agents run. */
  void finish(Duration limit) throws InterruptedException {
    publishers.shutdown();
    assertThat(publishers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS))
        .as("uploads end")
        .isTrue();
  }

  /**
   * Asserts that a subscriber has each upload if neither its agent nor the publisher's was
   * disturbed since the upload began, and had not just restarted. If only the subscriber's agent
   * was disturbed, the subscriber has the upload or was notified of its loss.
   */
  void assertDelivered(List<String> happened) {
    audiences.forEach(
        (node, audience) -> {
          assertThat(audience.problems()).as("node %s; %s", node, happened).isEmpty();
          accepted.forEach((id, upload) -> assertDelivered(id, upload, node, audience, happened));
        });
  }

  private void assertDelivered(
      MessageId id, Upload upload, int node, UploadAudience audience, List<String> happened) {
    if (!audience.has(id) && !wasDisturbed(upload.origin(), upload)) {
      assertThat(audience.isToldOfLoss(id))
          .as("%s is lost for node %s, and that is named; %s", id, node, happened)
          .isTrue();
      assertThat(wasDisturbed(node, upload))
          .as("%s is lost for node %s, whose agent was not; %s", id, node, happened)
          .isTrue();
    }
  }

  private boolean wasDisturbed(int node, Upload upload) {
    Long last = disturbedNanos.get(node);
    return last != null && last + RECOVERY.toNanos() - upload.beganNanos() > 0;
  }

  @Override
  public String toString() {
    return "%d uploads accepted, %d refused, %s received at %s"
        .formatted(
            accepted.size(),
            refused.sum(),
            audiences.values().stream().map(UploadAudience::received).toList(),
            audiences.keySet());
  }

  @Override
  public void close() {
    publishers.shutdownNow();
  }
}
