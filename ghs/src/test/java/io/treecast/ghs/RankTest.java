package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Ranks grow with every merge and every cut, even from the highest level. */
class RankTest {
  @Test
  void two_fragments_of_one_level_merge_into_the_next() {
    assertThat(new Rank(3, 1).nextLevel()).isEqualTo(new Rank(3, 2));
  }

  @Test
  void two_fragments_of_the_highest_level_merge_into_the_next_epoch() {
    Rank highest = new Rank(3, Rank.MAX_LEVEL);

    assertThat(highest.nextLevel()).isEqualTo(new Rank(4, 0));
    assertThat(highest.nextLevel().isHigherThan(highest)).isTrue();
  }

  @Test
  void a_fragment_that_is_cut_off_opens_the_next_epoch() {
    assertThat(new Rank(3, Rank.MAX_LEVEL).nextEpoch()).isEqualTo(new Rank(4, 0));
  }

  @Test
  void a_level_that_no_fragment_has_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Rank(0, Rank.MAX_LEVEL + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rank(0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rank(-1, 0));
  }
}
