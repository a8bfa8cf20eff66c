package io.treecast.agent.core;

import io.treecast.agent.core.Attack.Stage;
import io.treecast.agent.core.AttackScript.Step;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.wire.RandomMessages;
import io.treecast.agent.wire.delta.RandomTrees;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Stable;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Scripts to begin with, made from the present messages: what a correct neighbour says, from each
 * stage on, and a valid message of each kind.
 */
final class AttackSeeds {
  private static final int RTT_MILLIS = 5;
  private static final int WORSE_RTT_MILLIS = 400;
  private static final long SOME_MILLIS = 3_000;
  private static final long LONG_MILLIS = 40_000;
  private static final int INVENTED_PARTS = 3;
  private static final int INVENTED_OPERATIONS = 20;
  private static final int INVENTED_MEMBERS = 1_000;
  private static final long DAY_MILLIS = 86_400_000;
  private static final TreeEpoch OTHER_TREE = new TreeEpoch(1_000, NodeId.of("x"), 0);

  private AttackSeeds() {}

  /** Returns the frames of a correct neighbour that links, builds a tree, broadcasts and leaves. */
  static List<byte[]> recorded(boolean attackerOwnsLink) {
    return new Recording(attackerOwnsLink).scripts();
  }

  static Stream<byte[]> controlOfEachKind() {
    Random random = new Random(1);
    List<PeerMessage> messages =
        new ArrayList<>(new RandomMessages(random).onePeerMessageOfEachKind());
    messages.addAll(new RandomTrees(random).oneOfEachKind());
    return messages.stream()
        .flatMap(
            message ->
                Stream.of(Stage.values())
                    .map(stage -> new AttackScript(stage, false).control(message).toBytes()));
  }

  static Stream<byte[]> dataOfEachKind() {
    return new RandomMessages(new Random(1))
        .oneDataMessageOfEachKind().stream()
            .map(message -> new AttackScript(Stage.COMMITTED, true).data(message).toBytes());
  }

  /** Claims about thousands of streams that nobody has heard of, from either end of the link. */
  static Stream<byte[]> inventedStreams() {
    List<Function<List<StreamPosition>, EdgeMessage>> claims =
        List.of(
            positions -> new Digest(Channel.MESSAGES, positions, false),
            positions -> new Have(1, positions, false, 0),
            positions -> new Stable(1, positions, false, 0));
    return claims.stream().flatMap(claim -> Stream.of(invent(claim, true), invent(claim, false)));
  }

  private static byte[] invent(
      Function<List<StreamPosition>, EdgeMessage> claim, boolean attackerOwnsLink) {
    AttackScript script = new AttackScript(Stage.COMMITTED, attackerOwnsLink);
    for (int incarnation = 0; incarnation < INVENTED_PARTS; incarnation++) {
      List<StreamPosition> positions = new ArrayList<>();
      for (int i = 0; i < Digest.MAX_POSITIONS; i++) {
        StreamId stream = new StreamId(NodeId.of("x" + i), incarnation);
        positions.add(new StreamPosition(stream, new Position(2, 0)));
      }
      script.data(new Edge(claim.apply(positions)));
    }
    return script.toBytes();
  }

  /** Says of operations that nobody has heard of who takes part, with whom, and for how long. */
  static Stream<byte[]> inventedOperations() {
    SortedSet<NodeId> members = new TreeSet<>();
    for (int i = 0; i < INVENTED_MEMBERS; i++) {
      members.add(NodeId.of("x" + i));
    }
    return Stream.of(members, new TreeSet<NodeId>())
        .flatMap(
            some ->
                Stream.<Function<Operation, CombiningMessage>>of(
                        of -> new Question(of, OTHER_TREE, DAY_MILLIS, 1),
                        of ->
                            new Contribution(
                                of,
                                OTHER_TREE,
                                false,
                                some,
                                some,
                                Value.NOTHING,
                                null,
                                false,
                                true,
                                DAY_MILLIS,
                                1))
                    .flatMap(
                        claim ->
                            Stream.of(
                                inventOperations(claim, some, true),
                                inventOperations(claim, some, false))));
  }

  private static byte[] inventOperations(
      Function<Operation, CombiningMessage> claim,
      SortedSet<NodeId> participants,
      boolean attackerOwnsLink) {
    AttackScript script = new AttackScript(Stage.COMMITTED, attackerOwnsLink);
    for (int i = 0; i < INVENTED_OPERATIONS; i++) {
      Operation operation =
          new Operation("invented " + i, Operation.Kind.BARRIER, null, null, participants);
      script.data(new Collective(claim.apply(operation)));
    }
    return script.toBytes();
  }

  /** Writes what arrives at the attacked agent from the neighbour, in one script for each stage. */
  private static final class Recording implements WatchedAgent.Listener {
    private final VirtualNetwork network =
        VirtualNetwork.measurable(1, RTT_MILLIS * VirtualNetwork.MILLI);
    private final String neighbourName;
    private final boolean neighbourOwnsLink;
    private final Map<Stage, AttackScript> scripts = new EnumMap<>(Stage.class);
    private long lastNanos;

    Recording(boolean neighbourOwnsLink) {
      this.neighbourOwnsLink = neighbourOwnsLink;
      this.neighbourName = neighbourOwnsLink ? Attack.OWNER : Attack.HIGHER;
    }

    List<byte[]> scripts() {
      Set<NodeId> members = Set.of(NodeId.of(Attack.TARGET), NodeId.of(neighbourName));
      String address = WatchedAgent.address(Attack.TARGET);
      WatchedAgent target = WatchedAgent.start(network, Attack.TARGET, members);
      target.listen(this);
      begin(Stage.STRANGER);
      WatchedAgent neighbour = WatchedAgent.start(network, neighbourName, members, address);
      network.rtt(address, WatchedAgent.address(neighbourName), RTT_MILLIS);
      begin(Stage.MEASURING, () -> !target.core().snapshot().links().isEmpty());
      begin(
          Stage.MERGING,
          () ->
              target.core().snapshot().links().stream()
                  .anyMatch(link -> link.state() == LinkState.UP));
      begin(Stage.COMMITTED, () -> target.core().snapshot().carriesBroadcasts());
      for (int bytes : new int[] {0, 1, 100, 500}) {
        var unused = neighbour.publish(new byte[bytes]);
        network.run(SOME_MILLIS);
      }
      for (Operation.Kind kind : List.of(Operation.Kind.BARRIER, Operation.Kind.GATHER)) {
        Operation operation = new Operation("of " + kind, kind, null, null, new TreeSet<>(members));
        neighbour.takePart(operation);
        network.run(SOME_MILLIS);
        target.takePart(operation);
        network.run(SOME_MILLIS);
      }
      network.rtt(address, WatchedAgent.address(neighbourName), WORSE_RTT_MILLIS);
      network.run(LONG_MILLIS);
      neighbour.core().leave();
      network.run(SOME_MILLIS);
      return scripts.values().stream().map(AttackScript::toBytes).toList();
    }

    private void begin(Stage stage, BooleanSupplier isReached) {
      if (!network.runUntil(isReached, LONG_MILLIS)) {
        throw new AssertionError(stage + " is not reached");
      }
      begin(stage);
    }

    private void begin(Stage stage) {
      scripts.put(stage, new AttackScript(stage, neighbourOwnsLink));
    }

    private void add(BiConsumer<AttackScript, Long> step) {
      long millis = (network.nowNanos() - lastNanos) / VirtualNetwork.MILLI;
      lastNanos = network.nowNanos();
      scripts.values().forEach(script -> step.accept(script, millis));
    }

    @Override
    public void control(Connection<PeerMessage> connection, PeerMessage message) {
      if (!(message instanceof Probe)) {
        add((script, millis) -> script.waitMillis(millis).control(message));
      }
    }

    @Override
    public void data(Connection<DataMessage> connection, DataMessage message) {
      add((script, millis) -> script.waitMillis(millis).data(message));
    }
  }

  /** The agent publishes and its subscriber stalls, with a long silence behind. */
  static byte[] ownDoings() {
    return new AttackScript(Stage.COMMITTED, true)
        .step(Step.PUBLISH, 200)
        .step(Step.STALL)
        .step(Step.PUBLISH, 255)
        .waitMillis(LONG_MILLIS)
        .toBytes();
  }
}
