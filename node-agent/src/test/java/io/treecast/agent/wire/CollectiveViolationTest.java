package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.CollectiveAnswer;
import io.treecast.proto.v1.CollectiveChainLeft;
import io.treecast.proto.v1.CollectiveChoice;
import io.treecast.proto.v1.CollectiveContribution;
import io.treecast.proto.v1.CollectiveCredit;
import io.treecast.proto.v1.CollectiveFailure;
import io.treecast.proto.v1.CollectiveKind;
import io.treecast.proto.v1.CollectiveMissing;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectiveOutcome;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveParts;
import io.treecast.proto.v1.CollectiveQuestion;
import io.treecast.proto.v1.CollectiveResult;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.ElementType;
import io.treecast.proto.v1.Vector;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid messages about collective operations, and the largest valid ones. */
class CollectiveViolationTest {
  private static final CollectiveOperation BARRIER =
      CollectiveOperation.newBuilder()
          .setName("b")
          .setKind(CollectiveKind.COLLECTIVE_KIND_BARRIER)
          .build();
  private static final io.treecast.proto.v1.TreeEpoch EPOCH =
      io.treecast.proto.v1.TreeEpoch.newBuilder().setTreeVersion(1).setRoot("r").build();
  private static final CollectiveValue TOO_LARGE =
      CollectiveValue.newBuilder()
          .setParts(
              CollectiveParts.newBuilder()
                  .addParts(
                      part("a")
                          .setPayload(
                              ByteString.copyFrom(new byte[CombiningLimits.MAX_VALUE_BYTES]))))
          .build();

  private static CollectivePart.Builder part(String member) {
    return CollectivePart.newBuilder().setMember(member);
  }

  private static CollectiveContribution.Builder contribution() {
    return CollectiveContribution.newBuilder().setOperation(BARRIER).setEpoch(EPOCH);
  }

  private static CollectiveOperation.Builder operation(CollectiveKind kind) {
    return BARRIER.toBuilder().setKind(kind);
  }

  private static CollectiveResult.Builder result() {
    return CollectiveResult.newBuilder().setTreeVersion(1);
  }

  private static Arguments contribution(CollectiveContribution.Builder frame, String reason) {
    return Arguments.of(DataFrame.newBuilder().setCollectiveContribution(frame), reason);
  }

  private static Arguments operation(CollectiveOperation.Builder operation, String reason) {
    return contribution(contribution().setOperation(operation), reason);
  }

  private static Arguments outcome(CollectiveOutcome.Builder outcome, String reason) {
    return Arguments.of(
        DataFrame.newBuilder()
            .setCollectiveAnswer(
                CollectiveAnswer.newBuilder().setName("b").setNumber(1).setOutcome(outcome)),
        reason);
  }

  private static Arguments result(CollectiveResult.Builder result, String reason) {
    return outcome(CollectiveOutcome.newBuilder().setResult(result), reason);
  }

  private static Arguments choice(CollectiveChoice choice, String reason) {
    return outcome(CollectiveOutcome.newBuilder().setResult(result()).setChoice(choice), reason);
  }

  private static Arguments question(CollectiveQuestion.Builder frame, String reason) {
    return Arguments.of(DataFrame.newBuilder().setCollectiveQuestion(frame), reason);
  }

  private static Arguments missing(CollectiveMissing.Builder frame, String reason) {
    return Arguments.of(DataFrame.newBuilder().setCollectiveMissing(frame), reason);
  }

  private static Arguments credit(long bytes, String reason) {
    CollectiveCredit.Builder credit = CollectiveCredit.newBuilder().setBytes(bytes);
    return Arguments.of(DataFrame.newBuilder().setCollectiveCredit(credit), reason);
  }

  private static Iterable<String> tooMany() {
    return Collections.nCopies(10_001, "a");
  }

  static Stream<Arguments> frames() {
    return Stream.of(
        operation(BARRIER.toBuilder().clearName(), "operation: the operation has no name"),
        operation(BARRIER.toBuilder().setName("n".repeat(201)), "operation: "),
        operation(BARRIER.toBuilder().setName("a\nb"), "operation: "),
        operation(BARRIER.toBuilder().clearKind(), "operation: kind 0 is not known"),
        operation(BARRIER.toBuilder().setKindValue(9), "operation: kind 9 is not known"),
        operation(
            BARRIER.toBuilder().setReductionValue(99), "operation: reduction 99 is not known"),
        operation(
            BARRIER.toBuilder().setReductionValue(1), "operation: a BARRIER has no reduction"),
        operation(
            operation(CollectiveKind.COLLECTIVE_KIND_REDUCE),
            "operation: a REDUCE needs a reduction"),
        operation(
            operation(CollectiveKind.COLLECTIVE_KIND_SCATTER), "operation: a SCATTER needs a hub"),
        operation(BARRIER.toBuilder().setHub("a"), "operation: a BARRIER has no hub"),
        operation(
            operation(CollectiveKind.COLLECTIVE_KIND_GATHER).setHub("no spaces"), "hub: node id"),
        operation(
            operation(CollectiveKind.COLLECTIVE_KIND_GATHER).setHub("a").addParticipants("b"),
            "operation: a is not among the participants"),
        operation(
            BARRIER.toBuilder().addAllParticipants(tooMany()),
            "10001 participants; allowed are 10000"),
        operation(BARRIER.toBuilder().addParticipants(""), "participants: node id"),
        contribution(contribution().clearEpoch(), "tree version 0; the least is 1"),
        contribution(
            contribution().setEpoch(EPOCH.toBuilder().setTreeVersion(-1)),
            "tree version 18446744073709551615; the least is 1"),
        contribution(contribution().setEpoch(EPOCH.toBuilder().clearRoot()), "node id: "),
        contribution(
            contribution().addAllWaiting(tooMany()), "10001 members that wait; allowed are 10000"),
        contribution(
            contribution().addAllDone(tooMany()), "10001 members that are done; allowed are 10000"),
        contribution(
            contribution()
                .setValue(
                    CollectiveValue.newBuilder()
                        .setVector(Vector.newBuilder().setType(ElementType.ELEMENT_TYPE_LONG))),
            "contribution with a value that is not complete"),
        contribution(
            contribution().setComplete(true).setValue(TOO_LARGE),
            "value of 4194368 bytes; allowed are 4194304"),
        contribution(
            contribution()
                .setComplete(true)
                .setValue(
                    CollectiveValue.newBuilder()
                        .setParts(
                            CollectiveParts.newBuilder().addParts(part("a")).addParts(part("a")))),
            "two parts of a"),
        contribution(
            contribution()
                .setComplete(true)
                .setValue(
                    CollectiveValue.newBuilder()
                        .setParts(
                            CollectiveParts.newBuilder()
                                .addAllParts(Collections.nCopies(10_001, part("a").build())))),
            "10001 parts; allowed are 10000"),
        contribution(
            contribution()
                .setComplete(true)
                .setValue(
                    CollectiveValue.newBuilder()
                        .setVector(Vector.newBuilder().setType(ElementType.ELEMENT_TYPE_LONG)))
                .setOutcome(CollectiveOutcome.newBuilder().setResult(result())),
            "contribution with a value and an outcome"),
        contribution(
            contribution().setPatienceMillis(-1), "patience of 18446744073709551615 ms; allowed"),
        contribution(
            contribution().setPatienceMillis(86_400_001),
            "patience of 86400001 ms; allowed are 0 to 86400000"),
        contribution(
            contribution().setOutcome(CollectiveOutcome.newBuilder()),
            "outcome without result or failure"),
        outcome(CollectiveOutcome.newBuilder(), "outcome without result or failure"),
        outcome(
            CollectiveOutcome.newBuilder().setFailure(CollectiveFailure.newBuilder()),
            "failure for the unknown reason 0"),
        outcome(
            CollectiveOutcome.newBuilder()
                .setFailure(CollectiveFailure.newBuilder().setReasonValue(99)),
            "failure for the unknown reason 99"),
        result(result().clearTreeVersion(), "tree version 0; the least is 1"),
        result(result().addAllContributors(tooMany()), "10001 contributors; allowed are 10000"),
        result(result().setValue(TOO_LARGE), "value of 4194368 bytes; allowed are 4194304"),
        choice(CollectiveChoice.getDefaultInstance(), "tree version 0; the least is 1"),
        choice(
            CollectiveChoice.newBuilder().setTreeVersion(1).addAllMembers(tooMany()).build(),
            "10001 members of a choice; allowed are 10000"),
        Arguments.of(
            DataFrame.newBuilder().setCollectiveAnswer(CollectiveAnswer.newBuilder().setNumber(1)),
            "the operation has no name"),
        Arguments.of(
            DataFrame.newBuilder()
                .setCollectiveAnswer(
                    CollectiveAnswer.newBuilder()
                        .setName("b")
                        .setNumber(1)
                        .setOutcome(CollectiveOutcome.newBuilder().setResult(result()))
                        .addAllMembers(tooMany())),
            "10001 members of an answer; allowed are 10000"),
        question(CollectiveQuestion.newBuilder().setEpoch(EPOCH), "operation: kind 0"),
        question(
            CollectiveQuestion.newBuilder().setOperation(BARRIER),
            "tree version 0; the least is 1"),
        question(
            CollectiveQuestion.newBuilder()
                .setOperation(BARRIER)
                .setEpoch(EPOCH)
                .setPatienceMillis(-1),
            "patience of 18446744073709551615 ms"),
        missing(CollectiveMissing.newBuilder().setEpoch(EPOCH), "the operation has no name"),
        missing(CollectiveMissing.newBuilder().setName("b"), "tree version 0; the least is 1"),
        Arguments.of(
            DataFrame.newBuilder()
                .setCollectiveChainLeft(CollectiveChainLeft.newBuilder().setEpoch(EPOCH)),
            "a chain is left for the epoch of the chain"),
        missing(
            CollectiveMissing.newBuilder().setName("b").setEpoch(EPOCH).addAllMembers(tooMany()),
            "10001 members that are missing; allowed are 10000"),
        credit(-1, "credit of 18446744073709551615 bytes; allowed are 0 to 4611686018427387904"),
        credit((1L << 62) + 1, "credit of 4611686018427387905 bytes"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("frames")
  void an_invalid_frame_of_operations_is_refused(DataFrame.Builder frame, String reason) {
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> DataCodec.decode(frame.build()))
        .withMessageStartingWith(reason);
  }

  @Test
  void the_text_of_a_failure_is_printable() throws Exception {
    CollectiveAnswer answer =
        CollectiveAnswer.newBuilder()
            .setName("b")
            .setNumber(1)
            .setOutcome(
                CollectiveOutcome.newBuilder()
                    .setFailure(
                        CollectiveFailure.newBuilder().setReasonValue(2).setText("a\nb\u001b[31m")))
            .build();
    assertThat(DataCodec.decode(DataFrame.newBuilder().setCollectiveAnswer(answer).build()))
        .isEqualTo(
            new Collective(
                new CombiningMessage.Answer(
                    "b",
                    1,
                    new Outcome.Failed(Outcome.Reason.DISAGREEMENT, "a?b?[31m"),
                    new TreeSet<>())));
  }

  @Test
  void the_largest_contribution_fits_into_a_frame_and_is_allowed() throws Exception {
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    int members = CombiningMessage.MAX_MEMBERS;
    ByteBuffer payload = ByteBuffer.allocate(CombiningLimits.MAX_VALUE_BYTES / members - 64);
    for (int i = 0; i < members; i++) {
      parts.put(longName(i), payload);
    }
    Value largest = new Value.Parts(parts);
    assertThat(largest.cost())
        .isBetween(
            CombiningLimits.MAX_VALUE_BYTES - (long) members,
            (long) CombiningLimits.MAX_VALUE_BYTES);
    SortedSet<NodeId> all = new TreeSet<>(parts.keySet());
    Collective message =
        new Collective(
            new CombiningMessage.Contribution(
                new Operation(
                    "n".repeat(Topic.MAX_BYTES), Operation.Kind.GATHER, null, longName(0), all),
                new TreeEpoch(Long.MAX_VALUE, longName(0), 0),
                true,
                all,
                all,
                largest,
                null,
                true,
                true,
                TakePartCodec.MAX_WAIT_MILLIS,
                -1));
    DataFrame frame = DataCodec.encode(message);
    assertThat(frame.getSerializedSize()).isLessThan(PeerMethods.MAX_FRAME_BYTES);
    assertThat(DataCodec.decode(frame)).isEqualTo(message);
  }

  private static NodeId longName(int number) {
    String suffix = Integer.toString(number);
    return NodeId.of("n".repeat(NodeId.MAX_LENGTH - suffix.length()) + suffix);
  }
}
