package io.treecast.monitor.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.throughput.CliqueToken.Token;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One member's part; {@link CliqueSimulationTest} has whole cliques. */
class CliqueTokenTest {
  private static final long SECOND = 1_000_000_000L;

  private final CliqueToken<String> token = new CliqueToken<>("b");

  private void others(String... names) {
    token.members(new TreeSet<>(Set.of(names)), 0);
  }

  @Test
  void a_lone_member_always_has_its_turn_and_sends_nothing() {
    assertThat(token.isHeld(0)).isTrue();
    assertThat(token.tick(false, 1_000 * SECOND)).isNull();
    assertThat(token.nextDeadlineNanos(false)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_token_goes_to_the_next_higher_id_and_from_the_highest_to_the_lowest() {
    others("a", "c", "d");
    token.received(new Token<>(1, "a"), 0);
    assertThat(token.tick(false, SECOND - 1)).isNull();
    assertThat(token.tick(false, SECOND)).isEqualTo("c");
    assertThat(token.isHeld(SECOND)).isFalse();

    others("a", "0");
    token.received(token.token(), 0);
    assertThat(token.tick(false, SECOND)).isEqualTo("0");
  }

  @Test
  void a_member_that_uses_its_turn_keeps_the_token_for_a_limited_time() {
    others("a");
    token.received(new Token<>(1, "a"), 0);
    assertThat(token.tick(true, 9 * SECOND)).isNull();
    token.used(9 * SECOND);
    assertThat(token.tick(false, 9 * SECOND)).isEqualTo("a");

    token.received(new Token<>(1, "a"), 0);
    assertThat(token.isHeld(10 * SECOND)).as("also if nobody let time pass").isFalse();
    assertThat(token.tick(true, 10 * SECOND)).isEqualTo("a");
  }

  @Test
  void the_earlier_of_two_tokens_is_dropped() {
    others("a", "c");
    token.received(new Token<>(2, "b"), 0);
    assertThat(token.tick(false, SECOND)).isEqualTo("c");
    token.received(new Token<>(1, "a"), 2 * SECOND);
    assertThat(token.isHeld(2 * SECOND)).isFalse();
    token.received(new Token<>(2, "c"), 2 * SECOND);
    assertThat(token.isHeld(2 * SECOND)).as("the founder with the lower id counts").isFalse();
    token.received(new Token<>(2, "a"), 2 * SECOND);
    assertThat(token.isHeld(2 * SECOND)).isTrue();
  }

  @Test
  void a_token_that_does_not_come_by_is_replaced_by_one_of_the_next_generation() {
    others("a", "c");
    token.received(new Token<>(7, "a"), 0);
    assertThat(token.tick(false, SECOND)).isEqualTo("c");
    // As long as four hold it, and a second, since one has a lower id.
    long missedNanos = SECOND + 4 * 10 * SECOND + SECOND;
    assertThat(token.nextDeadlineNanos(false)).isEqualTo(missedNanos);
    assertThat(token.tick(false, missedNanos)).isNull();
    assertThat(token.isHeld(missedNanos)).isTrue();
    assertThat(token.token()).isEqualTo(new Token<>(8, "b"));
  }
}
