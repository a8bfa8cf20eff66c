package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.collectives.operation.contract.CombiningCounters;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * A network of nodes whose applications take part in operations, while committed trees, streams and
 * nodes change at random, as a function of one seed. Each node learns of each change in its own
 * time. At last the changes stop, all commit one tree, and the remaining members call; then every
 * call must have the right outcome.
 *
 * <p>Returns what is wrong, or an empty text.
 */
final class CombiningRun implements LongFunction<String> {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONG_NANOS = 1_000 * SECOND;
  private static final int MAX_STEPS = 50_000;
  private static final int LAST_EVENTS = 40;

  private final Map<String, Long> coverage;
  private final boolean hubsLeave;
  private final boolean partsMerge;
  private final boolean changesLast;

  /** Returns a run of everything that may happen. */
  static CombiningRun of(Map<String, Long> coverage) {
    return new CombiningRun(coverage, false, false);
  }

  /** Returns a run with less room, members that disagree more often, and hubs that leave. */
  static CombiningRun withLeavingHubs(Map<String, Long> coverage) {
    return new CombiningRun(coverage, true, false);
  }

  /**
   * Returns a run with more members, which wait so long that contributions of others expire, while
   * the changes continue.
   */
  static CombiningRun withChangesThatLast(Map<String, Long> coverage, boolean hubsLeave) {
    return new CombiningRun(coverage, hubsLeave, true);
  }

  /**
   * Returns a run of operations of all members of the tree, while parts form and merge often, so
   * that several parts reach results. With half of the seeds some members are never apart, while
   * others crash. There is room for all.
   */
  static CombiningRun withMergingParts(Map<String, Long> coverage) {
    return new CombiningRun(coverage, false, false, true);
  }

  private CombiningRun(Map<String, Long> coverage, boolean hubsLeave, boolean changesLast) {
    this(coverage, hubsLeave, changesLast, false);
  }

  private CombiningRun(
      Map<String, Long> coverage, boolean hubsLeave, boolean changesLast, boolean partsMerge) {
    this.partsMerge = partsMerge;
    this.coverage = coverage;
    this.hubsLeave = hubsLeave;
    this.changesLast = changesLast;
  }

  @Override
  public String apply(long seed) {
    Network network = new Network(seed, coverage, hubsLeave, changesLast, partsMerge);
    try {
      network.run();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      String sweep = hubsLeave ? "LeavingHubsSweepTest" : "CombiningSweepTest";
      sweep = partsMerge ? "MergingPartsSweepTest" : sweep;
      return SeedSweep.failure(seed, failure, changesLast ? "LastingChangesSweepTest" : sweep)
          + "\nlast events:\n"
          + String.join("\n", network.events);
    }
  }

  /** One seed's network. */
  private static final class Network implements SimulatedMember.World {
    final ArrayDeque<String> events = new ArrayDeque<>();
    private final Random chains;
    private final Random random;
    private final Map<String, Long> coverage;
    private final boolean changesLast;
    private final boolean partsMerge;
    private final OperationTruth truth = new OperationTruth();
    private final SortedSet<NodeId> all = new TreeSet<>();
    private final Map<NodeId, SimulatedMember> nodes = new TreeMap<>();
    private final List<SimulatedStream> streams = new ArrayList<>();
    private final List<PlannedOperation> planned = new ArrayList<>();
    private final Set<String> hubRestarted = new TreeSet<>();
    private final Set<NodeId> crashed = new TreeSet<>();
    private final boolean allStay;

    /** Whether all live members are always in one tree. */
    private final boolean isWhole;

    /** Limits are as small as allowed, so operations fail for lack of room. */
    private final boolean isTight;

    /** A member means something else by a name, so operations fail. */
    private final boolean isAtOdds;

    /**
     * All members, in groups that are never apart while parts form and merge around them; empty if
     * any two may be apart.
     */
    private final List<List<NodeId>> groups = new ArrayList<>();

    /** Members whose streams are lost as soon as an answer is sent to them. */
    private final Set<NodeId> deaf = new TreeSet<>();

    /** Members that crash at last do not restart. */
    private final boolean isForGood;

    private final AnyTree trees;
    private final CombiningLimits limits;
    private final long windowBytes;
    private long calls;
    private int changes;
    private int steps;
    private long nanos;

    Network(
        long seed,
        Map<String, Long> coverage,
        boolean hubsLeave,
        boolean changesLast,
        boolean partsMerge) {
      this.partsMerge = partsMerge;
      this.random = new Random(seed);
      this.trees = new AnyTree(random);
      this.coverage = coverage;
      this.changesLast = changesLast;
      this.allStay = random.nextInt(4) == 0 && !partsMerge;
      this.isWhole = allStay || (random.nextInt(3) == 0 && !partsMerge);
      this.isTight = random.nextInt(hubsLeave ? 2 : 5) == 0 && !partsMerge;
      this.isAtOdds = random.nextInt(hubsLeave ? 4 : 10) == 0 && !partsMerge;
      this.chains = new Random(seed + 3);
      this.isForGood = hubsLeave || new Random(~seed).nextInt(4) == 0;
      this.limits = isTight ? new CombiningLimits(2, 1 << 10, 6 << 10) : CombiningLimits.defaults();
      this.windowBytes = random.nextInt(4) == 0 ? 1 + random.nextInt(2_000) : Credits.WINDOW_BYTES;
      this.changes = random.nextInt(3) == 0 ? 0 : random.nextInt(20);
      int smallest = partsMerge ? 3 : hubsLeave ? 2 : 1;
      int size = smallest + random.nextInt((changesLast ? 11 : 9) - smallest);
      for (int i = 0; i < size; i++) {
        all.add(NodeId.of("n" + i));
      }
      if (partsMerge && random.nextBoolean()) {
        List<NodeId> ungrouped = new ArrayList<>(all);
        while (!ungrouped.isEmpty()) {
          int most = Math.min(ungrouped.size(), 3);
          List<NodeId> group = ungrouped.subList(0, 1 + random.nextInt(most));
          groups.add(List.copyOf(group));
          group.clear();
        }
      }
      all.forEach(id -> nodes.put(id, new SimulatedMember(id, this, limits, windowBytes)));
      AnyOperation operations = new AnyOperation(random, all, hubsLeave, seed);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        String name = "op" + i;
        planned.add(
            new PlannedOperation(
                partsMerge ? operations.ofAllNamed(name) : operations.named(name)));
      }
    }

    private <T> T any(List<T> some) {
      return some.get(random.nextInt(some.size()));
    }

    @Override
    public void event(String text) {
      events.add(nanos / 1_000_000 + " ms " + text);
      if (events.size() > LAST_EVENTS) {
        events.remove();
      }
    }

    @Override
    public long nanos() {
      return nanos;
    }

    private void count(String what) {
      coverage.merge(what, 1L, Long::sum);
    }

    void run() {
      reshape(allStay);
      while (groups.isEmpty() && (changes > 0 || random.nextInt(40) > 0)) {
        step();
      }
      end();
    }

    private void step() {
      if (++steps > MAX_STEPS) {
        throw new AssertionError("no end after " + MAX_STEPS + " steps");
      }
      int dice = random.nextInt(100);
      if (dice < 2 && changes > 0) {
        changes--;
        change();
      } else if (dice < 10) {
        call(any(), planned.get(random.nextInt(planned.size())), random.nextInt(6) == 0);
      } else if (dice < 11) {
        withdraw(any());
      } else if (dice < 20) {
        learn(any());
      } else if (dice < 23) {
        pass(random.nextLong(SECOND));
      } else {
        deliver();
      }
    }

    /** Lets an application give up waiting; it may call again. */
    private void withdraw(SimulatedMember node) {
      if (!node.calls.isEmpty() && random.nextInt(4) == 0) {
        long call = any(List.copyOf(node.calls.keySet()));
        Operation operation = Objects.requireNonNull(node.calls.remove(call));
        event(node.id + " withdraws " + operation.name());
        node.combining.withdraw(call, nanos);
        count("withdrawn");
      }
    }

    private SimulatedMember any() {
      List<SimulatedMember> alive = List.copyOf(nodes.values());
      return alive.get(random.nextInt(alive.size()));
    }

    private void change() {
      SimulatedMember leaving = List.copyOf(nodes.values()).get(chains.nextInt(nodes.size()));
      if (!leaving.chain.isEmpty() && chains.nextInt(4) == 0) {
        leaving.chain = List.of();
        leaving.combining.chain(null, nanos);
        count("chain left");
      }
      int dice = random.nextInt(10);
      if (dice < 5 || allStay || partsMerge) {
        reshape(allStay);
        if ((allStay || partsMerge) && random.nextBoolean() && !streams.isEmpty()) {
          streams.get(random.nextInt(streams.size())).lose(random);
          count("stream lost");
        }
      } else if (dice < 7 && !streams.isEmpty()) {
        streams.get(random.nextInt(streams.size())).lose(random);
        count("stream lost");
      } else if (dice < 9 && nodes.size() > 1) {
        crash(any());
        reshape(random.nextBoolean());
      } else {
        restartAll();
        reshape(random.nextBoolean());
      }
    }

    private void crash(SimulatedMember node) {
      event(node.id + " crashes");
      count("crash");
      nodes.remove(node.id);
      truth.crashed(node.id, all);
      crashed.add(node.id);
      streams.stream().filter(s -> s.has(node.id)).forEach(s -> s.crashed(node.id, random));
      for (PlannedOperation plan : planned) {
        if (plan.tokens().remove(node.id) != null
            && Objects.equals(node.id, plan.operation().hub())) {
          hubRestarted.add(plan.operation().name());
        }
      }
    }

    private void restartAll() {
      for (NodeId id : all) {
        if (nodes.putIfAbsent(id, new SimulatedMember(id, this, limits, windowBytes)) == null) {
          event(id + " starts");
        }
      }
    }

    /** Proposes trees over all live members: one, or one for each part. */
    private void reshape(boolean whole) {
      List<CommittedTree> proposed =
          groups.isEmpty()
              ? trees.over(nodes.keySet(), whole || isWhole)
              : trees.dividing(liveGroups(whole));
      if (proposed.size() > 1) {
        count("parts");
      }
      for (CommittedTree tree : proposed) {
        truth.proposed(tree);
        event("proposed " + tree + " " + tree.edges());
        tree.members().forEach(id -> node(id).toLearn = tree);
      }
      count("tree");
    }

    /** Returns the live members of each group; in one group if no part may form. */
    private List<List<NodeId>> liveGroups(boolean whole) {
      if (whole) {
        return List.of(List.copyOf(nodes.keySet()));
      }
      return groups.stream()
          .map(group -> group.stream().filter(nodes::containsKey).toList())
          .filter(group -> !group.isEmpty())
          .toList();
    }

    private SimulatedMember node(NodeId id) {
      SimulatedMember node = nodes.get(id);
      if (node == null) {
        throw new AssertionError(id + " is not alive");
      }
      return node;
    }

    private boolean learn(SimulatedMember node) {
      CommittedTree tree = node.toLearn;
      if (tree == null) {
        return false;
      }
      node.toLearn = null;
      node.tree = tree;
      event(node.id + " commits " + tree);
      truth.committed(node.id, tree, all);
      node.combining.treeCommitted(tree, nanos);
      node.chain = chains.nextInt(3) == 0 ? List.of() : List.copyOf(tree.members());
      if (!node.chain.isEmpty()) {
        node.combining.chain(node.chain, nanos);
        count("chain");
      }
      return true;
    }

    /**
     * Lets nodes dial those with which they share an edge, and close streams that neither needs.
     */
    private boolean dial() {
      for (SimulatedMember node : nodes.values()) {
        if (node.tree != null) {
          for (NodeId neighbour : node.neighbours()) {
            if (nodes.containsKey(neighbour)
                && streams.stream().noneMatch(s -> s.joins(node.id, neighbour))) {
              streams.add(new SimulatedStream(node.id, neighbour));
              node.opened(neighbour);
              return true;
            }
          }
        }
      }
      return false;
    }

    @Override
    public void send(NodeId from, NodeId to, CombiningMessage message) {
      SimulatedStream stream =
          streams.stream()
              .filter(s -> s.joins(from, to))
              .findFirst()
              .orElseThrow(() -> new AssertionError(from + " sends without a stream to " + to));
      if (message instanceof Answer && deaf.contains(to)) {
        stream.end();
      } else {
        stream.send(from, message);
      }
    }

    private boolean deliver() {
      streams.removeIf(SimulatedStream::isOver);
      if (random.nextInt(4) == 0 && dial()) {
        return true;
      }
      int first = streams.isEmpty() ? 0 : random.nextInt(streams.size());
      for (int i = 0; i < streams.size(); i++) {
        SimulatedStream stream = streams.get((first + i) % streams.size());
        if (stream.step(random.nextBoolean(), end(stream.dialer()), end(stream.acceptor()))) {
          assertWithinBounds();
          return true;
        }
      }
      return dial();
    }

    private void assertWithinBounds() {
      for (SimulatedMember node : nodes.values()) {
        long keptBytes = node.combining.counters().keptBytes();
        if (keptBytes > limits.totalBytes() + 4L * limits.valueBytes()) {
          throw new AssertionError(node.id + " keeps " + keptBytes + " bytes");
        }
      }
      for (SimulatedStream stream : streams) {
        if (stream.underWayBytes() > windowBytes + stream.largestBytes()) {
          throw new AssertionError(stream.underWayBytes() + " bytes are under way on one stream");
        }
      }
    }

    private SimulatedStream.End end(NodeId id) {
      SimulatedMember node = nodes.get(id);
      return node != null ? node : SimulatedStream.NOBODY;
    }

    private void pass(long duration) {
      nanos += duration;
      for (SimulatedMember node : nodes.values()) {
        if (node.combining.nextDeadlineNanos() <= nanos) {
          node.combining.tick(nanos);
        }
        if (node.combining.nextDeadlineNanos() <= nanos) {
          throw new AssertionError(node.id + " is due again at once");
        }
      }
    }

    private void call(SimulatedMember node, PlannedOperation plan, boolean impatient) {
      Operation operation = plan.operation();
      if (!operation.isFor(node.id)) {
        return;
      }
      String token = plan.tokens().get(node.id);
      if (token != null && (node.ended.contains(operation.name()) || random.nextInt(4) > 0)) {
        return;
      }
      if (token == null) {
        token = "t" + ++calls;
        plan.tokens().put(node.id, token);
      } else {
        count("repeated");
      }
      long deadline = impatient ? nanos + random.nextLong(5 * SECOND) : nanos + LONG_NANOS;
      boolean isOdd = isAtOdds && random.nextInt(10) == 0;
      if (isOdd) { // It refuses the name until it is forgotten itself.
        node.disagreesWithNeighbour.add(operation.name());
      }
      take(node, isOdd ? OperationTruth.anotherThan(operation) : operation, token, deadline);
    }

    private void take(SimulatedMember node, Operation operation, String token, long deadline) {
      long call = ++calls;
      node.calls.put(call, operation);
      truth.contributes(node.id, operation, all);
      event(node.id + " calls " + operation.name() + " " + operation.described());
      node.combining.takePart(
          call,
          token,
          operation,
          OperationTruth.contribution(node.id, operation, all),
          deadline,
          nanos);
    }

    @Override
    public void ended(SimulatedMember node, Operation operation, Outcome outcome) {
      truth.ended(node.id, operation, outcome);
      if (outcome instanceof Outcome.Failed failed) {
        count("failed, " + failed.reason());
        boolean isLost =
            failed.reason() == Reason.RESULT_LOST
                && (isTight || hubRestarted.contains(operation.name()));
        boolean mayFail =
            isLost
                || (!allStay && failed.reason() == Reason.LEFT_OUT)
                || (isTight && failed.reason() == Reason.NO_ROOM)
                || (isAtOdds && failed.reason() == Reason.DISAGREEMENT);
        if (failed.reason() != Reason.MEMBERS_MISSING && !mayFail) {
          throw new AssertionError(node.id + ": " + failed);
        }
        boolean isMeant = planned.stream().anyMatch(plan -> plan.operation().equals(operation));
        if (mayFail && isMeant && !node.disagreesWithNeighbour.contains(operation.name())) {
          node.ended.add(operation.name());
        }
      } else {
        count("completed, " + operation.kind() + (operation.hasHub() ? " with hub" : ""));
        if (operation.mayLoseMembers()
            && ((Outcome.Completed) outcome).contributors().size()
                < operation.participants().size()) {
          count("completed without lost members");
        }
        node.ended.add(operation.name());
        if (node.tree != null
            && ((Outcome.Completed) outcome).treeVersion() < node.tree.version()) {
          count("completed on an earlier tree");
        }
      }
    }

    private void end() {
      if (partsMerge) {
        mergeParts();
      }
      if (changesLast) {
        for (int i = random.nextInt(12); i > 0; i--) {
          callAll();
          change();
          for (int j = random.nextInt(100); j > 0; j--) {
            step();
          }
          pass(random.nextLong(20 * SECOND));
          count("changed at last");
        }
      }
      if (!isForGood) {
        restartAll();
      }
      reshape(true);
      settle();
      callAll();
      for (int i = 0; i < 10; i++) {
        if (i < 5 && !streams.isEmpty() && random.nextBoolean()) {
          streams.get(random.nextInt(streams.size())).lose(random);
        }
        settle();
        pass(SECOND);
      }
      settle();
      for (PlannedOperation plan : planned) {
        for (SimulatedMember node : nodes.values()) {
          if (plan.isOpenAt(node) && !isTight && plan.canEnd(nodes)) {
            throw new AssertionError(
                node.id + " has no outcome of " + plan.operation().name() + " " + plan.operation());
          }
        }
        if (allStay && !isTight && !isAtOdds) {
          truth.assertAgreed(plan.operation());
        }
        if (!isTight && plan.operation().kind() != Kind.SCATTER) {
          truth.assertNeverApartAgree(plan.operation());
        }
        if (isWhole && !isTight && plan.operation().kind() != Kind.SCATTER) {
          truth.assertNobodyIsInAnother(plan.operation(), crashed);
        }
      }
      pass(2 * LONG_NANOS);
      settle();
      pass(2 * LONG_NANOS);
      for (SimulatedMember node : nodes.values()) {
        CombiningCounters counters = node.combining.counters();
        if (!node.calls.isEmpty()) {
          throw new AssertionError(node.id + " was told nothing of calls " + node.calls);
        }
        if (counters.underWay() > 0 || node.combining.nextDeadlineNanos() < Long.MAX_VALUE) {
          throw new AssertionError(node.id + " has something under way for ever: " + counters);
        }
      }
    }

    /** Lets parts reach results, some of which do not arrive before the parts change again. */
    private void mergeParts() {
      if (!groups.isEmpty()) {
        changePartsInARow();
        return;
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        reshape(false);
        for (int j = random.nextInt(60); j > 0; j--) {
          learn(any());
          call(any(), any(planned), false);
          deliver();
        }
        if (!streams.isEmpty()) {
          any(streams).lose(random);
        }
        pass(random.nextLong(3 * SECOND));
      }
    }

    /**
     * Again and again lets parts form, often before the members have their trees, and reach results
     * that some members do not receive.
     */
    private void changePartsInARow() {
      boolean crashes = random.nextInt(4) == 0;
      for (int i = 2 + random.nextInt(9); i > 0; i--) {
        reshape(false);
        if (random.nextInt(3) > 0) {
          List.copyOf(nodes.values()).forEach(this::learn); // All have a tree at the first call.
        }
        if (random.nextBoolean()) {
          all.stream().filter(member -> random.nextInt(3) == 0).forEach(deaf::add);
        }
        if (random.nextInt(3) == 0) {
          callAll();
        }
        for (int j = random.nextInt((random.nextBoolean() ? 6 : 40) * nodes.size()); j > 0; j--) {
          stepOfParts(crashes);
        }
        deaf.clear();
        if (random.nextBoolean()) {
          pass(random.nextLong(random.nextInt(10) == 0 ? 30 * SECOND : SECOND));
        }
      }
    }

    private void stepOfParts(boolean crashes) {
      int dice = random.nextInt(400);
      if (dice < 60) {
        call(any(), any(planned), random.nextInt(8) == 0);
      } else if (dice < 64) {
        withdraw(any());
      } else if (dice < 104) {
        learn(any());
      } else if (dice < 112) {
        pass(random.nextLong(random.nextBoolean() ? SECOND / 4 : 2 * SECOND));
      } else if (dice < 116 && !streams.isEmpty()) {
        any(streams).lose(random);
      } else if (dice == 116 && crashes && nodes.size() > 2) {
        crash(any());
        reshape(false);
      } else if (dice == 117 && crashes) {
        restartAll();
        reshape(false);
      } else {
        deliver();
      }
    }

    /** Lets every member without an outcome call, and wait for it. */
    private void callAll() {
      for (PlannedOperation plan : planned) {
        for (SimulatedMember node : List.copyOf(nodes.values())) {
          if (plan.isDueAt(node)) {
            String token = plan.tokens().computeIfAbsent(node.id, id -> "t" + ++calls);
            take(node, plan.operation(), token, nanos + LONG_NANOS);
          }
          if (random.nextBoolean()) {
            deliver();
          }
        }
      }
    }

    private void settle() {
      boolean moved = true;
      while (moved) {
        moved = deliver();
        for (SimulatedMember node : nodes.values()) {
          moved |= learn(node);
        }
        if (++steps > MAX_STEPS) {
          throw new AssertionError("no end after " + MAX_STEPS + " steps");
        }
      }
    }
  }
}
