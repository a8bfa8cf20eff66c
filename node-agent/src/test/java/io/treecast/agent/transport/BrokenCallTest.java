package io.treecast.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log's text for a call that broke. */
class BrokenCallTest {
  @Test
  void a_caller_that_is_gone_is_not_called_a_client_that_cancelled() {
    assertThat(
            BrokenCall.reason(Status.CANCELLED.withDescription("client cancelled").asException()))
        .isNotBlank()
        .doesNotContain("client", "cancelled");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "recvAddress(..) failed with error(-104): Connection reset by peer | reset",
        "recvAddress(..) failed with error(-110) | acknowledged",
        "writevAddresses(..) failed with error(-5): Input/output error | Input/output error",
        "writevAddresses(..) failed with error(-5) | error 5",
        "Connection reset | Connection reset"
      })
  void system_calls_are_not_named(String cause, String words) {
    Status status =
        Status.UNAVAILABLE.withDescription("io exception").withCause(new IOException(cause));
    assertThat(BrokenCall.reason(status.asException())).contains(words).doesNotContain("(..)");
  }

  @Test
  void the_network_may_say_little_or_nothing() {
    assertThat(
            BrokenCall.reason(Status.UNAVAILABLE.withDescription("keepalive failed").asException()))
        .endsWith(": keepalive failed");
    assertThat(BrokenCall.reason(Status.UNAVAILABLE.asException()))
        .isNotBlank()
        .doesNotContain("UNAVAILABLE", "null");
  }

  @Test
  void the_other_ends_words_stay_as_they_are() {
    assertThat(BrokenCall.reason(Status.ABORTED.withDescription("too slow").asException()))
        .isEqualTo("too slow");
    assertThat(
            BrokenCall.reason(Status.INTERNAL.withCause(new IOException("broken")).asException()))
        .isEqualTo("INTERNAL (broken)");
  }

  @Test
  void the_other_ends_words_are_cut_and_have_no_control_characters() {
    assertThat(BrokenCall.reason(Status.ABORTED.withDescription("a\nb\u001b[31m").asException()))
        .isEqualTo("a?b?[31m");
    assertThat(BrokenCall.reason(Status.ABORTED.withDescription("x".repeat(9_000)).asException()))
        .hasSize(300);
  }
}
