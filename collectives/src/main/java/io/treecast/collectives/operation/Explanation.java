package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.ghs.NodeId;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Explanations for people why an operation has failed. Stateless. */
final class Explanation {
  /** The largest number of members that a text names. */
  private static final int MAX_NAMED = 20;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private Explanation() {}

  static Failed membersMissing(OperationState state, NodeId self, @Nullable Branches branches) {
    Operation operation = state.operation;
    if (branches == null) {
      return failed(
          Reason.MEMBERS_MISSING, operation, "agent " + self + " had no tree in the time allowed");
    }
    SortedSet<NodeId> missing = state.missingAsFarAsKnown(self, branches);
    String missingText =
        branches.isWithoutCentre(operation)
            ? operation.hub()
                + " is not in the tree; only that agent knows which others have not arrived"
            : missing.isEmpty() && branches.size() < operation.minimum()
                ? branches.size()
                    + (branches.size() == 1 ? " member is" : " members are")
                    + " in the tree of "
                    + self
                    + ", and the minimum is "
                    + operation.minimum()
                : missing.isEmpty()
                    ? "some members had not arrived by the deadline, and "
                        + self
                        + " does not know which"
                    : named(missing, branches);
    return failed(
        Reason.MEMBERS_MISSING,
        operation,
        missingText
            + "; the contribution of "
            + self
            + " counts while others wait, and "
            + OperationState.GRACE_NANOS / NANOS_PER_SECOND
            + " s beyond: find out why they have not called it, or name the participants");
  }

  /** Members that cannot arrive now are listed apart from those that may be late. */
  private static String named(SortedSet<NodeId> missing, Branches branches) {
    SortedSet<NodeId> outside = branches.outside(missing);
    SortedSet<NodeId> late = new TreeSet<>(missing);
    late.removeAll(outside);
    String text =
        outside.isEmpty()
            ? ""
            : Operation.named(outside, MAX_NAMED)
                + (outside.size() == 1 ? " is" : " are")
                + " not in the tree";
    if (late.isEmpty()) {
      return text;
    }
    return (text.isEmpty() ? "" : text + ", and ")
        + Operation.named(late, MAX_NAMED)
        + (late.size() == 1 ? " has" : " have")
        + " not arrived in the time allowed";
  }

  /**
   * Returns the failure at members that call one operation while others call another by its name.
   *
   * @param where location of the others, for example {@code at n3}
   */
  static Failed disagreement(Operation own, Operation other, String where) {
    return new Failed(
        Reason.DISAGREEMENT,
        ("'%s' is called here as %s, and %s as %s; all members must call it identically, "
                + "under a name that is used for nothing else")
            .formatted(own.name(), own.described(), where, other.described()));
  }

  /** Returns the failure of an operation of a view that is outdated for a participant. */
  static Failed viewChanged(Operation operation, NodeId self) {
    return new Failed(
        Reason.VIEW_CHANGED,
        "'"
            + operation.name()
            + "' is among the members of "
            + operation.view()
            + ", and "
            + self
            + " has not called it and knows a later view, or has left the group: call it among the"
            + " members of the latest view");
  }

  /**
   * Returns the failure for a neighbour that calls another operation by this name than this member
   * and those behind it.
   */
  static Failed disagreesWithNeighbour(OperationState state, Operation neighbours, NodeId self) {
    return disagreement(neighbours, state.operation, locationOf(state, self));
  }

  /**
   * Returns the failure for an application of this member that calls another operation by this name
   * than an earlier call, or than other members.
   */
  static Failed disagreesWithCall(OperationState state, Operation called, NodeId self) {
    String where = state.token == null ? locationOf(state, self) : "by an earlier call of " + self;
    return disagreement(called, state.operation, where);
  }

  private static String locationOf(OperationState state, NodeId self) {
    return state.token != null
        ? "at " + self
        : state.contributions.entrySet().stream()
            .map(of -> at(of.getKey(), of.getValue().waiting()))
            .findFirst()
            .orElse("elsewhere");
  }

  /**
   * Returns the location of waiting members on a neighbour's side, which all make the same call.
   */
  static String at(NodeId neighbour, SortedSet<NodeId> waiting) {
    return waiting.isEmpty()
        ? "at " + neighbour + ", or behind it,"
        : "at " + (waiting.contains(neighbour) ? neighbour : waiting.first());
  }

  static Failed nameUsed(Operation operation, NodeId self) {
    return failed(
        Reason.NAME_USED,
        operation,
        "another call of "
            + self
            + "'s applications has taken part in it; give each round a name of its own");
  }

  static Failed notAParticipant(Operation operation, NodeId self) {
    return failed(Reason.NOT_A_PARTICIPANT, operation, self + " is not among them");
  }

  static Failed resultLost(Operation operation, NodeId self) {
    return failed(
        Reason.RESULT_LOST,
        operation,
        "it was complete before, but agent "
            + self
            + ", the only holder of the result, has lost it: it restarted or evicted it; repeat it under"
            + " another name");
  }

  static Failed leftOut(Operation operation, Completed result, NodeId self) {
    SortedSet<NodeId> contributors = result.contributors();
    return failed(
        Reason.LEFT_OUT,
        operation,
        "it was complete on tree version "
            + result.treeVersion()
            + " with "
            + contributors.size()
            + (contributors.size() == 1 ? " member (" : " members (")
            + Operation.named(contributors, MAX_NAMED)
            + "), but the contribution of "
            + self
            + " is not in that result; repeat it under another name, with a minimum of members"
            + " or with named members if all are needed");
  }

  /** Returns the failure because a member that had exchanged contributions cannot continue. */
  static Failed noRoom(Operation operation, NodeId self, CombiningLimits limits) {
    return noRoom(
        operation, self, limits, "it has failed for all; repeat it under another name when");
  }

  /**
   * Returns the failure because a member has no room to accept the contributions of others, which
   * all fail.
   */
  static Failed noRoomToPassOn(Operation operation, NodeId self, CombiningLimits limits) {
    return noRoom(
        operation,
        self,
        limits,
        "contributions through it do not count; repeat it under another name when");
  }

  /** Returns the failure because a member has no room to begin the operation. */
  static Failed noRoomToBegin(Operation operation, NodeId self, CombiningLimits limits) {
    return noRoom(operation, self, limits, "nothing was kept of this call; repeat it when");
  }

  private static Failed noRoom(
      Operation operation, NodeId self, CombiningLimits limits, String next) {
    return failed(
        Reason.NO_ROOM,
        operation,
        ("agent %s has no room: limits.collectives allows %s at a time, "
                + "limits.collectivesBytes %s bytes for all; %s others have ended, or raise "
                + "them")
            .formatted(self, limits.operations(), limits.totalBytes(), next));
  }

  private static Failed failed(Reason reason, Operation operation, String text) {
    return new Failed(
        reason, "'" + operation.name() + "' (" + operation.described() + "): " + text);
  }
}
