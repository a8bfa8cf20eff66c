package io.treecast.agent.transport.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.transport.connection.TcpSocket;
import io.treecast.agent.transport.connection.TcpSocket.Measurements;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender that sends all it may through one queue, in steps of a millisecond. */
class UploadPaceTest {
  private static final long STEP_NANOS = 1_000_000;

  /** The queue that congestion control fills where nothing limits the sender. */
  private static final double FULL_QUEUE_MILLIS = 100;

  private final UploadPace pace = new UploadPace();
  private final SplittableRandom random = new SplittableRandom(1);

  private double bytesPerMilli = 12_500; // 100 Mbit/s
  private double roundTripMillis = 20;

  /** The mean of what a busy machine adds to a measured round trip. */
  private double noiseMillis;

  /** The queue that other traffic keeps. */
  private double othersQueueMillis;

  /** How much the application has to send. */
  private double offeredBytesPerMilli = Double.MAX_VALUE;

  private double queueMillis;
  private double ackedBytes;
  private long nowNanos = 1;

  // Of the last run.
  private double meanQueueMillis;
  private double throughput;

  private void run(int seconds) {
    double queues = 0;
    double carried = 0;
    for (int milli = 0; milli < seconds * 1_000; milli++) {
      double limit = pace.bytesPerSecond() / 1e3;
      // Without a pace congestion control fills the queue.
      double sent =
          Math.min(offeredBytesPerMilli, limit == TcpSocket.UNLIMITED ? 2 * bytesPerMilli : limit);
      double arrived = queueMillis > 0 ? bytesPerMilli : Math.min(sent, bytesPerMilli);
      queueMillis =
          Math.max(0, Math.min(FULL_QUEUE_MILLIS, queueMillis + sent / bytesPerMilli - 1));
      nowNanos += STEP_NANOS;
      ackedBytes += arrived;
      if (pace.isDue(nowNanos)) {
        var unused = pace.take(measured(), nowNanos);
      }
      queues += queueMillis;
      carried += arrived;
    }
    meanQueueMillis = queues / (seconds * 1_000);
    throughput = carried / (seconds * 1_000 * bytesPerMilli);
  }

  private Measurements measured() {
    double noise = -noiseMillis * Math.log(1 - random.nextDouble());
    double rttMillis = roundTripMillis + queueMillis + othersQueueMillis + noise;
    return new Measurements(
        (long) ackedBytes, (long) (rttMillis * 1e3), (long) (roundTripMillis * 1e3));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 50, 150, 300, 700})
  void the_queue_is_short_and_the_link_nearly_full(int millis) {
    roundTripMillis = millis;
    run(3 + millis / 25);
    run(120);
    assertThat(meanQueueMillis).isLessThan(millis / 4.0);
    assertThat(throughput).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @CsvSource({"20, 2", "20, 5", "20, 10", "20, 40", "150, 30", "150, 60", "150, 120", "150, 300"})
  void a_busy_machine_does_not_slow_uploads_down(int withoutQueueMillis, int busyMillis) {
    roundTripMillis = withoutQueueMillis;
    noiseMillis = busyMillis;
    run(300);
    assertThat(throughput).isGreaterThan(0.75);
  }

  @Test
  void nothing_is_limited_before_there_is_a_queue() {
    offeredBytesPerMilli = bytesPerMilli / 2;
    run(30);
    assertThat(pace.bytesPerSecond()).isEqualTo(TcpSocket.UNLIMITED);
  }

  @Test
  void a_pace_that_is_not_used_does_not_grow() {
    run(10);
    offeredBytesPerMilli = bytesPerMilli / 2;
    run(60);
    assertThat(pace.bytesPerSecond()).isLessThan((long) (bytesPerMilli * 1_100));
  }

  @Test
  void a_short_link_is_never_limited() {
    roundTripMillis = 9;
    run(10);
    assertThat(pace.bytesPerSecond()).isEqualTo(TcpSocket.UNLIMITED);
  }

  @Test
  void a_faster_link_is_soon_full_again() {
    run(20);
    bytesPerMilli *= 2;
    run(5);
    run(10);
    assertThat(throughput).isGreaterThan(0.9);
  }

  @Test
  void a_slower_link_soon_has_a_short_queue_again() {
    run(20);
    bytesPerMilli /= 4;
    run(15);
    run(10);
    assertThat(meanQueueMillis).isLessThan(5);
    assertThat(throughput).isGreaterThan(0.9);
  }

  @Test
  void changing_queues_of_others_do_not_starve_uploads() {
    run(10);
    double sum = 0;
    for (int second = 0; second < 300; second++) {
      othersQueueMillis = random.nextDouble(80);
      run(1);
      sum += throughput;
    }
    assertThat(sum / 300).isGreaterThan(0.75);
  }
}
