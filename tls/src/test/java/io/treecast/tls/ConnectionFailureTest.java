package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConnectionFailureTest {
  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void no_text_contains_the_transports_names(Status.Code code) {
    assertThat(ConnectionFailure.text(code.toStatus())).isNotBlank().doesNotContain(code.name());
    assertThat(ConnectionFailure.text(code.toStatus().withDescription("because")))
        .doesNotContain(code.name());
  }

  @Test
  void a_text_has_the_other_ends_words_and_the_most_specific_cause() {
    Status lost = Status.UNAVAILABLE.withDescription("closed");
    assertThat(ConnectionFailure.text(lost)).isEqualTo("closed");
    IOException reset = new IOException("Connection reset");
    assertThat(ConnectionFailure.text(lost.withCause(new IllegalStateException("failed", reset))))
        .isEqualTo("closed (Connection reset)");
    assertThat(
            ConnectionFailure.text(
                Status.UNAVAILABLE.withDescription("io exception").withCause(reset)))
        .isEqualTo("Connection reset");
    assertThat(ConnectionFailure.text(Status.UNAVAILABLE.withCause(reset)))
        .isEqualTo("Connection reset");
    assertThat(ConnectionFailure.text(Status.UNAVAILABLE.withCause(new IOException())))
        .isEqualTo("the connection was lost");
  }

  @Test
  void the_transports_words_on_a_deadline_are_left_out() {
    assertThat(
            ConnectionFailure.text(
                Status.DEADLINE_EXCEEDED.withDescription("CallOptions deadline exceeded after 9s")))
        .isEqualTo("its time was over");
  }

  @Test
  void the_system_call_that_failed_is_left_out() {
    Status refused =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("connect(..) failed with error(-111): Connection refused"));
    assertThat(ConnectionFailure.text(refused)).isEqualTo("Connection refused");
  }
}
