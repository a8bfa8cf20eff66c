package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first publication on many topics that a member may lack, and the cost of finding it. */
class OldestPublishedTest {
  private static final long NONE = -1;

  private final ReplicationLog log = new ReplicationLog(SMALL, () -> Long.MAX_VALUE, entry -> {});
  private int looks;
  private long publishedBytes;
  private final OldestPublished oldest =
      new OldestPublished(
          stream -> {
            looks++;
            return stream.oldestUnstable();
          });

  private static StreamId topic(int number) {
    return new StreamId(SELF, FIRST_START, "t" + number);
  }

  private StreamLog publish(int topic) {
    StreamLog known = log.find(topic(topic));
    StreamLog stream = known == null ? log.begin(topic(topic)) : known;
    MessageId id = new MessageId(stream.id(), stream.next().sequence());
    Chunk chunk = new Chunk(id, 0, true, 1, publishedBytes, bytes("1234"), 0, null, false);
    oldest.publishes(stream, publishedBytes);
    publishedBytes += chunk.cost();
    log.append(stream, chunk, bytes -> {});
    return stream;
  }

  private void isStable(StreamLog stream, long messages) {
    log.stableUpTo(stream, new Position(messages + 1, 0), 1);
  }

  private long first() {
    return log.streams().stream()
        .map(StreamLog::oldestUnstable)
        .filter(entry -> entry != null)
        .mapToLong(entry -> entry.item().publishedBytes())
        .min()
        .orElse(NONE);
  }

  @Test
  void the_cost_of_a_lookup_does_not_grow_with_the_number_of_topics() {
    for (int i = 0; i < 1_000; i++) {
      publish(i);
    }

    for (int i = 0; i < 100; i++) {
      publish(999);
      assertThat(oldest.publishedBefore(NONE)).isZero();
    }

    assertThat(looks).isEqualTo(100);
  }

  @Test
  void each_stream_is_found_when_the_one_before_is_stable() {
    for (int i = 0; i < 100; i++) {
      publish(i);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(oldest.publishedBefore(NONE)).isEqualTo(i * Chunk.cost(4));
      isStable(publish(i), 1);
    }

    assertThat(looks).as("once as it leads, once when it is stable").isLessThan(300);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void the_first_entry_is_found_whatever_becomes_stable_or_unstable(long seed) {
    Random random = new Random(seed);
    log.keepForAbsent(true);
    for (int step = 0; step < 1_000; step++) {
      int kind = random.nextInt(20);
      StreamLog stream = log.find(topic(random.nextInt(8)));
      if (kind == 0) {
        log.clearStable();
        oldest.recount(log.streams());
      } else if (kind < 10) {
        publish(random.nextInt(8));
      } else if (stream != null) {
        isStable(stream, random.nextLong(stream.next().sequence()));
      }
      if (random.nextBoolean()) {
        assertThat(oldest.publishedBefore(NONE))
            .as("seed %d step %d", seed, step)
            .isEqualTo(first());
      }
    }
  }
}
