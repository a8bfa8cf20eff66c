package io.treecast.agent.wire;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.ClockEcho;
import io.treecast.agent.core.message.PeerMessage.DataAck;
import io.treecast.agent.core.message.PeerMessage.Heartbeat;
import io.treecast.agent.core.message.PeerMessage.HeartbeatReply;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Leave;
import io.treecast.agent.core.message.PeerMessage.LinkWanted;
import io.treecast.agent.core.message.PeerMessage.LinkedMembers;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.OtherHello;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.message.PeerMessage.PathMessage;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.message.PeerMessage.RingOffer;
import io.treecast.agent.core.message.PeerMessage.RingVerdict;
import io.treecast.agent.core.message.PeerMessage.ShortcutAck;
import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.agent.core.message.PeerMessage.SuspendLink;
import io.treecast.agent.core.message.PeerMessage.ThroughputUpdate;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.UploadLoan;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.wire.delta.TreeCodec;
import io.treecast.agent.wire.delta.TreeSharing;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.monitor.throughput.Throughput;
import io.treecast.proto.v1.ControlFrame;

/**
 * Codec of control frames at one end of one stream. Encodes the messages that this end sends, and
 * decodes those that arrive, both in order. Its state depends on all earlier messages, so it must
 * process every message of the stream, and serves a single stream.
 *
 * <p>Thread-safe.
 */
public final class PeerCodec {
  /** The maximum length of the reason of a refusal, in characters; a longer one is truncated. */
  static final int MAX_REASON_LENGTH = 1_000;

  private final TreeCodec latency;
  private final TreeCodec widest;

  /** Creates the codec of one end of a new stream. */
  public PeerCodec() {
    this(TreeSharing.NONE);
  }

  /**
   * Creates the codec of one end of a new stream between agents in one process, which share their
   * known trees.
   */
  public PeerCodec(TreeSharing sharing) {
    this.latency = new TreeCodec(sharing);
    this.widest = new TreeCodec(sharing);
  }

  public synchronized ControlFrame encode(PeerMessage message) {
    if (message instanceof Tree tree) {
      return tree.metric() == TreeMetric.BANDWIDTH
          ? widest.encode(tree.message()).toBuilder()
              .setMetric(io.treecast.proto.v1.TreeMetric.TREE_METRIC_BANDWIDTH)
              .build()
          : latency.encode(tree.message());
    }
    ControlFrame.Builder frame = ControlFrame.newBuilder();
    if (message instanceof Hello hello) {
      frame
          .getHelloBuilder()
          .setNodeId(hello.node().toString())
          .setIncarnation(hello.incarnation())
          .setAddress(NetworkAddresses.primary(hello.address()))
          .addAllNetworks(ValueCodec.networks(hello.address()))
          .setCluster(hello.cluster())
          .setMeasuresThroughput(hello.measuresThroughput())
          .setChunkBytes(hello.chunkBytes())
          .setProtocolVersion((int) PeerMessage.PROTOCOL_VERSION);
      if (hello.site() != null) {
        frame.getHelloBuilder().setSite(hello.site());
      }
    } else if (message instanceof OtherHello other) {
      frame
          .getHelloBuilder()
          .setNodeId(other.node())
          .setAddress(other.address())
          .setProtocolVersion((int) other.version());
    } else if (message instanceof OpenLink open) {
      frame.getOpenLinkBuilder().setSession(open.session());
    } else if (message instanceof SuspendLink) {
      frame.getSuspendLinkBuilder();
    } else if (message instanceof RefuseLink refusal) {
      frame
          .getRefuseLinkBuilder()
          .setHolderIncarnation(refusal.holderIncarnation())
          .setCause(encode(refusal.cause()))
          .setReason(shortened(refusal.reason()));
    } else if (message instanceof Members members) {
      members
          .members()
          .forEach(announced -> frame.getMembersBuilder().addMembers(ValueCodec.encode(announced)));
      members
          .goodbyes()
          .forEach(
              announced -> frame.getMembersBuilder().addGoodbyes(ValueCodec.encode(announced)));
      frame.getMembersBuilder().setDigest(members.digest());
    } else if (message instanceof LinkWanted link) {
      frame.getLinkWantedBuilder().setWanted(link.wanted());
    } else if (message instanceof LinkedMembers linked) {
      frame.setLinkedMembers(encode(linked));
    } else if (message instanceof Leave) {
      frame.getLeaveBuilder();
    } else if (message instanceof Probe probe) {
      frame
          .getProbeBuilder()
          .setNumber(probe.number())
          .setNextMillis((int) probe.nextMillis())
          .setRttMicros(probe.rttMicros())
          .setProbeAllLinks(probe.probesAllLinks())
          .setIsBusy(probe.isBusy())
          .setDelayedNanos(probe.delayedNanos());
      if (probe.weight() != null) {
        frame.getProbeBuilder().setWeightUpdate(encode(probe.weight()));
      }
      if (probe.dataAck() != null) {
        frame.getProbeBuilder().setDataAck(encode(probe.dataAck()));
      }
    } else if (message instanceof ProbeReply reply) {
      frame
          .getProbeReplyBuilder()
          .setNumber(reply.number())
          .setClockNanos(reply.clockNanos())
          .setHeldNanos(reply.heldNanos())
          .setLateNanos(reply.lateNanos());
      if (reply.dataAck() != null) {
        frame.getProbeReplyBuilder().setDataAck(encode(reply.dataAck()));
      }
    } else if (message instanceof Heartbeat heartbeat) {
      frame.setHeartbeat(encode(heartbeat));
    } else if (message instanceof HeartbeatReply reply) {
      frame
          .getHeartbeatReplyBuilder()
          .setNextMillis((int) reply.nextMillis())
          .setClockNanos(reply.clockNanos());
    } else if (message instanceof WeightUpdate update) {
      frame.setWeightUpdate(encode(update));
    } else if (message instanceof ThroughputUpdate update) {
      frame
          .getThroughputUpdateBuilder()
          .setVersion(update.version())
          .setStep(update.step())
          .setRttMicros(update.rttMicros());
    } else if (message instanceof RingOffer offer) {
      io.treecast.proto.v1.RingOffer.Builder to =
          frame
              .getRingOfferBuilder()
              .setTreeVersion(offer.treeVersion())
              .setRingKbps(offer.ringKbps())
              .setRttMicros(offer.rttMicros())
              .setTreeKbps(offer.treeKbps());
      UploadLoan loan = offer.loan();
      if (loan != null) {
        to.setLoan(encode(loan));
      }
    } else if (message instanceof RingVerdict verdict) {
      io.treecast.proto.v1.RingVerdict.Builder to =
          frame
              .getRingVerdictBuilder()
              .setTreeVersion(verdict.treeVersion())
              .setUsed(verdict.used());
      UploadLoan loan = verdict.loan();
      if (loan != null) {
        to.setLoan(encode(loan));
      }
    } else if (message instanceof PassToken pass) {
      frame
          .getPassTokenBuilder()
          .setGeneration(pass.generation())
          .setFounder(pass.founder().toString());
    } else if (message instanceof ShortcutCopy shortcut) {
      frame.setShortcut(DataCodec.encode(shortcut.message()));
    } else if (message instanceof PathMessage ofPath) {
      frame.setPath(PathCodec.encode(ofPath));
    } else if (message instanceof ShortcutAck ack) {
      frame.getShortcutAckBuilder().setBytes(ack.bytes());
    } else {
      throw new IllegalArgumentException("no frame is defined for " + message);
    }
    return frame.build();
  }

  /**
   * Decodes a frame.
   *
   * @throws WireViolation if no agent of this version sends such a frame
   */
  public synchronized PeerMessage decode(ControlFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case HELLO -> decode(frame.getHello());
      case OPEN_LINK ->
          new OpenLink(Bounds.positive("session %s", frame.getOpenLink().getSession()));
      case SUSPEND_LINK -> new SuspendLink();
      case REFUSE_LINK ->
          new RefuseLink(
              decode(frame.getRefuseLink().getCause()),
              WireViolation.withoutControls(shortened(frame.getRefuseLink().getReason())),
              frame.getRefuseLink().getHolderIncarnation());
      case MEMBERS -> decode(frame.getMembers());
      case LINK_WANTED -> new LinkWanted(frame.getLinkWanted().getWanted());
      case LINKED_MEMBERS -> decode(frame.getLinkedMembers());
      case LEAVE -> new Leave();
      case PROBE -> decode(frame.getProbe());
      case PROBE_REPLY -> decode(frame.getProbeReply());
      case HEARTBEAT -> decode(frame.getHeartbeat());
      case HEARTBEAT_REPLY ->
          new HeartbeatReply(
              nextMillis(frame.getHeartbeatReply().getNextMillis()),
              frame.getHeartbeatReply().getClockNanos());
      case WEIGHT_UPDATE -> decode(frame.getWeightUpdate());
      case THROUGHPUT_UPDATE -> decode(frame.getThroughputUpdate());
      case RING_OFFER -> decode(frame.getRingOffer());
      case RING_VERDICT -> decode(frame.getRingVerdict());
      case PASS_TOKEN -> decode(frame.getPassToken());
      case SHORTCUT -> new ShortcutCopy(DataCodec.decode(frame.getShortcut()));
      case SHORTCUT_ACK ->
          new ShortcutAck(
              Bounds.positive("%s acknowledged bytes", frame.getShortcutAck().getBytes()));
      case PATH -> PathCodec.decode(frame.getPath());
      case FRAGMENT_HELLO,
          INITIATE,
          REPORT,
          CHANGE_ROOT,
          CONNECT,
          NACK,
          CANCEL,
          DECLINE,
          COMMIT,
          CUT,
          FAILURE,
          WAKE,
          CUT_ORDER,
          REFUSE ->
          decodeTree(frame);
      case BODY_NOT_SET -> throw new WireViolation("control frame without a known body");
    };
  }

  private static PeerMessage decode(io.treecast.proto.v1.Hello hello) throws WireViolation {
    if (hello.getProtocolVersion() != PeerMessage.PROTOCOL_VERSION) {
      // The fields of another version have unknown formats, so they are only logged.
      return new OtherHello(
          Integer.toUnsignedLong(hello.getProtocolVersion()),
          WireViolation.printable(hello.getNodeId()),
          WireViolation.printable(hello.getAddress()));
    }
    return new Hello(
        ValueCodec.nodeId(hello.getNodeId()),
        hello.getIncarnation(),
        ValueCodec.address(hello.getAddress(), hello.getNetworksList()),
        hello.getSite().isEmpty() ? null : ValueCodec.name("site", hello.getSite()),
        hello.getCluster().isEmpty() ? "" : ValueCodec.name("cluster", hello.getCluster()),
        hello.getMeasuresThroughput(),
        Bounds.within(
            "chunks of %s bytes", hello.getChunkBytes(), 0, BroadcastLimits.MAX_CHUNK_BYTES));
  }

  private static Members decode(io.treecast.proto.v1.Members members) throws WireViolation {
    int most = Membership.MAX_MEMBERS;
    return new Members(
        Bounds.all("members", members.getMembersList(), most, ValueCodec::decode),
        Bounds.all("goodbyes", members.getGoodbyesList(), most, ValueCodec::decode),
        members.getDigest());
  }

  private static io.treecast.proto.v1.LinkedMembers encode(LinkedMembers linked) {
    io.treecast.proto.v1.LinkedMembers.Builder encoded =
        io.treecast.proto.v1.LinkedMembers.newBuilder();
    for (Nearby member : linked.members()) {
      encoded
          .addMembersBuilder()
          .setNodeId(member.id().toString())
          .setRttMicros(member.rttMicros());
    }
    return encoded.build();
  }

  private static LinkedMembers decode(io.treecast.proto.v1.LinkedMembers linked)
      throws WireViolation {
    return new LinkedMembers(
        Bounds.all(
            "linked members",
            linked.getMembersList(),
            LinkedMembers.MAX_COUNT,
            member ->
                new Nearby(
                    ValueCodec.nodeId(member.getNodeId()), roundTrip(member.getRttMicros()))));
  }

  private static Probe decode(io.treecast.proto.v1.Probe probe) throws WireViolation {
    return new Probe(
        probe.getNumber(),
        nextMillis(probe.getNextMillis()),
        probe.getRttMicros() == 0 ? 0 : roundTrip(probe.getRttMicros()),
        probe.getProbeAllLinks(),
        probe.hasWeightUpdate() ? decode(probe.getWeightUpdate()) : null,
        probe.hasDataAck() ? decode(probe.getDataAck()) : null,
        probe.getIsBusy(),
        lateNanos(probe.getDelayedNanos()));
  }

  private static io.treecast.proto.v1.DataAck encode(DataAck ack) {
    return io.treecast.proto.v1.DataAck.newBuilder()
        .setStream(ack.stream())
        .setMessages(ack.messages())
        .build();
  }

  private static DataAck decode(io.treecast.proto.v1.DataAck ack) throws WireViolation {
    return new DataAck(
        Bounds.positive("data stream %s", ack.getStream()),
        Bounds.within("%s messages of a data stream", ack.getMessages(), 0, Long.MAX_VALUE));
  }

  private static io.treecast.proto.v1.Heartbeat encode(Heartbeat heartbeat) {
    io.treecast.proto.v1.Heartbeat.Builder encoded =
        io.treecast.proto.v1.Heartbeat.newBuilder()
            .setNextMillis((int) heartbeat.nextMillis())
            .setProbeAllLinks(heartbeat.probesAllLinks())
            .setClockNanos(heartbeat.clockNanos())
            .setLateNanos(heartbeat.lateNanos());
    ClockEcho echo = heartbeat.echo();
    if (echo != null) {
      encoded.getEchoBuilder().setClockNanos(echo.clockNanos()).setHeldNanos(echo.heldNanos());
    }
    return encoded.build();
  }

  private static Heartbeat decode(io.treecast.proto.v1.Heartbeat heartbeat) throws WireViolation {
    return new Heartbeat(
        nextMillis(heartbeat.getNextMillis()),
        heartbeat.getProbeAllLinks(),
        heartbeat.getClockNanos(),
        heartbeat.hasEcho() ? decode(heartbeat.getEcho()) : null,
        lateNanos(heartbeat.getLateNanos()));
  }

  private static ProbeReply decode(io.treecast.proto.v1.ProbeReply reply) throws WireViolation {
    return new ProbeReply(
        reply.getNumber(),
        reply.getClockNanos(),
        Bounds.within("reply after %s ns", reply.getHeldNanos(), 0, Long.MAX_VALUE),
        lateNanos(reply.getLateNanos()),
        reply.hasDataAck() ? decode(reply.getDataAck()) : null);
  }

  private static long lateNanos(long encoded) throws WireViolation {
    return Bounds.within("late by %s ns", encoded, 0, PeerMessage.MAX_LATE_NANOS);
  }

  private static ClockEcho decode(io.treecast.proto.v1.ClockEcho echo) throws WireViolation {
    return new ClockEcho(
        echo.getClockNanos(),
        Bounds.within("echo after %s ns", echo.getHeldNanos(), 0, Long.MAX_VALUE));
  }

  private static long nextMillis(int encoded) throws WireViolation {
    long millis = Integer.toUnsignedLong(encoded);
    return Bounds.within("next probe after %s ms", millis, 0, PeerMessage.MAX_NEXT_MILLIS);
  }

  private static io.treecast.proto.v1.WeightUpdate encode(WeightUpdate update) {
    return io.treecast.proto.v1.WeightUpdate.newBuilder()
        .setVersion(update.version())
        .setRttMicros(update.rttMicros())
        .build();
  }

  private static WeightUpdate decode(io.treecast.proto.v1.WeightUpdate update)
      throws WireViolation {
    return new WeightUpdate(update.getVersion(), roundTrip(update.getRttMicros()));
  }

  private static long roundTrip(long rttMicros) throws WireViolation {
    return Bounds.positive("round-trip time of %s us", rttMicros);
  }

  private Tree decodeTree(ControlFrame frame) throws WireViolation {
    return switch (frame.getMetric()) {
      case TREE_METRIC_UNSPECIFIED -> new Tree(latency.decode(frame), TreeMetric.LATENCY);
      case TREE_METRIC_BANDWIDTH -> new Tree(widest.decode(frame), TreeMetric.BANDWIDTH);
      case UNRECOGNIZED -> throw new WireViolation("tree of an unknown metric");
    };
  }

  private static ThroughputUpdate decode(io.treecast.proto.v1.ThroughputUpdate update)
      throws WireViolation {
    return new ThroughputUpdate(
        Bounds.positive("throughput of version %s", update.getVersion()),
        Bounds.within("step %s of throughput", update.getStep(), 0, BandwidthWeight.MAX_STEP),
        roundTrip(update.getRttMicros()));
  }

  private static RingOffer decode(io.treecast.proto.v1.RingOffer offer) throws WireViolation {
    return new RingOffer(
        Bounds.positive("ring in tree version %s", offer.getTreeVersion()),
        Bounds.within("ring of %s kbit/s", offer.getRingKbps(), 0, Throughput.MAX_KBPS),
        Bounds.within("ring of %s us", offer.getRttMicros(), 0, RingOffer.MAX_RTT_MICROS),
        Bounds.within("tree of %s kbit/s", offer.getTreeKbps(), 0, Throughput.MAX_KBPS),
        offer.hasLoan() ? decode(offer.getLoan()) : null);
  }

  private static io.treecast.proto.v1.UploadLoan encode(UploadLoan loan) {
    return io.treecast.proto.v1.UploadLoan.newBuilder()
        .setMember(loan.member().toString())
        .setNumber(loan.number())
        .build();
  }

  private static UploadLoan decode(io.treecast.proto.v1.UploadLoan loan) throws WireViolation {
    return new UploadLoan(
        ValueCodec.nodeId(loan.getMember()), Bounds.positive("loan %s", loan.getNumber()));
  }

  private static RingVerdict decode(io.treecast.proto.v1.RingVerdict verdict) throws WireViolation {
    return new RingVerdict(
        Bounds.positive("ring in tree version %s", verdict.getTreeVersion()),
        verdict.getUsed(),
        verdict.hasLoan() ? decode(verdict.getLoan()) : null);
  }

  private static PassToken decode(io.treecast.proto.v1.PassToken pass) throws WireViolation {
    return new PassToken(
        Bounds.positive("token of generation %s", pass.getGeneration()),
        ValueCodec.nodeId(pass.getFounder()));
  }

  private static io.treecast.proto.v1.RefuseLink.Cause encode(RefusalCause cause) {
    return switch (cause) {
      case ALREADY_LINKED -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_ALREADY_LINKED;
      case DUPLICATE_ID -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_DUPLICATE_ID;
      case UNEXPECTED_MEMBER -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_UNEXPECTED_MEMBER;
      case PROTOCOL_VIOLATION -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_PROTOCOL_VIOLATION;
      case FULL -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_FULL;
      case NOT_NEEDED -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_NOT_NEEDED;
      case OTHER_CLUSTER -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_OTHER_CLUSTER;
      case LIVENESS_CHECK -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_LIVENESS_CHECK;
      case OTHER_VERSION -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_OTHER_VERSION;
      case OTHER_SETTINGS -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_OTHER_SETTINGS;
      case NO_DATA -> io.treecast.proto.v1.RefuseLink.Cause.CAUSE_NO_DATA;
    };
  }

  private static RefusalCause decode(io.treecast.proto.v1.RefuseLink.Cause cause)
      throws WireViolation {
    return switch (cause) {
      case CAUSE_ALREADY_LINKED -> RefusalCause.ALREADY_LINKED;
      case CAUSE_DUPLICATE_ID -> RefusalCause.DUPLICATE_ID;
      case CAUSE_UNEXPECTED_MEMBER -> RefusalCause.UNEXPECTED_MEMBER;
      case CAUSE_PROTOCOL_VIOLATION -> RefusalCause.PROTOCOL_VIOLATION;
      case CAUSE_FULL -> RefusalCause.FULL;
      case CAUSE_NOT_NEEDED -> RefusalCause.NOT_NEEDED;
      case CAUSE_OTHER_CLUSTER -> RefusalCause.OTHER_CLUSTER;
      case CAUSE_LIVENESS_CHECK -> RefusalCause.LIVENESS_CHECK;
      case CAUSE_OTHER_VERSION, UNRECOGNIZED -> RefusalCause.OTHER_VERSION;
      case CAUSE_OTHER_SETTINGS -> RefusalCause.OTHER_SETTINGS;
      case CAUSE_NO_DATA -> RefusalCause.NO_DATA;
      case CAUSE_UNSPECIFIED -> throw new WireViolation("refusal without a known cause");
    };
  }

  private static String shortened(String reason) {
    return reason.length() <= MAX_REASON_LENGTH ? reason : reason.substring(0, MAX_REASON_LENGTH);
  }
}
