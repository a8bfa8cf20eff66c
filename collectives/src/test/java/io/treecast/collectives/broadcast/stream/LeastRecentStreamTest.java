package io.treecast.collectives.broadcast.stream;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often all streams are visited, which may be very many. */
class LeastRecentStreamTest {
  private final StreamLog a = new StreamLog(stream(A));
  private final StreamLog b = new StreamLog(stream(B));
  private @Nullable StreamLog evictable;
  private int looks;
  private long passed;
  private boolean isWaitedFor;

  private final LeastRecentStream longest =
      new LeastRecentStream(
          () -> {
            looks++;
            return List.of(a, b);
          },
          stream -> stream == evictable,
          stream -> !isWaitedFor,
          () -> passed);

  @Test
  void a_failed_search_is_not_repeated() {
    for (int i = 0; i < 100; i++) {
      assertThat(longest.find()).isNull();
    }
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void another_orphan_repeats_the_search() {
    longest.find();
    b.markOrphaned(true);
    longest.searchAgain();
    assertThat(longest.find()).isSameAs(b);
    assertThat(longest.find()).as("as long as it is there").isSameAs(b);
  }

  @Test
  void a_stream_that_may_be_unneeded_repeats_the_search() {
    longest.find();
    evictable = a;
    assertThat(longest.find()).isNull();
    longest.searchAgain();
    assertThat(longest.find()).isSameAs(a);
  }

  @Test
  void progress_in_an_orphan_repeats_the_search_once() {
    longest.find();
    passed++;
    longest.find();
    longest.find();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void a_stream_that_is_waited_for_stays() {
    b.markOrphaned(true);
    isWaitedFor = true;
    assertThat(longest.find()).isNull();

    isWaitedFor = false;
    assertThat(longest.find()).as("nobody has got anything").isNull();
    passed++;
    assertThat(longest.find()).isSameAs(b);
  }
}
