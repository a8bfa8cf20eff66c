package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values that options return, and values that they refuse. */
class OptionsTest {
  private static final BroadcastOptions DEFAULTS = BroadcastOptions.defaults();

  @Test
  void the_defaults_of_a_broadcast() {
    assertThat(DEFAULTS.topic()).isEmpty();
    assertThat(DEFAULTS.waitLimit()).isNull();
    assertThat(DEFAULTS.confirm()).isEqualTo(Confirm.NONE);
    assertThat(DEFAULTS.confirmDeadline()).isZero();
    assertThat(DEFAULTS.minimumMembers()).isZero();
    assertThat(DEFAULTS.replicas()).isZero();
    assertThat(DEFAULTS.retryToken()).isNull();
    assertThat(DEFAULTS)
        .hasToString("BroadcastOptions[topic=, wait=default, confirm=NONE, retryToken=null]");
  }

  @Test
  void options_of_a_broadcast_are_read_back() {
    RetryToken token = RetryToken.create();
    BroadcastOptions told =
        DEFAULTS
            .withWait(Duration.ofSeconds(3))
            .withConfirm(Confirm.ALL, Duration.ofSeconds(10), 5)
            .withReplicas(2)
            .withRetryToken(token);
    assertThat(told.waitLimit()).isEqualTo(Duration.ofSeconds(3));
    assertThat(told.confirm()).isEqualTo(Confirm.ALL);
    assertThat(told.confirmDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(told.retryToken()).isSameAs(token);
    assertThat(told.toString())
        .startsWith(
            "BroadcastOptions[topic=, wait=PT3S, confirm=ALL within PT10S by at least 5, replicas=2,"
                + " retryToken=");
    assertThat(told.minimumMembers()).isEqualTo(5);
    assertThat(told.replicas()).isEqualTo(2);
    assertThat(told.withWait(Duration.ZERO).withTopic(""))
        .returns(5, BroadcastOptions::minimumMembers)
        .returns(2, BroadcastOptions::replicas);
    assertThat(told.withConfirm(Confirm.ALL, Duration.ofSeconds(10)).minimumMembers())
        .as("asked again without a minimum")
        .isZero();
  }

  @Test
  void options_with_the_same_values_are_equal() {
    BroadcastOptions prices = DEFAULTS.withTopic("prices");
    assertThat(prices)
        .isEqualTo(DEFAULTS.withTopic("prices"))
        .hasSameHashCodeAs(DEFAULTS.withTopic("prices"))
        .isNotEqualTo(DEFAULTS)
        .isNotEqualTo(prices.withWait(Duration.ZERO))
        .isNotEqualTo(prices.withReplicas(1))
        .isNotEqualTo(prices.withRetryToken(RetryToken.create()));
  }

  @Test
  void a_deadline_of_any_length_is_checked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withConfirm(Confirm.ALL, Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  void impossible_numbers_of_members_are_refused() {
    Duration deadline = Duration.ofSeconds(1);
    assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withReplicas(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withReplicas(BroadcastOptions.MAX_MEMBERS + 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withConfirm(Confirm.ALL, deadline, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> DEFAULTS.withConfirm(Confirm.ALL, deadline, BroadcastOptions.MAX_MEMBERS + 1));
    assertThatIllegalArgumentException()
        .as("nobody is asked")
        .isThrownBy(() -> DEFAULTS.withConfirm(Confirm.NONE, deadline, 1));
  }

  @Test
  void a_topic_that_cannot_be_written_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withTopic("a\ud800"))
        .withMessageContaining("surrogate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubscribeOptions.defaults().withTopics("\udc00"));
  }

  @Test
  void options_of_a_collective_operation_are_read_back() {
    CollectiveOptions defaults = CollectiveOptions.defaults();
    assertThat(defaults.waitLimit()).isNull();
    assertThat(defaults.participants()).isEmpty();
    assertThat(defaults.retryToken()).isNull();
    assertThat(defaults)
        .hasToString("CollectiveOptions[wait=default, among=all, minimum=1, retryToken=null]");

    RetryToken token = RetryToken.create();
    CollectiveOptions told =
        defaults.withRetryToken(token).among(Set.of("h2", "h1")).withWait(Duration.ofDays(1));
    assertThat(told.waitLimit()).isEqualTo(Duration.ofDays(1));
    assertThat(told.participants()).containsExactly("h1", "h2");
    assertThat(told.retryToken()).isSameAs(token);
    assertThat(told.toString())
        .startsWith("CollectiveOptions[wait=PT24H, among=[h1, h2], minimum=1, retryToken=");
    assertThat(told)
        .isEqualTo(
            defaults.among(Set.of("h1", "h2")).withWait(Duration.ofHours(24)).withRetryToken(token))
        .hasSameHashCodeAs(told.withRetryToken(RetryToken.create()))
        .isNotEqualTo(told.withRetryToken(RetryToken.create()))
        .isNotEqualTo(told.among(Set.of("h1")))
        .isNotEqualTo(told.withMinimum(2))
        .isNotEqualTo(told.withWait(Duration.ZERO));
  }

  @Test
  void impossible_options_of_a_collective_operation_are_refused() {
    CollectiveOptions defaults = CollectiveOptions.defaults();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.withWait(Duration.ofMillis(-1)))
        .withMessageContaining("PT-0.001S");
    assertThatIllegalArgumentException().isThrownBy(() -> defaults.withWait(Duration.ofHours(25)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.among(Set.of()))
        .withMessageMatching("0 .* 1 .* 10000.*");
    for (int minimum : new int[] {0, -1, 10_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> defaults.withMinimum(minimum))
          .withMessageMatching(".* " + minimum + "\\b.* 1 .* 10000.*");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.among(Set.of("h1", "h2")).withMinimum(3))
        .withMessageMatching(".* 3\\b.* 1 .* 2\\b.*");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.withMinimum(2).among(Set.of("h1")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.among(Set.of("h1", "")))
        .withMessageStartingWith("member ");
  }
}
