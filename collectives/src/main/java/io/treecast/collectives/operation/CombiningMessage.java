package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Outcome.Failed;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What members of a committed tree say to each other of operations, on the data stream of an edge.
 * Immutable.
 */
public sealed interface CombiningMessage {
  /** The most members in one list. */
  int MAX_MEMBERS = Operation.MAX_PARTICIPANTS;

  /** What any of them counts against the {@link Credit}, besides its names, texts and value. */
  int OVERHEAD_BYTES = 128;

  /** The same, of each name of a member, besides its characters. */
  int NAME_OVERHEAD_BYTES = 4;

  /** What it counts against the {@link Credit}: at least its size on the wire, about. */
  long cost();

  /**
   * What the sender's side of the tree has for an operation: from a member to its neighbour on the
   * way to the centre. Takes the place of what the sender said of it before.
   *
   * @param operation as the sender's side calls it
   * @param epoch that of the sender's committed tree
   * @param complete whether all of that side who take part are in one of the two lists
   * @param waiting those of that side who have contributed and have no result
   * @param done those who have one, as far as the sender knows
   * @param value the contributions of those who wait, combined; {@link Value#NOTHING} if it is not
   *     complete
   * @param outcome what is done has come to; null if the sender does not know. Of several results,
   *     one that the sender has not told on this tree; others follow or came before
   * @param surveyed whether each member of that side, also one that has not contributed, has said
   *     on this tree which results it knows, and the receiver has heard of all of these
   * @param overdue whether somebody has waited for long: then the receiver is to tell, and to ask
   *     others, what is known
   * @param patienceMillis how long somebody of that side will wait yet, at most
   * @param number no other contribution of the sender has it
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
     * Copies the sets. Of those who are done only the wire bounds how many may be told: who waited
     * is among them, besides, when it got its part of a scatter.
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

    /** The same, of an operation that is equal: so that there is no need for two. */
    Contribution of(Operation same) {
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

    /** Whether it says that nobody of that side has contributed or knows an outcome. */
    boolean isOfNobody() {
      return waiting.isEmpty() && done.isEmpty();
    }

    /** The same, of which the outcome is kept elsewhere. */
    Contribution withoutOutcome() {
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

    /** What is left of it when some that waited got an answer, and others did not. */
    Contribution afterAnswerTo(SortedSet<NodeId> receivers) {
      SortedSet<NodeId> stillWaiting = new TreeSet<>(waiting);
      SortedSet<NodeId> nowDone = new TreeSet<>(done);
      stillWaiting.removeAll(receivers);
      nowDone.addAll(receivers);
      return with(stillWaiting, nowDone);
    }

    /** That it was said, which takes no memory for what was given. */
    Contribution withoutValue() {
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
   * How an operation has ended, to who sent a {@link Contribution}; of no use to who has sent
   * another one since, which is answered, too.
   *
   * @param name of the operation
   * @param number that of the contribution
   * @param outcome with no value, if only another member is to have it; of a scatter, with parts
   *     for the members
   * @param members of a scatter that is complete, and of a result of an earlier tree, the members
   *     that it is for: perhaps not all that wait on the receiver's side; otherwise none
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
   * Somebody has waited for long: what is known of an operation on the receiver's side? Answered by
   * a {@link Contribution}, if the receiver has a result; otherwise each says what it has on the
   * way to the centre, now and whenever that changes.
   *
   * @param operation as the sender's side calls it
   * @param epoch that of the sender's committed tree
   * @param patienceMillis how long somebody will wait yet, at most
   * @param heard the number of the contribution of the receiver that the sender has; 0 if it has
   *     none: then what was told is to be told again
   */
  record Question(Operation operation, TreeEpoch epoch, long patienceMillis, long heard)
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
   * Who has not come yet to an operation that is overdue: from the centre to all, for who asks.
   *
   * @param name of the operation
   * @param epoch that of the sender's committed tree
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
   * How much the receiver may say on this stream, from its begin, and one message beyond. Costs
   * nothing itself.
   *
   * @param bytes in {@linkplain #cost costs}; not less than said before
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
