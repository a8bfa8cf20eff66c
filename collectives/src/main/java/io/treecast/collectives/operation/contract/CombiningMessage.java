package io.treecast.collectives.operation.contract;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A message about an operation between members of a committed tree, on the data stream of an edge.
 * Immutable.
 */
public sealed interface CombiningMessage {
  /** The largest number of members in one list. */
  int MAX_MEMBERS = Operation.MAX_PARTICIPANTS;

  /** The fixed cost of a message against the {@link Credit}, besides its names, texts and value. */
  int OVERHEAD_BYTES = 128;

  /** The fixed cost of each member name, besides its characters. */
  int NAME_OVERHEAD_BYTES = 4;

  /**
   * Returns the cost of the message against the {@link Credit}: approximately its size on the wire,
   * or more.
   */
  long cost();

  /**
   * The state of an operation on the sender's side of the tree; sent from a member to its neighbour
   * on the path to the centre. Replaces the sender's earlier contributions.
   *
   * @param operation as the sender's side calls it
   * @param epoch epoch of the sender's committed tree
   * @param complete whether all participants of that side are in one of the two lists
   * @param waiting the members of that side that have contributed and have no result
   * @param done the members of that side that have a result, as far as the sender knows
   * @param value the combined contributions of the waiting members; {@link Value#NOTHING} if it is
   *     not complete
   * @param outcome the outcome of those that are done; null if the sender does not know it. If
   *     there are several results, one that the sender has not sent on this tree; the others are
   *     sent before or after it
   * @param surveyed whether each member of that side, also one that has not contributed, has
   *     reported on this tree which results it knows, and the receiver has all of these
   * @param overdue whether a call has waited for long: then the receiver reports its state, and
   *     asks others
   * @param patienceMillis the longest remaining wait of a call on that side
   * @param number unique among the sender's contributions
   */
  record Contribution(
      Operation operation,
      TreeEpoch epoch,
      boolean complete,
      SortedSet<NodeId> waiting,
      SortedSet<NodeId> done,
      Value value,
      @Nullable Outcome outcome,
      boolean surveyed,
      boolean overdue,
      long patienceMillis,
      long number)
      implements CombiningMessage {
    /**
     * Copies the sets. The members that are done are bounded only by the wire: they also include
     * members that waited and got their part of a scatter.
     *
     * @throws IllegalArgumentException if more members wait than {@link #MAX_MEMBERS}, or the
     *     patience is negative
     */
    public Contribution {
      waiting = checked(waiting);
      done = copied(done);
      if (patienceMillis < 0) {
        throw new IllegalArgumentException("patience of " + patienceMillis + " ms");
      }
    }

    @Override
    public long cost() {
      return costOf(operation)
          + costOf(waiting)
          + costOf(done)
          + value.cost()
          + (outcome == null ? 0 : costOf(outcome));
    }

    /**
     * Returns this contribution with its operation replaced by an equal object, so that only one is
     * kept.
     */
    public Contribution of(Operation same) {
      return new Contribution(
          same,
          epoch,
          complete,
          waiting,
          done,
          value,
          outcome,
          surveyed,
          overdue,
          patienceMillis,
          number);
    }

    /** Returns whether no member of that side has contributed or knows an outcome. */
    public boolean namesNoMember() {
      return waiting.isEmpty() && done.isEmpty();
    }

    /** Returns this contribution without its outcome, which is kept elsewhere. */
    public Contribution withoutOutcome() {
      return new Contribution(
          operation,
          epoch,
          complete,
          waiting,
          done,
          value,
          null,
          surveyed,
          overdue,
          patienceMillis,
          number);
    }

    /** Returns the rest of this contribution after some of the waiting members got an answer. */
    public Contribution afterAnswerTo(SortedSet<NodeId> receivers) {
      SortedSet<NodeId> stillWaiting = new TreeSet<>(waiting);
      SortedSet<NodeId> nowDone = new TreeSet<>(done);
      stillWaiting.removeAll(receivers);
      nowDone.addAll(receivers);
      return with(stillWaiting, nowDone);
    }

    /** Returns this contribution without its value, as a note without payload that it was sent. */
    public Contribution withoutValue() {
      return with(waiting, done);
    }

    private Contribution with(SortedSet<NodeId> otherWaiting, SortedSet<NodeId> otherDone) {
      return new Contribution(
          operation,
          epoch,
          complete,
          otherWaiting,
          otherDone,
          Value.NOTHING,
          null,
          surveyed,
          overdue,
          patienceMillis,
          number);
    }
  }

  /**
   * The outcome of an operation, to the sender of a {@link Contribution}. Void if the receiver has
   * since sent another contribution, which has an answer of its own.
   *
   * @param name name of the operation
   * @param number number of the contribution
   * @param outcome without a value, if only another member gets it; of a scatter, with parts for
   *     the members
   * @param members the receivers, if the outcome is of a complete scatter or a result of an earlier
   *     tree: perhaps not all that wait on the receiver's side; otherwise empty
   */
  record Answer(String name, long number, Outcome outcome, SortedSet<NodeId> members)
      implements CombiningMessage {
    /**
     * Copies the set.
     *
     * @throws IllegalArgumentException if it has more than {@link #MAX_MEMBERS}
     */
    public Answer {
      members = checked(members);
    }

    @Override
    public long cost() {
      return OVERHEAD_BYTES + name.length() + costOf(outcome) + costOf(members);
    }
  }

  /**
   * A question about an operation on the receiver's side, because a call has waited for long. A
   * receiver that has a result answers with a {@link Contribution}; otherwise each member sends its
   * state towards the centre, now and whenever it changes.
   *
   * @param operation as the sender's side calls it
   * @param epoch epoch of the sender's committed tree
   * @param patienceMillis the longest remaining wait of a call
   * @param lastReceived the number of the receiver's contribution that the sender has; 0 if it has
   *     none, so that it must be sent again
   */
  record Question(Operation operation, TreeEpoch epoch, long patienceMillis, long lastReceived)
      implements CombiningMessage {
    /**
     * Checks the patience.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Question {
      if (patienceMillis < 0) {
        throw new IllegalArgumentException("patience of " + patienceMillis + " ms");
      }
    }

    @Override
    public long cost() {
      return costOf(operation);
    }
  }

  /**
   * The participants that have not arrived at an overdue operation; sent from the centre to all,
   * for its callers.
   *
   * @param name name of the operation
   * @param epoch epoch of the sender's committed tree
   * @param members at most {@link #MAX_MEMBERS}
   */
  record Missing(String name, TreeEpoch epoch, SortedSet<NodeId> members)
      implements CombiningMessage {
    /**
     * Copies the set.
     *
     * @throws IllegalArgumentException if it has more than {@link #MAX_MEMBERS}
     */
    public Missing {
      members = checked(members);
    }

    @Override
    public long cost() {
      return OVERHEAD_BYTES + name.length() + costOf(members);
    }
  }

  /**
   * Reports to a neighbour that still sends along the chain of the members that the sender has left
   * it. The receiver leaves it, too. It has no cost: it replies to one message, which has.
   *
   * @param epoch epoch after the chain of the sender's committed tree
   */
  record ChainLeft(TreeEpoch epoch) implements CombiningMessage {
    @Override
    public long cost() {
      return 0;
    }
  }

  /**
   * The number of bytes that the receiver may send on this stream, counted from its beginning. One
   * message may exceed it. A credit has no cost itself.
   *
   * @param bytes in {@linkplain #cost costs}; never decreases
   */
  record Credit(long bytes) implements CombiningMessage {
    /**
     * Checks the sum.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Credit {
      if (bytes < 0) {
        throw new IllegalArgumentException("credit of " + bytes + " bytes");
      }
    }

    @Override
    public long cost() {
      return 0;
    }
  }

  private static long costOf(Operation operation) {
    return OVERHEAD_BYTES + operation.name().length() + costOf(operation.participants());
  }

  private static long costOf(Outcome outcome) {
    return outcome instanceof Completed completed
        ? costOf(completed.contributors())
            + (completed.choice() == null ? 0 : costOf(completed.choice().members()))
            + completed.value().cost()
        : ((Failed) outcome).text().length();
  }

  private static long costOf(SortedSet<NodeId> members) {
    long cost = 0;
    for (NodeId member : members) {
      cost += NAME_OVERHEAD_BYTES + member.toString().length();
    }
    return cost;
  }

  private static SortedSet<NodeId> checked(SortedSet<NodeId> set) {
    if (set.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(set.size() + " members; allowed are " + MAX_MEMBERS);
    }
    return copied(set);
  }

  private static SortedSet<NodeId> copied(SortedSet<NodeId> set) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(set));
  }
}
