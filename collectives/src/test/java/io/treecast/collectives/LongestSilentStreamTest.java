package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often all streams are looked at, which may be very many. */
class LongestSilentStreamTest {
  private final StreamLog a = new StreamLog(stream(A));
  private final StreamLog b = new StreamLog(stream(B));
  private @Nullable StreamLog dispensable;
  private int looks;
  private long released;

  private final LongestSilentStream longest =
      new LongestSilentStream(
          () -> {
            looks++;
            return List.of(a, b);
          },
          stream -> stream == dispensable,
          () -> released);

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
  void and_once_when_something_of_an_orphan_was_let_go() {
    longest.find();
    released++;
    longest.find();
    longest.find();
    assertThat(looks).isEqualTo(2);
  }
}
