package io.treecast.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.agent.core.AttackScript.Step;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.DataFrame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An agent that is attacked by one of its two neighbours. The neighbour is a correct agent up to
 * some stage; then it is silenced, and frames of an {@link AttackScript} arrive on its connections.
 * When the script is over it is gone, and all must be well again between the other two.
 *
 * <p>Members are not known to each other but by what they say, so one can speak in the name of
 * another: what is published in the name of the correct neighbour is left out of the script.
 */
final class Attack {
  /** How far the attacker was a correct agent. */
  enum Stage {
    /** It has never been heard of. */
    STRANGER(0),
    /** There is a link, and it is measured. */
    MEASURING(1),
    /** The link is measured, and the tree is made. */
    MERGING(2),
    /** All have the same tree, and data flows. */
    COMMITTED(3);

    /** Stands for it in a script; never changes, since scripts are kept. */
    final int code;

    Stage(int code) {
      this.code = code;
    }

    static Stage of(int code) {
      return Stream.of(values())
          .filter(stage -> stage.code == code % values().length)
          .findFirst()
          .orElseThrow();
    }
  }

  /** The attacked agent; the attacker has a lower id, so that it owns the link, or a higher one. */
  static final String TARGET = "m";

  static final String OWNER = "a";
  static final String HIGHER = "z";

  /** The correct neighbour. */
  static final String WITNESS = "w";

  /** The broadcasts that the two correct agents publish in the end. */
  private static final List<String> BROADCASTS = List.of(TARGET, WITNESS);

  /** The operation in which they take part then. */
  private static final Operation BARRIER =
      new Operation("after the attack", Operation.Kind.BARRIER, null, null, new TreeSet<>());

  /** Nothing more is done after so long: half an hour. */
  private static final long MAX_NANOS = 1_800_000_000_000L;

  private static final long MAX_DELAY_MILLIS = 5;
  private static final long RECOVERY_MILLIS = 300_000;
  private static final int MILLIS_PER_SECOND = 1_000;

  /** Somewhat more than what the data layer has room for with {@link WatchedAgent#LIMITS}. */
  private static final long MAX_ENTRIES = 1_000;

  /** Sets of all members of the tree that the data layer has. */
  private static final long ENTRIES_PER_MEMBER = 10;

  private final VirtualNetwork network =
      VirtualNetwork.measurable(1, MAX_DELAY_MILLIS * VirtualNetwork.MILLI);
  private final String attackerName;
  private final WatchedAgent target;
  private final WatchedAgent witness;
  private final Transport transport;

  private VirtualNetwork.@Nullable Stream<PeerMessage> control;
  private VirtualNetwork.@Nullable Stream<DataMessage> data;
  private PeerCodec codec = new PeerCodec();
  private boolean stalled;

  private Attack(Stage stage, boolean attackerOwnsLink) {
    attackerName = attackerOwnsLink ? OWNER : HIGHER;
    Set<NodeId> members = Set.of(NodeId.of(TARGET), NodeId.of(WITNESS), NodeId.of(attackerName));
    String seed = WatchedAgent.address(TARGET);
    target = WatchedAgent.start(network, TARGET, members);
    witness = WatchedAgent.start(network, WITNESS, members, seed);
    WatchedAgent attacker = WatchedAgent.start(network, attackerName, members, seed);
    transport = network.transportOf(WatchedAgent.address(attackerName));
    attacker.listen(new Streams(seed));
    if (stage == Stage.STRANGER) {
      attacker.silence();
    }
    if (!network.runUntil(() -> isReached(stage), RECOVERY_MILLIS)) {
      throw new AssertionError(stage + " is not reached");
    }
    attacker.silence();
  }

  /**
   * Runs a script. Throws whatever the attacked agent throws.
   *
   * @throws AssertionError if the agent, or an application, is not as it must be
   */
  static void run(byte[] script) {
    ByteBuffer steps = ByteBuffer.wrap(script);
    if (!steps.hasRemaining()) {
      return;
    }
    int situation = Byte.toUnsignedInt(steps.get());
    Attack attack = new Attack(Stage.of(situation / 2), situation % 2 == 1);
    while (steps.hasRemaining() && attack.network.nowNanos() < MAX_NANOS) {
      attack.step(steps);
    }
    attack.checkBounds();
    attack.checkRecovery();
  }

  private boolean isReached(Stage stage) {
    return switch (stage) {
      case STRANGER -> true;
      case MEASURING -> target.isLinked(NodeId.of(attackerName));
      case MERGING -> target.hasMeasured(NodeId.of(attackerName));
      case COMMITTED -> agree(3);
    };
  }

  private boolean agree(int members) {
    CommittedTree tree = target.tree();
    return tree != null
        && tree.members().size() == members
        && Objects.equals(tree, witness.tree())
        && target.isAtRest()
        && witness.isAtRest();
  }

  private void step(ByteBuffer steps) {
    switch (Step.of(argument(steps))) {
      case CONTROL -> sendControl(frame(steps));
      case DATA -> sendData(frame(steps));
      case WAIT -> network.run((long) argument(steps) * AttackScript.MILLIS_PER_TICK);
      case WAIT_LONG -> network.run((long) argument(steps) * MILLIS_PER_SECOND);
      case DIAL_CONTROL -> dialControl();
      case DIAL_DATA -> dialData();
      case CLOSE_CONTROL -> endControl("closed");
      case CLOSE_DATA -> endData("closed");
      case PUBLISH -> {
        var unusedAsItMayBeRefused = target.publish(new byte[argument(steps)]);
      }
      case STALL -> stall();
    }
  }

  private static int argument(ByteBuffer steps) {
    return steps.hasRemaining() ? Byte.toUnsignedInt(steps.get()) : 0;
  }

  private static byte[] frame(ByteBuffer steps) {
    int length = argument(steps) << Byte.SIZE | argument(steps);
    byte[] frame = new byte[Math.min(length, steps.remaining())];
    steps.get(frame);
    return frame;
  }

  private void sendControl(byte[] frame) {
    try {
      PeerMessage message = codec.decode(ControlFrame.parseFrom(frame));
      (control != null && control.isOpen() ? control : dialControl()).arriveNow(message);
    } catch (InvalidProtocolBufferException | WireViolation invalid) {
      endControl("invalid frame");
    }
  }

  private void sendData(byte[] frame) {
    try {
      DataMessage message = DataCodec.decode(DataFrame.parseFrom(frame));
      if (!isInTheNameOfTheWitness(message)) {
        (data != null && data.isOpen() ? data : dialData()).arriveNow(message);
      }
    } catch (InvalidProtocolBufferException | WireViolation invalid) {
      endData("invalid frame");
    }
  }

  private boolean isInTheNameOfTheWitness(DataMessage message) {
    return message instanceof Edge edge
        && edge.message() instanceof Data item
        && item.item().stream().origin().equals(witness.id());
  }

  private VirtualNetwork.Stream<PeerMessage> dialControl() {
    codec = new PeerCodec();
    var dialed =
        (VirtualNetwork.Stream<PeerMessage>) transport.dialControl(WatchedAgent.address(TARGET));
    control = dialed;
    network.run(2 * MAX_DELAY_MILLIS);
    return dialed;
  }

  private VirtualNetwork.Stream<DataMessage> dialData() {
    var dialed =
        (VirtualNetwork.Stream<DataMessage>) transport.dialData(WatchedAgent.address(TARGET));
    data = dialed;
    network.run(2 * MAX_DELAY_MILLIS);
    return dialed;
  }

  private void endControl(String reason) {
    if (control != null) {
      control.breakBoth(reason);
      control = null;
    }
  }

  private void endData(String reason) {
    if (data != null) {
      data.breakBoth(reason);
      data = null;
    }
  }

  private void stall() {
    stalled = !stalled;
    if (stalled) {
      target.stall();
    } else {
      target.resume();
    }
  }

  private void checkBounds() {
    var limits = WatchedAgent.LIMITS;
    var counters = target.core().snapshot().broadcast();
    check(counters.retainedBytes() <= limits.logBytes(), "the log retains", counters);
    check(
        counters.waitingBytes()
            <= limits.publishBufferBytes()
                + limits.edgeWindowBytes() * (target.core().snapshot().links().size() + 1L),
        "more waits than the windows hold",
        counters);
    CommittedTree tree = target.tree();
    long members = tree == null ? 0 : tree.members().size();
    // Links and the automaton have bounds of their own, of thousands of members.
    long entries =
        KeptEntries.of(
            target.core(),
            Links.class,
            Link.class,
            TreeDriver.class,
            Connection.class,
            Transport.class,
            AgentEffects.class);
    check(
        entries <= MAX_ENTRIES + ENTRIES_PER_MEMBER * members,
        "the data layer keeps too many entries, with a tree of " + members + " members",
        entries);
  }

  private void checkRecovery() {
    network.crash(WatchedAgent.address(attackerName));
    if (stalled) {
      stall();
    }
    boolean recovered = network.runUntil(() -> agree(2), RECOVERY_MILLIS);
    check(recovered, "the correct agents do not agree", target.core().treeStatus());
    for (WatchedAgent agent : List.of(target, witness)) {
      byte[] payload = agent.id().toString().getBytes(UTF_8);
      boolean published =
          network.runUntil(() -> agent.publish(payload).messageId != null, RECOVERY_MILLIS);
      check(published, "refuses what is published", agent.id());
    }
    boolean delivered =
        network.runUntil(
            () -> target.hasBroadcasts(BROADCASTS) && witness.hasBroadcasts(BROADCASTS),
            RECOVERY_MILLIS);
    check(delivered, "a broadcast does not arrive", target.core().snapshot().broadcast());
    List.of(target, witness).forEach(agent -> agent.takePart(BARRIER));
    boolean passed =
        network.runUntil(() -> target.hasPassed() && witness.hasPassed(), RECOVERY_MILLIS);
    check(passed, "they do not pass a barrier", target.outcomes());
    check(!isFatal(target) && !isFatal(witness), "gave up", target.notices());
  }

  private static boolean isFatal(WatchedAgent agent) {
    return agent.notices().stream().anyMatch(n -> n.severity() == Notice.Severity.FATAL);
  }

  private static void check(boolean holds, String breach, Object subject) {
    if (!holds) {
      throw new AssertionError(breach + ": " + subject);
    }
  }

  /** Takes note of the streams between the attacker and the attacked agent. */
  private final class Streams implements WatchedAgent.Listener {
    private final String target;

    Streams(String target) {
      this.target = target;
    }

    @Override
    public void control(Connection<PeerMessage> connection, PeerMessage message) {
      // What the attacked agent says must be something that can be sent.
      var unused = codec.encode(message);
      if (control == null && connection.remoteAddress().equals(target)) {
        control = (VirtualNetwork.Stream<PeerMessage>) connection;
      }
    }

    @Override
    public void data(Connection<DataMessage> connection, DataMessage message) {
      var unused = DataCodec.encode(message);
      if (data == null && connection.remoteAddress().equals(target)) {
        data = (VirtualNetwork.Stream<DataMessage>) connection;
      }
    }
  }
}
