package io.treecast.collectives.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The right results of operations, computed from their contributors alone. A member's contribution
 * depends only on its name and on the operation's.
 */
final class OperationTruth {
  private static final int ELEMENTS = 3;

  private final List<CommittedTree> trees = new ArrayList<>();
  private final Map<String, Set<NodeId>> contributed = new HashMap<>();
  private final Map<String, Map<NodeId, Completed>> outcomes = new TreeMap<>();
  private final Map<String, Set<NodeId>> leftOut = new TreeMap<>();
  private final Map<NodeId, CommittedTree> present = new TreeMap<>();

  /** For each operation, the members that were in different trees at once since its first call. */
  private final Map<String, Set<Set<NodeId>>> apart = new HashMap<>();

  void proposed(CommittedTree tree) {
    trees.add(tree);
  }

  /** Notes that a member has committed a tree: it is apart from all that are not in it. */
  void committed(NodeId member, CommittedTree tree, SortedSet<NodeId> all) {
    for (NodeId other : all) {
      if (!tree.hasMember(other)) {
        apart.values().forEach(pairs -> pairs.add(Set.of(member, other)));
      }
    }
    present.put(member, tree);
  }

  /** Notes that a member has crashed: it is apart from all others, and remembers nothing. */
  void crashed(NodeId member, SortedSet<NodeId> all) {
    for (NodeId other : all) {
      if (!other.equals(member)) {
        apart.values().forEach(pairs -> pairs.add(Set.of(member, other)));
      }
    }
    present.remove(member);
  }

  private Set<Set<NodeId>> apartNow(SortedSet<NodeId> all) {
    Set<Set<NodeId>> pairs = new HashSet<>();
    for (NodeId one : all) {
      CommittedTree tree = present.get(one);
      for (NodeId other : all) {
        if (!one.equals(other) && (tree == null || !tree.hasMember(other))) {
          pairs.add(Set.of(one, other));
        }
      }
    }
    return pairs;
  }

  void contributes(NodeId member, Operation operation, SortedSet<NodeId> all) {
    apart.computeIfAbsent(operation.name(), name -> apartNow(all));
    contributed.computeIfAbsent(operation.name(), name -> new HashSet<>()).add(member);
  }

  /** Returns the contribution of a member. */
  static Value contribution(NodeId member, Operation operation, SortedSet<NodeId> all) {
    return switch (operation.kind()) {
      case BARRIER -> Value.NOTHING;
      case REDUCE -> {
        int number = member.hashCode() % 1_000 + operation.name().hashCode() % 100;
        yield Objects.requireNonNull(operation.reduction()).type() == ElementType.LONG
            ? Value.longs(number, -number, (long) number * number)
            : Value.doubles(number, -number, number * 0.5);
      }
      case GATHER -> Value.Parts.of(member, payload(member, operation));
      case SCATTER -> {
        if (!Objects.equals(member, operation.hub())) {
          yield Value.NOTHING;
        }
        TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
        all.forEach(one -> parts.put(one, payload(one, operation)));
        yield new Value.Parts(parts);
      }
    };
  }

  /** Returns a different operation of the same name. */
  static Operation anotherThan(Operation operation) {
    SortedSet<NodeId> all = operation.participants();
    return operation.kind() == Kind.BARRIER
        ? new Operation(operation.name(), Kind.REDUCE, Reduction.SUM_OF_LONGS, null, all)
        : new Operation(operation.name(), Kind.BARRIER, null, null, all);
  }

  private static ByteBuffer payload(NodeId member, Operation operation) {
    return ByteBuffer.wrap((operation.name() + " of " + member).getBytes(UTF_8));
  }

  /** Handles the outcome of a member's call. */
  void ended(NodeId member, Operation operation, Outcome outcome) {
    String what =
        member
            + " was told of '"
            + operation.name()
            + "' ("
            + operation.described()
            + ") "
            + outcome;
    if (outcome instanceof Failed failed) {
      if (failed.reason() == Reason.LEFT_OUT) {
        leftOut.computeIfAbsent(operation.name(), name -> new HashSet<>()).add(member);
      }
      return;
    }
    Completed completed = (Completed) outcome;
    if (operation.kind() != Kind.SCATTER && !completed.contributors().contains(member)) {
      throw new AssertionError(what + ": its own contribution is not in it");
    }
    if (!contributed
        .getOrDefault(operation.name(), Set.of())
        .containsAll(completed.contributors())) {
      throw new AssertionError(what + ": not all of them have contributed");
    }
    if (trees.stream().noneMatch(tree -> isOf(tree, operation, completed))) {
      throw new AssertionError(what + ": those are not all members of such a tree");
    }
    Value expected = expected(member, operation, completed.contributors());
    if (!expected.equals(completed.value())) {
      throw new AssertionError(what + ": expected " + expected);
    }
    outcomes
        .computeIfAbsent(operation.name(), name -> new TreeMap<>())
        .putIfAbsent(member, completed);
  }

  private static boolean isOf(CommittedTree tree, Operation operation, Completed completed) {
    SortedSet<NodeId> members = new TreeSet<>(tree.members());
    if (!operation.participants().isEmpty()) {
      members.clear();
      members.addAll(operation.participants());
    }
    if (operation.mayLoseMembers()) {
      members.retainAll(tree.members());
    }
    return tree.version() == completed.treeVersion()
        && (operation.kind() == Kind.SCATTER
            || completed.contributors().size() >= operation.minimum())
        && (operation.kind() == Kind.SCATTER
            ? members.containsAll(completed.contributors())
            : members.equals(completed.contributors()));
  }

  private Value expected(NodeId member, Operation operation, SortedSet<NodeId> contributors) {
    if (operation.kind() == Kind.SCATTER) {
      return Value.Parts.of(member, payload(member, operation));
    }
    boolean isForAnother = operation.hasHub() && !Objects.equals(member, operation.hub());
    if (operation.kind() == Kind.BARRIER || isForAnother) {
      return Value.NOTHING;
    }
    if (operation.kind() == Kind.GATHER) {
      TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
      contributors.forEach(one -> parts.put(one, payload(one, operation)));
      return new Value.Parts(parts);
    }
    Reduction reduction = Objects.requireNonNull(operation.reduction());
    if (reduction.type() == ElementType.LONG) {
      long[] sum = new long[ELEMENTS];
      boolean first = true;
      for (NodeId one : contributors) {
        long[] more = ((Value.Vector) contribution(one, operation, contributors)).longs();
        for (int i = 0; i < ELEMENTS; i++) {
          sum[i] = first ? more[i] : reduction.of(sum[i], more[i]);
        }
        first = false;
      }
      return Value.longs(sum);
    }
    double[] sum = new double[ELEMENTS];
    boolean first = true;
    for (NodeId one : contributors) {
      double[] more = ((Value.Vector) contribution(one, operation, contributors)).doubles();
      for (int i = 0; i < ELEMENTS; i++) {
        sum[i] = first ? more[i] : reduction.of(sum[i], more[i]); // Halves: exact in any order.
      }
      first = false;
    }
    return Value.doubles(sum);
  }

  /**
   * Asserts that members that were in the same trees since the first call have the same outcome.
   */
  void assertNeverApartAgree(Operation operation) {
    Map<NodeId, Completed> told = outcomes.getOrDefault(operation.name(), Map.of());
    Set<NodeId> ended = new TreeSet<>(told.keySet());
    ended.addAll(leftOut.getOrDefault(operation.name(), Set.of()));
    Set<Set<NodeId>> pairs = apart.getOrDefault(operation.name(), Set.of());
    for (NodeId member : told.keySet()) {
      Completed own = Objects.requireNonNull(told.get(member));
      for (NodeId other : ended) {
        Completed others = told.get(other);
        if (!other.equals(member)
            && !pairs.contains(Set.of(member, other))
            && (others == null || !others.isSameAs(own))) {
          throw new AssertionError(
              member
                  + " was told of '"
                  + operation.name()
                  + "' "
                  + own
                  + ", and "
                  + other
                  + ", which it was never apart from, "
                  + (others == null ? "that it is left out" : others));
        }
      }
    }
  }

  /** Asserts that members that always were in one tree have the same outcome. */
  void assertAgreed(Operation operation) {
    Set<List<Object>> all = new HashSet<>();
    outcomes
        .getOrDefault(operation.name(), Map.of())
        .forEach(
            (member, outcome) -> all.add(List.of(outcome.contributors(), outcome.treeVersion())));
    if (all.size() > 1) {
      throw new AssertionError("'" + operation.name() + "' came to " + all);
    }
  }

  /**
   * Asserts, where all live members are in one tree, that a contributor to a later tree's result
   * did not get an earlier result.
   *
   * @param crashed members that have restarted, and may be in both
   */
  void assertNobodyIsInAnother(Operation operation, Set<NodeId> crashed) {
    Map<NodeId, Completed> told = outcomes.getOrDefault(operation.name(), Map.of());
    told.forEach(
        (member, own) -> {
          for (Completed other : told.values()) {
            if (other.treeVersion() > own.treeVersion()
                && other.contributors().contains(member)
                && !crashed.contains(member)) {
              throw new AssertionError(
                  member
                      + " was told of '"
                      + operation.name()
                      + "' "
                      + own
                      + ", and is in "
                      + other);
            }
          }
        });
  }
}
