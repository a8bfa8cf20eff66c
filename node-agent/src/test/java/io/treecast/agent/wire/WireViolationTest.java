package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.proto.v1.AttachData;
import io.treecast.proto.v1.Chunk;
import io.treecast.proto.v1.ClockEcho;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.Credit;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.Digest;
import io.treecast.proto.v1.Gap;
import io.treecast.proto.v1.Goodbye;
import io.treecast.proto.v1.Have;
import io.treecast.proto.v1.Heartbeat;
import io.treecast.proto.v1.HeartbeatReply;
import io.treecast.proto.v1.Hello;
import io.treecast.proto.v1.Interest;
import io.treecast.proto.v1.InterestKnown;
import io.treecast.proto.v1.Member;
import io.treecast.proto.v1.Members;
import io.treecast.proto.v1.MessageId;
import io.treecast.proto.v1.OpenLink;
import io.treecast.proto.v1.Position;
import io.treecast.proto.v1.Probe;
import io.treecast.proto.v1.ProbeReply;
import io.treecast.proto.v1.RefuseLink;
import io.treecast.proto.v1.Replica;
import io.treecast.proto.v1.Replicated;
import io.treecast.proto.v1.Stable;
import io.treecast.proto.v1.StreamPosition;
import io.treecast.proto.v1.UnusedCredit;
import io.treecast.proto.v1.WeightUpdate;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that no agent sends, and what is said about them. */
class WireViolationTest {
  private static final Hello HELLO =
      Hello.newBuilder()
          .setNodeId("a")
          .setAddress("a:1")
          .setProtocolVersion((int) PeerMessage.PROTOCOL_VERSION)
          .build();

  private static ControlFrame.Builder control() {
    return ControlFrame.newBuilder();
  }

  private static ControlFrame.Builder hello(Hello.Builder hello) {
    return control().setHello(hello);
  }

  private static Members.Builder tooManyMembers() {
    Members.Builder members = Members.newBuilder();
    for (int i = 0; i <= Membership.MAX_MEMBERS; i++) {
      members.addMembers(Member.newBuilder().setNodeId("a").setAddress("a:1"));
    }
    return members;
  }

  static Stream<Arguments> controlFrames() {
    return Stream.of(
        Arguments.of(control(), "control frame"),
        Arguments.of(hello(HELLO.toBuilder().clearNodeId()), "node id: "),
        Arguments.of(hello(HELLO.toBuilder().setNodeId("a b")), "node id: "),
        Arguments.of(hello(HELLO.toBuilder().setNodeId("a".repeat(65))), "node id: "),
        Arguments.of(hello(HELLO.toBuilder().clearAddress()), "address of 0 characters"),
        Arguments.of(
            hello(HELLO.toBuilder().setAddress("a".repeat(301))), "address of 301 characters"),
        Arguments.of(hello(HELLO.toBuilder().setAddress("a\u009b31m\n:1")), "address a?31m?:1 "),
        Arguments.of(
            hello(HELLO.toBuilder().setSite("no spaces")), "site: node id 'no spaces' has ' '"),
        Arguments.of(
            hello(HELLO.toBuilder().setCluster("no spaces")),
            "cluster: node id 'no spaces' has ' '"),
        Arguments.of(hello(HELLO.toBuilder().setChunkBytes(1_048_577)), "chunks of 1048577 bytes"),
        Arguments.of(hello(HELLO.toBuilder().setChunkBytes(-1)), "chunks of 4294967295 bytes"),
        Arguments.of(control().setOpenLink(OpenLink.newBuilder().setSession(0)), "session 0"),
        Arguments.of(
            control().setOpenLink(OpenLink.newBuilder().setSession(-1)),
            "session 18446744073709551615"),
        Arguments.of(control().setRefuseLink(RefuseLink.newBuilder().setReason("r")), "refusal "),
        Arguments.of(control().setMembers(tooManyMembers()), "10001 members"),
        Arguments.of(
            control().setMembers(Members.newBuilder().addMembers(Member.newBuilder())),
            "node id: "),
        Arguments.of(
            control()
                .setMembers(
                    Members.newBuilder()
                        .addMembers(
                            Member.newBuilder()
                                .setNodeId("a")
                                .setAddress("a:1")
                                .setAbsentMillis(-1))),
            "18446744073709551615 ms"),
        Arguments.of(
            control()
                .setMembers(
                    Members.newBuilder()
                        .addGoodbyes(Goodbye.newBuilder().setNodeId("a").setAgoMillis(-1))),
            "a goodbye 18446744073709551615 ms ago"),
        Arguments.of(
            control().setWeightUpdate(WeightUpdate.newBuilder().setVersion(1)),
            "round-trip time of 0 us"),
        Arguments.of(
            control().setWeightUpdate(WeightUpdate.newBuilder().setRttMicros(-1)),
            "round-trip time of "),
        Arguments.of(
            control().setProbe(Probe.newBuilder().setNextMillis(3_600_001)),
            "next probe after 3600001 ms"),
        Arguments.of(
            control().setProbe(Probe.newBuilder().setRttMicros(-1)),
            "round-trip time of 18446744073709551615 us"),
        Arguments.of(
            control().setHeartbeat(Heartbeat.newBuilder().setNextMillis(-1)),
            "next probe after 4294967295 ms"),
        Arguments.of(
            control()
                .setHeartbeat(
                    Heartbeat.newBuilder().setEcho(ClockEcho.newBuilder().setHeldNanos(-1))),
            "echo after 18446744073709551615 ns"),
        Arguments.of(
            control().setHeartbeat(Heartbeat.newBuilder().setLateNanos(3_600_000_000_001L)),
            "late by 3600000000001 ns"),
        Arguments.of(
            control().setProbe(Probe.newBuilder().setDelayedNanos(3_600_000_000_001L)),
            "late by 3600000000001 ns"),
        Arguments.of(
            control().setProbeReply(ProbeReply.newBuilder().setHeldNanos(-1)),
            "reply after 18446744073709551615 ns"),
        Arguments.of(
            control().setProbeReply(ProbeReply.newBuilder().setLateNanos(-1)),
            "late by 18446744073709551615 ns"),
        Arguments.of(
            control().setHeartbeatReply(HeartbeatReply.newBuilder().setNextMillis(3_600_001)),
            "next probe after 3600001 ms"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("controlFrames")
  void a_control_frame_that_no_agent_sends_is_refused(ControlFrame.Builder frame, String reason) {
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> new PeerCodec().decode(frame.build()))
        .withMessageContaining(reason);
  }

  static Stream<Arguments> dataFrames() {
    MessageId id = MessageId.newBuilder().setOrigin("a").setSequence(1).build();
    return Stream.of(
        Arguments.of(DataFrame.newBuilder(), "data frame"),
        Arguments.of(
            DataFrame.newBuilder().setReplicated(Replicated.newBuilder().setMessageId(id)),
            "members "),
        Arguments.of(
            DataFrame.newBuilder()
                .setReplicated(Replicated.newBuilder().setMessageId(id).setReplicas(10_001)),
            "10001 replicas are wanted"),
        Arguments.of(
            DataFrame.newBuilder()
                .setReplicated(
                    Replicated.newBuilder()
                        .setMessageId(id)
                        .setReplicas(1)
                        .setReplicaMillis(3_600_001)),
            "replicas "),
        Arguments.of(
            DataFrame.newBuilder()
                .setReplicated(
                    Replicated.newBuilder()
                        .setMessageId(id)
                        .setReplicas(1)
                        .addAllMembers(Collections.nCopies(1_001, Replica.getDefaultInstance()))),
            "1001 members "),
        Arguments.of(
            DataFrame.newBuilder()
                .setReplicated(
                    Replicated.newBuilder()
                        .setMessageId(id)
                        .setReplicas(1)
                        .addMembers(Replica.getDefaultInstance())),
            "node id: "),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(
                    Chunk.newBuilder().setMessageId(id).setTreeVersion(1).setReplicaMillis(1)),
            "no replicas "),
        Arguments.of(
            DataFrame.newBuilder().setAttachData(AttachData.newBuilder().setSession(1)),
            "node id: "),
        Arguments.of(
            DataFrame.newBuilder()
                .setAttachData(
                    AttachData.newBuilder()
                        .setNodeId("h1")
                        .setPadding(ByteString.copyFrom(new byte[16_385]))),
            "16385 bytes of padding"),
        Arguments.of(DataFrame.newBuilder().setCredit(Credit.newBuilder()), "credit of 0 bytes"),
        Arguments.of(
            DataFrame.newBuilder().setCredit(Credit.newBuilder().setBytes(-1)), "credit of "),
        Arguments.of(
            DataFrame.newBuilder().setUnusedCredit(UnusedCredit.newBuilder()),
            "unused credit of 0 bytes"),
        Arguments.of(
            DataFrame.newBuilder().setChunk(Chunk.newBuilder().setMessageId(id).setIndex(-1)),
            "chunk index "),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(Chunk.newBuilder().setMessageId(id.toBuilder().clearSequence())),
            "message sequence 0"),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(
                    Chunk.newBuilder().setMessageId(id.toBuilder().setSequence(Long.MAX_VALUE))),
            "message sequence 9223372036854775807"),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(Chunk.newBuilder().setMessageId(id.toBuilder().setLane(256))),
            "lane 256 of topic ''"),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(
                    Chunk.newBuilder().setMessageId(id).setTreeVersion(1).setPublishedBytes(-1)),
            "more bytes "),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(Chunk.newBuilder().setMessageId(id).setTreeVersion(1).setAbandoned(true)),
            "chunk 0 "),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(Chunk.newBuilder().setMessageId(id).setTreeVersion(1).setCrc32C(5)),
            "chunk 0 "),
        Arguments.of(
            DataFrame.newBuilder()
                .setChunk(Chunk.newBuilder().setMessageId(id.toBuilder().clearOrigin())),
            "node id: "),
        Arguments.of(DataFrame.newBuilder().setChunk(Chunk.newBuilder()), "message sequence 0"),
        Arguments.of(
            DataFrame.newBuilder().setChunk(Chunk.newBuilder().setMessageId(id)), "tree version 0"),
        Arguments.of(
            DataFrame.newBuilder().setGap(Gap.newBuilder().setOrigin("a").setTreeVersion(1)),
            "position 0.0"),
        Arguments.of(
            DataFrame.newBuilder()
                .setGap(
                    Gap.newBuilder()
                        .setOrigin("a")
                        .setFrom(Position.newBuilder().setSequence(1))
                        .setTo(Position.newBuilder().setSequence(Long.MAX_VALUE).setIndex(1))
                        .setTreeVersion(1)),
            "position "),
        Arguments.of(
            DataFrame.newBuilder()
                .setGap(
                    Gap.newBuilder()
                        .setOrigin("a")
                        .setFrom(Position.newBuilder().setSequence(1))
                        .setTo(Position.newBuilder().setSequence(1))
                        .setTreeVersion(1)),
            "gap from message 1 chunk 0 to message 1 chunk 0"),
        Arguments.of(
            DataFrame.newBuilder()
                .setDigest(
                    Digest.newBuilder()
                        .addAllPositions(
                            Collections.nCopies(1_001, StreamPosition.getDefaultInstance()))),
            "1001 streams "),
        Arguments.of(
            DataFrame.newBuilder()
                .setHave(
                    Have.newBuilder()
                        .setTreeVersion(1)
                        .addAllPositions(
                            Collections.nCopies(1_001, StreamPosition.getDefaultInstance()))),
            "1001 streams "),
        Arguments.of(
            DataFrame.newBuilder()
                .setHave(Have.newBuilder().setTreeVersion(1).setBrieflyAbsent((1 << 24) + 1)),
            "16777217 briefly absent members"),
        Arguments.of(
            DataFrame.newBuilder()
                .setStable(Stable.newBuilder().setTreeVersion(1).setBrieflyAbsent(-1)),
            "4294967295 briefly absent members"),
        Arguments.of(
            DataFrame.newBuilder()
                .setInterestKnown(
                    InterestKnown.newBuilder()
                        .setNumber(1)
                        .addAllForgotten(Collections.nCopies(1_001, Gap.getDefaultInstance()))),
            "1001 forgotten streams"),
        Arguments.of(
            DataFrame.newBuilder()
                .setInterest(
                    Interest.newBuilder().setTreeVersion(1).setNumber(1).addAdded("to/h1,h2")),
            "interest "),
        Arguments.of(
            DataFrame.newBuilder().setStable(Stable.getDefaultInstance()), "tree version 0"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("dataFrames")
  void a_data_frame_that_no_agent_sends_is_refused(DataFrame.Builder frame, String reason) {
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(() -> DataCodec.decode(frame.build()))
        .withMessageStartingWith(reason);
  }

  @Test
  void a_violations_quotation_of_the_frame_is_short_and_printable() {
    for (String name :
        List.of(
            "\u0000".repeat(100_000),
            "a\nb\u001b[31m",
            "\u009b31m\u202eb\u2028",
            "x".repeat(10_000))) {
      assertThatExceptionOfType(WireViolation.class)
          .isThrownBy(
              () -> new PeerCodec().decode(hello(HELLO.toBuilder().setNodeId(name)).build()))
          .satisfies(
              violation ->
                  assertThat(violation.getMessage())
                      .hasSizeLessThanOrEqualTo(WireViolation.MAX_LENGTH)
                      .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"));
    }
  }
}
