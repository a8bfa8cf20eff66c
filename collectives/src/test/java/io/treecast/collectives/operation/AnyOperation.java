package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Draws operations at random.
 *
 * @param all all possible members
 * @param hubsLeave whether most operations that may have a hub have one
 * @param minimumSeed seed of the minimum of members
 */
record AnyOperation(Random random, SortedSet<NodeId> all, boolean hubsLeave, long minimumSeed) {
  private static final List<Reduction> REDUCTIONS =
      List.of(
          Reduction.SUM_OF_LONGS,
          Reduction.MIN_OF_LONGS,
          Reduction.MAX_OF_LONGS,
          Reduction.SUM_OF_DOUBLES,
          Reduction.MIN_OF_DOUBLES,
          Reduction.MAX_OF_DOUBLES);

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private boolean mayHaveHub() {
    return hubsLeave ? random.nextInt(5) > 0 : random.nextBoolean();
  }

  /**
   * Returns an operation of all members of the tree, of which each part may reach a result of its
   * own.
   */
  Operation ofAllNamed(String name) {
    Kind kind = any(List.of(Kind.BARRIER, Kind.REDUCE, Kind.GATHER));
    Reduction reduction = kind == Kind.REDUCE ? any(REDUCTIONS) : null;
    SortedSet<NodeId> everybody = new TreeSet<>();
    Operation operation = new Operation(name, kind, reduction, null, everybody);
    operation = operation.withMinimum(minimum(everybody));
    return new Random(minimumSeed + 1).nextInt(3) == 0 ? segment(operation, all) : operation;
  }

  Operation named(String name) {
    Kind kind = any(List.of(Kind.values()));
    Reduction reduction = kind == Kind.REDUCE ? any(REDUCTIONS) : null;
    SortedSet<NodeId> participants = new TreeSet<>();
    if (random.nextInt(3) == 0) {
      participants.addAll(all);
      participants.removeIf(id -> random.nextBoolean());
    }
    List<NodeId> hubs = new ArrayList<>(participants.isEmpty() ? all : participants);
    boolean hasHub = kind == Kind.SCATTER || (kind != Kind.BARRIER && mayHaveHub());
    NodeId hub = hasHub ? any(hubs) : null;
    Operation operation = new Operation(name, kind, reduction, hub, participants);
    operation = operation.withMinimum(minimum(participants));
    return !participants.isEmpty() && new Random(minimumSeed + 1).nextBoolean()
        ? segment(operation, participants)
        : operation;
  }

  /** Returns a segment of a large operation, which does not wait for members that have left. */
  private Operation segment(Operation like, SortedSet<NodeId> participants) {
    return new Operation(
        like.name() + "~first/1",
        like.kind(),
        like.reduction(),
        like.hub(),
        participants,
        like.minimum(),
        new Operation.Step(0, 1, 1, 1, true, new Random(minimumSeed + 2).nextInt(4)));
  }

  /**
   * At most the number of participants, so that it is reached in the end. Draws nothing from the
   * common source.
   */
  private int minimum(SortedSet<NodeId> participants) {
    int most = participants.isEmpty() ? all.size() : participants.size();
    Random own = new Random(minimumSeed);
    return own.nextInt(3) == 0 ? 1 + own.nextInt(most) : 1;
  }
}
