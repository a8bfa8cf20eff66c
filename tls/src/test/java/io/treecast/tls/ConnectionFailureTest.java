package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.net.UnknownHostException;
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
        .isNotBlank()
        .doesNotContain("UNAVAILABLE", "Exception");
  }

  @Test
  void the_transports_words_on_a_deadline_are_left_out() {
    assertThat(
            ConnectionFailure.text(
                Status.DEADLINE_EXCEEDED.withDescription("CallOptions deadline exceeded after 9s")))
        .isNotBlank()
        .doesNotContain("CallOptions", "9s");
  }

  @Test
  void the_system_call_that_failed_is_left_out() {
    Status refused =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("connect(..) failed with error(-111): Connection refused"));
    assertThat(ConnectionFailure.text(refused)).isEqualTo("Connection refused");
  }

  @Test
  void causes_that_the_network_library_states_in_words_are_recognized() {
    Status tooLarge =
        Status.RESOURCE_EXHAUSTED.withDescription("gRPC message exceeds maximum size 4: 5");
    assertThat(ConnectionFailure.isTooLarge(tooLarge)).isTrue();
    assertThat(ConnectionFailure.isTooLarge(Status.RESOURCE_EXHAUSTED)).isFalse();

    Status unknownHost =
        Status.UNAVAILABLE.withCause(new IOException(new UnknownHostException("nowhere")));
    assertThat(ConnectionFailure.isUnknownHost(unknownHost)).isTrue();
    assertThat(ConnectionFailure.isUnknownHost(tooLarge)).isFalse();
    assertThat(ConnectionFailure.text(unknownHost)).isEqualTo("unknown host");

    Status closed = Status.UNAVAILABLE.withDescription("Network closed for unknown reason");
    assertThat(ConnectionFailure.isClosedAtOnce(closed)).isTrue();
    assertThat(ConnectionFailure.isClosedAtOnce(unknownHost)).isFalse();
    assertThat(
            ConnectionFailure.isClosedAtOnce(
                Status.UNAVAILABLE.withCause(new IOException("Connection reset by peer"))))
        .isTrue();
  }
}
