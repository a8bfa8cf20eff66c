package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class LeastOfWindowTest {
  private final LeastOfWindow estimator = new LeastOfWindow(3);

  @Test
  void expects_the_least_sample() {
    add(500, 200, 900);
    assertThat(estimator.rttNanos()).isEqualTo(200);
  }

  @Test
  void a_faster_link_shows_at_once() {
    add(500, 500, 500, 20);
    assertThat(estimator.rttNanos()).isEqualTo(20);
  }

  @Test
  void a_slower_link_shows_when_the_window_holds_slow_samples_only() {
    add(200, 900, 900);
    assertThat(estimator.rttNanos()).isEqualTo(200);
    add(900);
    assertThat(estimator.rttNanos()).isEqualTo(900);
  }

  @Test
  void has_no_estimate_before_the_first_sample() {
    assertThatIllegalStateException().isThrownBy(estimator::rttNanos);
  }

  @Test
  void refuses_a_negative_sample_and_an_empty_window() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> estimator.add(-1))
        .withMessageContaining("rttNanos is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeastOfWindow(0))
        .withMessageContaining("windowSamples is 0");
  }

  private void add(long... samples) {
    for (long sample : samples) {
      estimator.add(sample);
    }
  }
}
