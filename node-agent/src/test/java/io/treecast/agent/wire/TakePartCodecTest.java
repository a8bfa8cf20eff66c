package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.CollectiveFailureReason;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveParts;
import io.treecast.proto.v1.CollectiveResult;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.ElementType;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.Vector;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of applications that take part, and their answers. */
class TakePartCodecTest {
  private static final NodeId SELF = NodeId.of("me");
  private static final CollectiveValue LONGS =
      vector(ElementType.ELEMENT_TYPE_LONG, Value.longs(7));
  private static final CollectiveValue DOUBLES =
      vector(ElementType.ELEMENT_TYPE_DOUBLE, Value.doubles(0.5));

  private static CollectiveValue vector(ElementType type, Value.Vector elements) {
    return CollectiveValue.newBuilder()
        .setVector(
            Vector.newBuilder().setType(type).setElements(ByteString.copyFrom(elements.packed())))
        .build();
  }

  private static final ByteString PAYLOAD = ByteString.copyFromUtf8("p");

  private static TakePartRequest.Builder request(CollectiveKind kind) {
    return TakePartRequest.newBuilder()
        .setToken("t")
        .setOperation(CollectiveOperation.newBuilder().setName("op").setKind(kind));
  }

  private static TakePartRequest.Builder reduction(int reduction) {
    TakePartRequest.Builder request = request(CollectiveKind.COLLECTIVE_KIND_REDUCE);
    request.getOperationBuilder().setReductionValue(reduction);
    return request;
  }

  private static TakePartRequest.Builder scatterFrom(String hub) {
    TakePartRequest.Builder request = request(CollectiveKind.COLLECTIVE_KIND_SCATTER);
    request.getOperationBuilder().setHub(hub);
    return request;
  }

  private static CollectiveValue parts(String... members) {
    CollectiveParts.Builder parts = CollectiveParts.newBuilder();
    for (String member : members) {
      parts.addParts(CollectivePart.newBuilder().setMember(member).setPayload(PAYLOAD));
    }
    return CollectiveValue.newBuilder().setParts(parts).build();
  }

  static Stream<Arguments> refused() {
    TakePartRequest.Builder barrier = request(CollectiveKind.COLLECTIVE_KIND_BARRIER);
    TakePartRequest.Builder manyParticipants = request(CollectiveKind.COLLECTIVE_KIND_BARRIER);
    manyParticipants.getOperationBuilder().addAllParticipants(Collections.nCopies(10_001, "a"));
    return Stream.of(
        Arguments.of(TakePartRequest.newBuilder().setToken("t"), "operation: kind 0 is not known"),
        Arguments.of(barrier.clone().clearToken(), "token: it has 0 characters; allowed are 1 to"),
        Arguments.of(barrier.clone().setToken("t".repeat(101)), "token: it has 101 characters"),
        Arguments.of(manyParticipants, "10001 participants; allowed are 10000"),
        Arguments.of(
            barrier.clone().setContribution(LONGS), "contribution: longs; expected from me: none"),
        Arguments.of(reduction(1), "contribution: none; expected from me: longs"),
        Arguments.of(
            reduction(4).setContribution(LONGS), "contribution: longs; expected from me: doubles"),
        Arguments.of(
            reduction(3).setContribution(DOUBLES),
            "contribution: doubles; expected from me: longs"),
        Arguments.of(
            request(CollectiveKind.COLLECTIVE_KIND_GATHER),
            "contribution: none; expected from me: one part"),
        Arguments.of(
            request(CollectiveKind.COLLECTIVE_KIND_GATHER).setContribution(parts("a", "b")),
            "contribution: 2 parts; expected from me: one part"),
        Arguments.of(
            request(CollectiveKind.COLLECTIVE_KIND_SCATTER),
            "operation: a SCATTER needs a hub, the member that has the parts"),
        Arguments.of(
            scatterFrom("me"),
            "hub: this agent's member me is the hub, so it must contribute the parts"),
        Arguments.of(
            scatterFrom("other").setContribution(parts("me")),
            "contribution: 1 part; expected from me: none, since the hub has the parts"),
        Arguments.of(scatterFrom("me").setContribution(parts("a", "a")), "two parts of a"),
        Arguments.of(scatterFrom("me").setContribution(parts("")), "parts: node id"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("refused")
  void an_invalid_field_is_refused_by_name(TakePartRequest.Builder request, String reason) {
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> TakePartCodec.decode(SELF, request.build()))
        .withMessageStartingWith(reason);
  }

  @Test
  void a_request_says_what_all_take_part_in_and_what_this_member_gives() throws Exception {
    TakePartRequest.Builder request = reduction(2).setContribution(LONGS).setWaitMillis(5);
    request.getOperationBuilder().setHub("b").addParticipants("me").addParticipants("b");
    assertThat(TakePartCodec.decode(SELF, request.build()))
        .isEqualTo(
            new Participation(
                "t",
                new Operation(
                    "op",
                    Kind.REDUCE,
                    Reduction.MIN_OF_LONGS,
                    NodeId.of("b"),
                    new TreeSet<>(List.of(SELF, NodeId.of("b")))),
                Value.longs(7),
                5_000_000));
  }

  @Test
  void nobody_waits_for_more_than_a_day() throws Exception {
    for (long millis : new long[] {86_400_001, Long.MAX_VALUE, -1}) {
      TakePartRequest.Builder barrier =
          request(CollectiveKind.COLLECTIVE_KIND_BARRIER).setWaitMillis(millis);
      assertThat(TakePartCodec.decode(SELF, barrier.build()).waitNanos())
          .isEqualTo(TimeUnit.DAYS.toNanos(1));
    }
  }

  @Test
  void the_part_of_a_gather_is_that_of_this_member_whatever_it_says() throws Exception {
    for (String member : List.of("", "other", "me")) {
      TakePartRequest.Builder request =
          request(CollectiveKind.COLLECTIVE_KIND_GATHER).setContribution(parts(member));
      assertThat(TakePartCodec.decode(SELF, request.build()).contribution())
          .isEqualTo(Value.Parts.of(SELF, ByteBuffer.wrap(PAYLOAD.toByteArray())));
    }
  }

  @Test
  void the_member_with_the_parts_of_a_scatter_is_the_hub_if_none_is_named() throws Exception {
    TakePartRequest.Builder request =
        request(CollectiveKind.COLLECTIVE_KIND_SCATTER).setContribution(parts("a", "b"));
    assertThat(TakePartCodec.decode(SELF, request.build()).operation().hub()).isEqualTo(SELF);
    assertThat(TakePartCodec.decode(SELF, scatterFrom("b").build()).operation().hub())
        .isEqualTo(NodeId.of("b"));
  }

  @Test
  void an_outcome_is_a_result_or_a_failure() {
    assertThat(
            TakePartCodec.encode(
                new Outcome.Completed(3, new TreeSet<>(List.of(SELF)), Value.longs(7))))
        .isEqualTo(
            TakePartResponse.newBuilder()
                .setResult(
                    CollectiveResult.newBuilder()
                        .setTreeVersion(3)
                        .addContributors("me")
                        .setValue(LONGS))
                .build());
    assertThat(
            TakePartCodec.encode(new Outcome.Completed(3, new TreeSet<>(), Value.NOTHING))
                .getResult()
                .hasValue())
        .isFalse();
    assertThat(TakePartCodec.encode(new Outcome.Failed(Outcome.Reason.NO_ROOM, "full")))
        .isEqualTo(
            TakePartResponse.newBuilder()
                .setFailure(
                    CollectiveFailure.newBuilder()
                        .setReason(CollectiveFailureReason.COLLECTIVE_FAILURE_REASON_NO_ROOM)
                        .setText("full"))
                .build());
  }
}
