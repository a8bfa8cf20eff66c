package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final long MILLI = 1_000_000;
  private static final List<Long> CEILINGS_MILLIS =
      List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);

  private final Backoff backoff =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new Random(1));

  @Test
  void delays_double_up_to_the_limit_and_are_shortened_by_up_to_half() {
    for (long ceilingMillis : CEILINGS_MILLIS) {
      assertThat(backoff.nextDelayNanos())
          .isBetween(ceilingMillis * MILLI / 2, ceilingMillis * MILLI);
    }
  }

  @Test
  void after_success_the_first_delay_follows_again() {
    CEILINGS_MILLIS.forEach(ceiling -> backoff.nextDelayNanos());

    backoff.reset();

    assertThat(backoff.nextDelayNanos()).isLessThanOrEqualTo(100 * MILLI);
    assertThat(backoff.nextDelayNanos()).isLessThanOrEqualTo(200 * MILLI);
  }

  @Test
  void delays_of_different_clients_differ() {
    Random random = new Random(2);
    long distinct =
        LongStream.range(0, 100)
            .map(
                client ->
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), random)
                        .nextDelayNanos())
            .distinct()
            .count();

    assertThat(distinct).isGreaterThan(90);
  }
}
