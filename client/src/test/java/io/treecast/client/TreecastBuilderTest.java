package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TreecastBuilderTest {
  private final TreecastBuilder builder = Treecast.builder("127.0.0.1:7700");

  @Test
  void limits_below_one_are_refused_by_name() {
    assertThatThrownBy(() -> builder.maxPayloadBytes(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxPayloadBytes is 0");
    assertThatThrownBy(() -> builder.maxPendingBytes(0))
        .hasMessageContaining("maxPendingBytes is 0");
    assertThatThrownBy(() -> builder.maxAssemblyBytes(-1))
        .hasMessageContaining("maxAssemblyBytes is -1");
  }

  @Test
  void delays_out_of_range_are_refused() {
    Duration second = Duration.ofSeconds(1);

    assertThatThrownBy(() -> builder.reconnectDelay(Duration.ZERO, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("reconnectDelay", "PT0S", "PT1S");
    assertThatThrownBy(() -> builder.reconnectDelay(second.plusMillis(1), second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.reconnectDelay(second, Duration.ofMinutes(61)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.reconnectDelay(second, Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.defaultWait(Duration.ofMinutes(61)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
