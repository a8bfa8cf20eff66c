package io.treecast.agent.runtime.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.proto.v1.RefusalReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {
  @ParameterizedTest
  @EnumSource(
      value = RefusalReason.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REFUSAL_REASON_UNSPECIFIED", "UNRECOGNIZED"})
  void a_failed_call_names_its_reason_in_a_trailer(RefusalReason reason) {
    StatusException refusal = Refusals.of(reason, "because");

    Metadata trailers = refusal.getTrailers();
    assertThat(trailers).isNotNull();
    assertThat(
            trailers.get(
                Metadata.Key.of("treecast-refusal-reason", Metadata.ASCII_STRING_MARSHALLER)))
        .isEqualTo(reason.name());
    assertThat(refusal.getStatus().getCode())
        .isNotIn(Status.Code.OK, Status.Code.UNKNOWN, Status.Code.INTERNAL);
  }

  @ParameterizedTest
  @EnumSource(
      value = RefusalReason.class,
      names = {"REFUSAL_REASON_UNSPECIFIED", "UNRECOGNIZED"})
  void a_refusal_without_a_reason_is_a_defect(RefusalReason reason) {
    assertThatIllegalArgumentException().isThrownBy(() -> Refusals.of(reason, "because"));
  }

  @ParameterizedTest
  @EnumSource
  void each_refusal_of_a_broadcast_has_a_reason_for_clients(
      BroadcastRefusedException.Reason reason) {
    assertThat(Refusals.reason(reason))
        .isNotIn(RefusalReason.REFUSAL_REASON_UNSPECIFIED, RefusalReason.UNRECOGNIZED);
  }
}
