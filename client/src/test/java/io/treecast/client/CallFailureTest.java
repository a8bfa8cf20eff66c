package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallFailureTest {
  private static final AgentAddress AGENT = AgentAddress.parse("127.0.0.1:7700");

  private static Reason reason(Status status) {
    return CallFailure.of(status.asRuntimeException()).ofCall(AGENT).reason();
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"DEADLINE_EXCEEDED", "UNAVAILABLE"})
  void an_agent_that_does_not_answer_is_unreachable(Status.Code code) {
    assertThat(reason(Status.fromCode(code))).isEqualTo(Reason.AGENT_UNREACHABLE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL"})
  void a_call_that_the_server_breaks_off_may_have_had_an_effect(Status.Code code) {
    assertThat(CallFailure.of(Status.fromCode(code)).isWithoutEffect()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"UNAVAILABLE", "UNIMPLEMENTED", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED"})
  void a_call_that_is_refused_has_no_effect(Status.Code code) {
    assertThat(CallFailure.of(Status.fromCode(code)).isWithoutEffect()).isTrue();
  }

  @Test
  void a_server_that_does_not_know_the_call_refuses_it() {
    assertThat(reason(Status.UNIMPLEMENTED)).isEqualTo(Reason.REFUSED);
  }
}
