package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusTextTest {
  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void the_names_of_the_transport_are_in_none(Status.Code code) {
    assertThat(StatusText.of(code.toStatus())).isNotBlank().doesNotContain(code.name());
    assertThat(StatusText.of(code.toStatus().withDescription("because")))
        .doesNotContain(code.name());
  }

  @Test
  void what_the_other_end_says_is_told_with_the_cause_that_says_most() {
    Status lost = Status.UNAVAILABLE.withDescription("closed");
    assertThat(StatusText.of(lost)).isEqualTo("closed");
    IOException reset = new IOException("Connection reset");
    assertThat(StatusText.of(lost.withCause(new IllegalStateException("failed", reset))))
        .isEqualTo("closed (Connection reset)");
    assertThat(StatusText.of(Status.UNAVAILABLE.withDescription("io exception").withCause(reset)))
        .isEqualTo("Connection reset");
    assertThat(StatusText.of(Status.UNAVAILABLE.withCause(reset))).isEqualTo("Connection reset");
    assertThat(StatusText.of(Status.UNAVAILABLE.withCause(new IOException())))
        .isEqualTo("the connection was lost");
  }

  @Test
  void what_the_transport_says_of_a_deadline_is_for_nobody() {
    assertThat(
            StatusText.of(
                Status.DEADLINE_EXCEEDED.withDescription("CallOptions deadline exceeded after 9s")))
        .isEqualTo("its time was over");
  }

  @Test
  void the_system_call_that_failed_is_for_nobody() {
    Status refused =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("connect(..) failed with error(-111): Connection refused"));
    assertThat(StatusText.of(refused)).isEqualTo("Connection refused");
  }
}
