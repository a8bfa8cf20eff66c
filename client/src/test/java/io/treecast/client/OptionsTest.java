package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What options say of themselves, and what they do not take. */
class OptionsTest {
  private static final BroadcastOptions DEFAULTS = BroadcastOptions.defaults();

  @Test
  void theDefaultsOfABroadcast() {
    assertThat(DEFAULTS.topic()).isEmpty();
    assertThat(DEFAULTS.waitLimit()).isNull();
    assertThat(DEFAULTS.confirm()).isEqualTo(Confirm.NONE);
    assertThat(DEFAULTS.confirmDeadline()).isZero();
    assertThat(DEFAULTS.retryToken()).isNull();
    assertThat(DEFAULTS)
        .hasToString("BroadcastOptions[topic=, wait=default, confirm=NONE, retryToken=null]");
  }

  @Test
  void whatABroadcastWasToldIsRead() {
    RetryToken token = RetryToken.create();
    BroadcastOptions told =
        DEFAULTS
            .withWait(Duration.ofSeconds(3))
            .withConfirm(Confirm.ALL, Duration.ofSeconds(10))
            .withRetryToken(token);
    assertThat(told.waitLimit()).isEqualTo(Duration.ofSeconds(3));
    assertThat(told.confirm()).isEqualTo(Confirm.ALL);
    assertThat(told.confirmDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(told.retryToken()).isSameAs(token);
    assertThat(told.toString())
        .startsWith("BroadcastOptions[topic=, wait=PT3S, confirm=ALL within PT10S, retryToken=");
  }

  @Test
  void thoseThatSayTheSameAreEqual() {
    BroadcastOptions prices = DEFAULTS.withTopic("prices");
    assertThat(prices)
        .isEqualTo(DEFAULTS.withTopic("prices"))
        .hasSameHashCodeAs(DEFAULTS.withTopic("prices"))
        .isNotEqualTo(DEFAULTS)
        .isNotEqualTo(prices.withWait(Duration.ZERO))
        .isNotEqualTo(prices.withRetryToken(RetryToken.create()));
  }

  @Test
  void aDeadlineOfAnyLengthIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withConfirm(Confirm.ALL, Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  void aTopicThatCanNotBeWrittenIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withTopic("a\ud800"))
        .withMessage("topic name with half of a surrogate pair, which is no character");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubscribeOptions.defaults().withTopics("\udc00"));
  }
}
