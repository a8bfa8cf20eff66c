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
 * Uploads of some MiB at some agents, one after the other, and subscribers of others that must have
 * them. Each upload has a thread while it lasts; the test's thread calls.
 */
final class ContinuousUploads implements AutoCloseable {
  /** More than a client assembles in memory, so that each goes through a sink. */
  private static final int LEAST_BYTES = 9 << 19;

  private static final int MORE_BYTES = 3 << 20;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Within that an agent that is back is in everybody's tree again. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  private record Upload(int origin, long beganNanos) {}

  private final List<Treecast> clients;
  private final Random seeds;
  private final Map<Integer, UploadAudience> audiences = new TreeMap<>();
  private final Map<MessageId, Upload> accepted = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();

  /** By node, when it was last killed, frozen, or brought back. */
  private final Map<Integer, Long> disturbedNanos = new TreeMap<>();

  private final ScheduledExecutorService publishers;

  /**
   * Begins with the subscribers.
   *
   * @param clients one of each node
   * @param origins whose clients upload
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

  /** Returns a payload of its own for each seed, which stands at its begin. */
  private static byte[] payload(long seed) {
    Random random = new Random(seed);
    byte[] payload = new byte[LEAST_BYTES + random.nextInt(MORE_BYTES)];
    random.nextBytes(payload);
    ByteBuffer.wrap(payload).putLong(seed);
    return payload;
  }

  /** Returns whether it is one of those payloads, byte for byte. */
  static boolean isWhole(byte[] payload) {
    return payload.length >= LEAST_BYTES
        && Arrays.equals(payload, payload(ByteBuffer.wrap(payload).getLong()));
  }

  /** A node is killed, frozen, or brought back. */
  void disturbed(int node) {
    disturbedNanos.put(node, System.nanoTime());
  }

  /** No more begin; waits for those that go on, for which all agents have to run. */
  void finish(Duration limit) throws InterruptedException {
    publishers.shutdown();
    assertThat(publishers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS))
        .as("uploads end")
        .isTrue();
  }

  /**
   * Where neither the publisher's agent nor the subscriber's was killed or frozen since an upload
   * began, nor had just come back, the subscriber has it; where the publisher's was not, it has it
   * or was told that it does not get it.
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
