package io.treecast.collectives.broadcast.stream;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often all streams are looked at, which may be very many. */
class LongestSilentStreamTest {
  private final StreamLog a = new StreamLog(stream(A));
  private final StreamLog b = new StreamLog(stream(B));
  private @Nullable StreamLog dispensable;
  private int looks;
  private long passed;
  private boolean isWaitedFor;

  private final LongestSilentStream longest =
      new LongestSilentStream(
          () -> {
            looks++;
            return List.of(a, b);
          },
          stream -> stream == dispensable,
          stream -> !isWaitedFor,
          () -> passed);

  @Test
  void when_there_is_none_they_are_looked_at_once() {
    for (int i = 0; i < 100; i++) {
      assertThat(longest.find()).isNull();
    }
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void they_are_looked_at_again_when_there_is_another_orphan() {
    longest.find();
    b.markOrphaned(true);
    longest.mayBeFound();
    assertThat(longest.find()).isSameAs(b);
    assertThat(longest.find()).as("as long as it is there").isSameAs(b);
  }

  @Test
  void and_when_one_may_be_needed_no_more() {
    longest.find();
    dispensable = a;
    assertThat(longest.find()).isNull();
    longest.mayBeFound();
    assertThat(longest.find()).isSameAs(a);
  }

  @Test
  void and_once_when_somebody_has_got_something_of_an_orphan() {
    longest.find();
    passed++;
    longest.find();
    longest.find();
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void one_that_is_waited_for_stays() {
    b.markOrphaned(true);
    isWaitedFor = true;
    assertThat(longest.find()).isNull();

    isWaitedFor = false;
    assertThat(longest.find()).as("nobody has got anything").isNull();
    passed++;
    assertThat(longest.find()).isSameAs(b);
  }
}
