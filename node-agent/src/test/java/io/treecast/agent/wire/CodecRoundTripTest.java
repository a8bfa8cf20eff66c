package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Drainable;
import io.grpc.MethodDescriptor.Marshaller;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.OtherHello;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.transport.frame.Frames;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.agent.wire.delta.RandomTrees;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.claim.ClaimMessage;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.MstMessage;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.DataFrame;
import io.treecast.proto.v1.DataRequest;
import io.treecast.proto.v1.Hello;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every message comes out of the wire as it went in. */
@Tag("seeded")
class CodecRoundTripTest {
  private static final long DEFAULT_SEEDS = 75;

  @Test
  void every_control_message_comes_out_as_it_went_in() throws Exception {
    Set<ControlFrame.BodyCase> seen = EnumSet.of(ControlFrame.BodyCase.BODY_NOT_SET);
    for (long seed : seeds()) {
      RandomMessages messages = new RandomMessages(new Random(seed));
      List<PeerMessage> all = new ArrayList<>(messages.onePeerMessageOfEachKind());
      all.addAll(new RandomTrees(new Random(seed)).oneOfEachKind());
      for (PeerMessage message : all) {
        ControlFrame frame = new PeerCodec().encode(message);
        seen.add(frame.getBodyCase());
        assertThat(new PeerCodec().decode(ControlFrame.parseFrom(frame.toByteArray())))
            .as("seed %d", seed)
            .isEqualTo(message);
      }
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(ControlFrame.BodyCase.class));
  }

  /** A kind that the codec forgets fails in the tests above: encoding it throws. */
  @Test
  void the_random_messages_are_of_every_kind_that_agents_send() {
    RandomMessages messages = new RandomMessages(new Random(1));
    Set<Class<?>> sent = new HashSet<>();
    messages.onePeerMessageOfEachKind().forEach(message -> sent.add(message.getClass()));
    for (TreeMessage message : treeMessages()) {
      sent.add(message.getClass());
      sent.add(PeerMessage.Tree.class);
    }
    for (DataMessage message : messages.oneDataMessageOfEachKind()) {
      sent.add(message.getClass());
      if (message instanceof DataMessage.Edge edge) {
        sent.add(edge.message().getClass());
      } else if (message instanceof DataMessage.Collective collective) {
        sent.add(collective.message().getClass());
      } else if (message instanceof DataMessage.ClaimParcel claim) {
        sent.add(claim.message().getClass());
      } else if (message instanceof DataMessage.SharedValue value) {
        sent.add(value.message().getClass());
      } else if (message instanceof DataMessage.GroupParcel groups) {
        sent.add(groups.message().getClass());
      }
    }
    for (Class<?> family :
        List.of(
            PeerMessage.class,
            DataMessage.class,
            DataMessage.ServiceMessage.class,
            EdgeMessage.class,
            CombiningMessage.class,
            ClaimMessage.class,
            ValuesMessage.class,
            GroupMessage.class,
            ClaimMessage.Request.class,
            GhsMessage.class,
            MstMessage.class)) {
      assertThat(sent)
          .as(family.getSimpleName())
          .containsAll(
              Stream.of(family.getPermittedSubclasses())
                  .filter(kind -> !kind.isInterface())
                  .toList());
    }
  }

  private static List<TreeMessage> treeMessages() {
    return new RandomTrees(new Random(1))
        .oneOfEachKind().stream().map(message -> ((PeerMessage.Tree) message).message()).toList();
  }

  private static long[] seeds() {
    Long only = Long.getLong("treecast.seed");
    return only == null
        ? LongStream.range(
                0,
                Long.getLong(
                    "treecast.seeds", DEFAULT_SEEDS * Long.getLong("treecast.seeds.times", 1)))
            .toArray()
        : new long[] {only};
  }

  @Test
  void every_data_message_comes_out_as_it_went_in() throws Exception {
    Set<DataFrame.BodyCase> seen = EnumSet.of(DataFrame.BodyCase.BODY_NOT_SET);
    for (long seed : seeds()) {
      RandomMessages messages = new RandomMessages(new Random(seed));
      for (DataMessage message : messages.oneDataMessageOfEachKind()) {
        DataFrame frame = DataCodec.encode(message);
        seen.add(frame.getBodyCase());
        assertThat(DataCodec.decode(DataFrame.parseFrom(frame.toByteArray())))
            .as("seed %d", seed)
            .isEqualTo(message);
      }
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(DataFrame.BodyCase.class));
  }

  @Test
  void frames_are_what_protobuf_reads_and_writes() throws Exception {
    Marshaller<Frames> marshaller = PeerMethods.DATA.getRequestMarshaller();
    for (long seed : seeds()) {
      List<DataMessage> messages = new RandomMessages(new Random(seed)).oneDataMessageOfEachKind();
      ByteArrayOutputStream drained = new ByteArrayOutputStream();
      InputStream sent = marshaller.stream(Frames.of(messages));
      int announced = sent.available();
      assertThat(((Drainable) sent).drainTo(drained))
          .isEqualTo(announced)
          .isEqualTo(drained.size());

      byte[] bytes = drained.toByteArray();
      assertThat(marshaller.stream(Frames.of(messages)).readAllBytes()).isEqualTo(bytes);
      List<DataMessage> byProtobuf = new ArrayList<>();
      for (DataFrame frame : DataRequest.parseFrom(bytes).getFramesList()) {
        byProtobuf.add(DataCodec.decode(frame));
      }
      assertThat(byProtobuf).as("seed %d", seed).isEqualTo(messages);

      DataRequest.Builder request = DataRequest.newBuilder();
      messages.forEach(message -> request.addFrames(DataCodec.encode(message)));
      Frames received = marshaller.parse(request.build().toByteString().newInput());
      assertThat(received.messages(new RecentStreams())).as("seed %d", seed).isEqualTo(messages);
    }
  }

  @Test
  void a_reason_that_is_too_long_is_cut_by_either_end() throws Exception {
    RefuseLink refusal = new RefuseLink(RefusalCause.UNEXPECTED_MEMBER, "r".repeat(5_000));
    ControlFrame frame = new PeerCodec().encode(refusal);
    assertThat(frame.getRefuseLink().getReason()).hasSize(PeerCodec.MAX_REASON_LENGTH);
    ControlFrame longer =
        frame.toBuilder()
            .setRefuseLink(frame.getRefuseLink().toBuilder().setReason("r".repeat(5_000)))
            .build();
    assertThat(new PeerCodec().decode(longer))
        .isInstanceOfSatisfying(
            RefuseLink.class, r -> assertThat(r.reason()).hasSize(PeerCodec.MAX_REASON_LENGTH));
  }

  @Test
  void a_reason_goes_to_logs_and_has_no_control_characters() throws Exception {
    ControlFrame frame =
        new PeerCodec().encode(new RefuseLink(RefusalCause.FULL, "a\nb\u001b[31mc\u009b0m"));
    assertThat(new PeerCodec().decode(frame))
        .isEqualTo(new RefuseLink(RefusalCause.FULL, "a?b?[31mc?0m"));
  }

  @Test
  void a_hello_of_another_version_is_read_though_its_values_are_none_of_this_version()
      throws Exception {
    Hello.Builder unknown = Hello.newBuilder().setNodeId("no\nid").setSite("?").setCluster("?");
    assertThat(decoded(unknown.setProtocolVersion(-1)))
        .isEqualTo(new OtherHello(0xffff_ffffL, "no?id", ""));
    assertThat(decoded(unknown.clearProtocolVersion())).isEqualTo(new OtherHello(0, "no?id", ""));
    assertThat(decoded(unknown.setAddress("a".repeat(400))))
        .isInstanceOfSatisfying(OtherHello.class, o -> assertThat(o.address()).hasSize(300));
  }

  private static PeerMessage decoded(Hello.Builder hello) throws WireViolation {
    return new PeerCodec().decode(ControlFrame.newBuilder().setHello(hello).build());
  }

  @Test
  void a_cause_of_refusal_that_is_not_known_is_taken_for_another_version_and_keeps_its_reason()
      throws Exception {
    io.treecast.proto.v1.RefuseLink.Builder later =
        io.treecast.proto.v1.RefuseLink.newBuilder().setCauseValue(99).setReason("a new one");
    assertThat(new PeerCodec().decode(ControlFrame.newBuilder().setRefuseLink(later).build()))
        .isEqualTo(new RefuseLink(RefusalCause.OTHER_VERSION, "a new one"));
  }

  @Test
  void the_largest_messages_fit_into_a_frame() {
    List<AnnouncedMember> members = new ArrayList<>();
    for (int i = 1; i < Membership.MAX_MEMBERS; i++) {
      Member member = new Member(longName(i), "h".repeat(ValueCodec.MAX_ADDRESS_LENGTH));
      members.add(
          new AnnouncedMember(member, Long.MAX_VALUE, Long.MAX_VALUE, longName(i).toString()));
    }
    List<Goodbye> goodbyes = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      goodbyes.add(new Goodbye(longName(i), Long.MAX_VALUE, Long.MAX_VALUE));
    }
    assertThat(new PeerCodec().encode(new Members(members, goodbyes, 1)).getSerializedSize())
        .isLessThan(PeerMethods.MAX_FRAME_BYTES);
  }

  private static NodeId longName(int number) {
    String suffix = Integer.toString(number);
    return NodeId.of("n".repeat(NodeId.MAX_LENGTH - suffix.length()) + suffix);
  }
}
