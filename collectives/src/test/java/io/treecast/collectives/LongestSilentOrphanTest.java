package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.stream;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How often all streams are looked at, which may be very many. */
class LongestSilentOrphanTest {
  private final StreamLog a = new StreamLog(stream(A));
  private final StreamLog b = new StreamLog(stream(B));
  private int looks;
  private long released;

  private final LongestSilentOrphan orphan =
      new LongestSilentOrphan(
          () -> {
            looks++;
            return List.of(a, b);
          },
          () -> released);

  @Test
  void when_there_is_none_they_are_looked_at_once() {
    for (int i = 0; i < 100; i++) {
      assertThat(orphan.find()).isNull();
    }
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void they_are_looked_at_again_when_there_is_another_orphan() {
    orphan.find();
    b.markOrphaned(true);
    orphan.orphaned();
    assertThat(orphan.find()).isSameAs(b);
    assertThat(orphan.find()).as("as long as it is there").isSameAs(b);
  }

  @Test
  void and_once_when_something_of_an_orphan_was_let_go() {
    orphan.find();
    released++;
    orphan.find();
    orphan.find();
    assertThat(looks).isEqualTo(2);
  }
}
