package io.treecast.collectives.operation;

import io.treecast.collectives.operation.CombiningMessage.Answer;
import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.CombiningMessage.Credit;
import io.treecast.collectives.operation.CombiningMessage.Missing;
import io.treecast.collectives.operation.CombiningMessage.Question;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Outcome.Failed;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in collective operations that combine what members give.
 *
 * <p><b>One operation on one tree.</b> Each member tells its neighbour on the way to the centre,
 * which is the operation's hub or else the {@linkplain TreeCentre middle} of the tree, what its
 * side of the committed tree has, once all of it have come: a {@link Contribution}. The centre
 * combines the last of them, and the {@link Answer} goes back the same ways. So without faults
 * there are two messages for each edge.
 *
 * <p><b>When the tree changes</b> it begins again on the new one, from what each member keeps until
 * it has the outcome. Contributions count only on the very tree on which they were told, and there
 * each member is on one side of each edge: nobody is counted twice. Who has the outcome already
 * says so when asked, and whoever hears it takes it over. The centre decides when it has heard of
 * all that take part, of those that have the outcome, too; who does not take part is not asked, and
 * forgets it. An answer counts only for what was told last, as the centre may have counted what was
 * told after it. So members that stay in one tree have the same outcome. Parts of a network that
 * are cut off from each other, each for itself, do not.
 *
 * <p><b>Who waits for long</b> has all of the tree say what they have, and whenever that changes:
 * by the flag in its contribution to those nearer to the centre, and by a {@link Question} to those
 * behind it. This finds outcomes that only some have, which is needed seldom, and tells everybody
 * who is {@linkplain Missing missing}.
 *
 * <p><b>A scatter</b> is answered by its hub alone, with the parts of those who wait on each side;
 * the others pass on what is not theirs, and keep it for as long only as there is no room for it.
 *
 * <p><b>Memory.</b> What is under way is kept for as long as somebody waits, in its own words, and
 * a while beyond. Outcomes are kept for who comes late, the oldest give way. Where there is no room
 * the operation fails, and says so.
 *
 * <p>Single-threaded. Time comes in by calls only.
 */
public final class Combining {
  private final NodeId self;
  private final CombiningLimits limits;
  private final CombiningEffects effects;
  private final Operations operations;
  private final Credits credits;
  private final Telling telling;
  private final Calls calls;

  /** Those of the committed tree; null before the first. */
  private @Nullable Branches branches;

  /**
   * A node without tree and neighbours.
   *
   * @param self this node
   */
  public Combining(NodeId self, CombiningLimits limits, CombiningEffects effects) {
    this(self, limits, Credits.WINDOW_BYTES, effects);
  }

  /** The same, with another window for what is under way to a neighbour. */
  Combining(NodeId self, CombiningLimits limits, long windowBytes, CombiningEffects effects) {
    this.self = self;
    this.limits = limits;
    this.effects = effects;
    this.operations = new Operations(self, limits);
    this.credits = new Credits(windowBytes);
    this.telling = new Telling(self, credits, effects);
    this.calls = new Calls(effects);
  }

  // The tree and its edges.

  /**
   * This node has committed a tree.
   *
   * @throws IllegalArgumentException if this node is no member of the tree
   */
  public void treeCommitted(CommittedTree committed, long nowNanos) {
    if (!committed.hasMember(self)) {
      throw new IllegalArgumentException(self + " is no member of the committed tree " + committed);
    }
    Branches tree = new Branches(self, committed);
    branches = tree;
    for (Standing standing : operations.all()) {
      standing.forgetTree(tree.epoch());
      standing.heard.entrySet().removeIf(of -> isNotBehind(tree, of.getKey(), of.getValue()));
    }
    operations.forgetOutcomesOfOthers();
    updateAll(nowNanos);
  }

  private void updateAll(long nowNanos) {
    operations.underWay().forEach(standing -> update(standing, nowNanos));
  }

  /** Whether a neighbour said this before the tree was committed here, and cannot say it. */
  private boolean isNotBehind(Branches tree, NodeId neighbour, Contribution contribution) {
    if (tree.mayBeToldBy(neighbour, contribution)) {
      return false;
    }
    effects.violated(neighbour, Violations.notBehind(contribution.operation()));
    return true;
  }

  /** The data stream to a neighbour is up: what was said on an earlier one may be lost. */
  public void opened(NodeId neighbour, long nowNanos) {
    credits.opened(neighbour);
    forgetStream(neighbour);
    updateAll(nowNanos);
  }

  /** The data stream to a neighbour is down. No effect if it was not up. */
  public void closed(NodeId neighbour) {
    if (credits.closed(neighbour)) {
      forgetStream(neighbour);
    }
  }

  private void forgetStream(NodeId neighbour) {
    for (Standing standing : operations.all()) {
      standing.forgetStream(neighbour, branches == null ? null : branches.next(standing.operation));
    }
  }

  // What neighbours say.

  /** A neighbour sent this. No effect if there is no stream to it. */
  public void received(NodeId neighbour, CombiningMessage message, long nowNanos) {
    if (!credits.isOpen(neighbour)) {
      return;
    }
    if (message instanceof Credit credit) {
      if (credits.given(neighbour, credit)) {
        updateAll(nowNanos);
      }
    } else {
      receivedOfOperations(neighbour, message, nowNanos);
      telling.credit(neighbour, message);
    }
  }

  private void receivedOfOperations(NodeId neighbour, CombiningMessage message, long nowNanos) {
    if (message instanceof Contribution contribution) {
      received(neighbour, contribution, nowNanos);
    } else if (message instanceof Answer answer) {
      received(neighbour, answer, nowNanos);
    } else if (message instanceof Question question) {
      received(neighbour, question, nowNanos);
    } else if (message instanceof Missing missing) {
      received(neighbour, missing);
    } else {
      throw new IllegalArgumentException("no handling is defined for " + message);
    }
  }

  private void received(NodeId neighbour, Contribution contribution, long nowNanos) {
    Operation operation = contribution.operation();
    String violation = Violations.of(neighbour, contribution, branches, limits);
    if (violation != null) {
      effects.violated(neighbour, violation);
      return;
    }
    if (contribution.isOfNobody() && operations.find(operation.name()) == null) {
      return; // It answers a question that is forgotten here.
    }
    Standing standing = operations.findOrBegin(operation);
    if (standing == null) {
      telling.refuse(neighbour, contribution, Explanation.noRoomToPassOn(operation, self, limits));
    } else if (!standing.operation.equals(operation)) {
      telling.refuse(
          neighbour, contribution, Explanation.meantOtherwise(standing, operation, self));
      disagree(standing, operation, Explanation.at(neighbour, contribution.waiting()), nowNanos);
    } else {
      Contribution said = contribution.of(standing.operation);
      if (standing.mayHaveSeveralResults() && said.outcome() instanceof Completed result) {
        standing.heardOf(result, said.epoch());
        said = said.withoutOutcome();
      }
      standing.heard.put(neighbour, said);
      standing.waitFor(neighbour, contribution.patienceMillis(), nowNanos);
      standing.overdue |= makesOverdue(standing, contribution);
      boolean endsIt = branches != null && standing.isEndedBy(contribution, branches.epoch());
      if (!endsIt && !operations.hasRoomFor(standing)) {
        heardWithoutRoom(standing, neighbour, contribution, nowNanos);
      }
      updateIfRoom(standing, nowNanos);
    }
  }

  /** Whether others are to be asked for what a neighbour waits for. */
  private boolean makesOverdue(Standing standing, Contribution contribution) {
    boolean isAnsweredAtOnce =
        standing.isDecidedHere && branches != null && contribution.epoch().equals(branches.epoch());
    return contribution.overdue() && !contribution.isOfNobody() && !isAnsweredAtOnce;
  }

  private void heardWithoutRoom(
      Standing standing, NodeId neighbour, Contribution contribution, long nowNanos) {
    if (standing.mayHaveSeveralResults() && contribution.outcome() instanceof Completed result) {
      standing.leaveResult(result, contribution.epoch());
    }
    if (standing.mayLeave(self, contribution, branches)) {
      standing.leave(neighbour, nowNanos); // It is told again when it is asked for.
    } else if (standing.outcome instanceof Failed failed) {
      standing.heard.remove(neighbour); // It is not kept until there is credit for the answer.
      telling.refuse(neighbour, contribution, failed);
    } else if (!standing.mayTell(self, contribution.epoch(), branches)) {
      standing.heard.remove(neighbour); // It could not be told before that tree is committed here.
      Operation operation = standing.operation;
      telling.refuse(neighbour, contribution, Explanation.noRoomToPassOn(operation, self, limits));
    }
  }

  private void received(NodeId neighbour, Answer answer, long nowNanos) {
    Standing standing = operations.find(answer.name());
    if (standing == null
        || standing.told == null
        || standing.told.number() != answer.number()
        || branches == null
        || !Objects.equals(neighbour, branches.next(standing.operation))) {
      return; // What was told since may have come to something else, and is answered, too.
    }
    Outcome outcome = answer.outcome();
    if (outcome instanceof Completed whole && !standing.combination.isTold(whole.value())) {
      effects.violated(neighbour, Violations.noOutcome(standing.operation));
    } else if (standing.isScatter() && outcome instanceof Completed parts) {
      standing.told = null; // Who asks again, since its stream was lost, is to be answered again.
      telling.parts(standing, parts, answer.members());
      if (!standing.unsentParts.isEmpty() && !operations.hasRoomFor(standing)) {
        standing.unsentParts.clear(); // They are asked for again when they can be passed on.
      }
      if (standing.isWaiting() && answer.members().contains(self)) {
        end(standing, (Completed) standing.forApplication(self, parts));
      }
      update(standing, nowNanos);
    } else if (!answer.members().isEmpty() && outcome instanceof Completed result) {
      receivedChosen(standing, branches, result, answer.members(), nowNanos);
    } else if (standing.isSettled(self)) {
      if (outcome instanceof Failed && !standing.canAnswer(self)) {
        telling.answer(standing, outcome, branches);
        operations.changed(standing);
      }
    } else {
      if (mayKeep(standing, outcome)) {
        standing.isDecidedHere = standing.mayHaveSeveralResults();
        end(standing, outcome);
      } else {
        standing.told = null; // It is asked for again when there is room for it.
      }
      update(standing, nowNanos);
    }
  }

  /** The centre says whom one of several results is for, of those on this side. */
  private void receivedChosen(
      Standing standing,
      Branches tree,
      Completed result,
      SortedSet<NodeId> members,
      long nowNanos) {
    Contribution told = Objects.requireNonNull(standing.told);
    standing.told = told.afterAnswerTo(members);
    standing.toldResults.add(result); // It is known there.
    boolean isForSelf = standing.isWaiting() && members.contains(self);
    for (NodeId member : standing.waiting(self, tree)) {
      if (members.contains(member) && !member.equals(self)) {
        standing.chosen.put(member, result);
      }
    }
    if (isForSelf) {
      end(standing, result);
    }
    telling.chosen(standing, tree);
    if (!standing.chosen.isEmpty() && !operations.hasRoomFor(standing)) {
      standing.chosen.clear();
      standing.told = told; // It is asked for again when there may be room.
      standing.isAskedAgain = true;
      standing.tellAgainNanos = nowNanos + Telling.AGAIN_NANOS;
    }
    update(standing, nowNanos);
  }

  /** Whether an outcome can be kept for those behind this member, or passed on to all at once. */
  private boolean mayKeep(Standing standing, Outcome outcome) {
    if (outcome instanceof Failed || telling.hasRoomForOutcome(standing)) {
      return true;
    }
    standing.leftBytes = Footprint.of(outcome);
    return operations.reserve(standing);
  }

  private void received(NodeId neighbour, Question question, long nowNanos) {
    Standing standing = operations.findOrBegin(question.operation());
    if (standing == null) {
      return; // Whoever contributes here is told that there is no room.
    }
    if (!standing.operation.equals(question.operation())) {
      Operation other = question.operation();
      telling.refuse(neighbour, question, Explanation.meantOtherwise(standing, other, self));
      disagree(standing, other, Explanation.at(neighbour, new TreeSet<>()), nowNanos);
      return;
    }
    standing.waitFor(neighbour, question.patienceMillis(), nowNanos);
    if (standing.isForAll(standing.outcome) && standing.mayTell(self, question.epoch(), branches)) {
      standing.toTell.put(neighbour, question.epoch());
      update(standing, nowNanos);
    } else {
      standing.asked(question.epoch());
      if (branches != null && branches.isWithoutCentre(question)) {
        standing.questioned.add(neighbour); // Who asks does not know, and tells when it does.
      }
      if (branches != null
          && Objects.equals(neighbour, branches.next(standing.operation))
          && standing.told != null
          && standing.told.number() != question.heard()) {
        standing.isAskedAgain = true; // It is forgotten there, or still on its way.
        standing.toldResults.clear();
      }
      updateIfRoom(standing, nowNanos);
    }
  }

  private void received(NodeId neighbour, Missing missing) {
    Standing standing = operations.find(missing.name());
    if (standing != null
        && branches != null
        && !standing.canAnswer(self)
        && Objects.equals(neighbour, branches.next(standing.operation))
        && missing.epoch().equals(branches.epoch())) {
      standing.missing = branches.known(standing.operation, missing.members());
      if (!operations.hasRoomFor(standing)) {
        standing.missing = null; // It is for a text only.
      }
      operations.changed(standing);
      telling.passOn(standing, branches, missing);
    }
  }

  // What applications ask.

  /**
   * An application of this node takes part in an operation. Its outcome is told by {@link
   * CombiningEffects#ended}, at the latest when the time is over.
   *
   * @param call the driver's name for it, not in use
   * @param token names the call wherever it is repeated: with the same token it is the same call
   * @param contribution of a reduce, a vector as its reduction needs; of a gather, the {@link
   *     Value.Parts part} of this node; of the hub of a scatter, all parts; otherwise {@link
   *     Value#NOTHING}
   * @throws IllegalArgumentException if the contribution is of another kind
   */
  public void takePart(
      long call,
      String token,
      Operation operation,
      Value contribution,
      long deadlineNanos,
      long nowNanos) {
    if (!operation.isFor(self)) {
      calls.ended(call, Explanation.notAParticipant(operation, self));
      return;
    }
    if (!operation.takes(self, contribution)) {
      throw new IllegalArgumentException(
          "what " + self + " gives does not fit " + operation.described());
    }
    Standing standing = operations.findOrBegin(operation);
    if (standing == null) {
      calls.ended(call, Explanation.noRoomToBegin(operation, self, limits));
    } else if (!standing.operation.equals(operation)) {
      calls.ended(call, Explanation.calledOtherwise(standing, operation, self));
      if (standing.token == null) { // Without this member it will not be complete.
        disagree(standing, operation, "at " + self, nowNanos);
      }
    } else if (standing.token != null && !standing.token.equals(token)) {
      calls.ended(call, Explanation.nameUsed(operation, self));
    } else if (standing.outcome != null) {
      standing.token = token;
      calls.ended(call, standing.forApplication(self, standing.outcome));
    } else {
      standing.token = token;
      standing.call(call, deadlineNanos, nowNanos);
      calls.waits(call, standing);
      contribute(standing, contribution, nowNanos);
    }
  }

  private void contribute(Standing standing, Value contribution, long nowNanos) {
    if (standing.own == null) {
      try {
        standing.own = standing.combination.sized(contribution);
      } catch (CombiningFailure failure) {
        fail(standing, failure.outcome(standing.operation), nowNanos);
        return;
      }
    }
    updateIfRoom(standing, nowNanos);
  }

  /**
   * Nobody waits for the outcome of a call any more. What it gave counts still, for as long as
   * somebody else waits. No effect if there is none of that name.
   */
  public void withdraw(long call, long nowNanos) {
    Standing standing = calls.withdrawn(call);
    if (standing != null) {
      standing.withdraw(call, nowNanos);
      operations.changed(standing);
    }
  }

  // What follows.

  private void updateIfRoom(Standing standing, long nowNanos) {
    if (operations.hasRoomFor(standing)) {
      update(standing, nowNanos);
    } else {
      fail(standing, Explanation.noRoom(standing.operation, self, limits), nowNanos);
    }
  }

  /** Others mean another one. */
  private void disagree(Standing standing, Operation other, String where, long nowNanos) {
    fail(standing, Explanation.disagreement(standing.operation, other, where), nowNanos);
  }

  private void fail(Standing standing, Failed why, long nowNanos) {
    if (!standing.isSettled(self) && !standing.hasToldWhole) {
      finish(standing, why);
    }
    update(standing, nowNanos);
  }

  /** Something has changed for an operation: does whatever follows from how it stands. */
  private void update(Standing standing, long nowNanos) {
    telling.unsentParts(standing);
    if (branches != null) {
      proceed(standing, branches, nowNanos);
    }
    Outcome outcome = standing.outcome;
    if (outcome != null) {
      telling.outcome(standing, outcome);
    }
    if (outcome != null && (standing.canAnswer(self) || standing.isDecidedHere)) {
      telling.answer(standing, outcome, branches);
    }
    if (branches != null && !standing.chosen.isEmpty()) {
      telling.chosen(standing, branches);
    }
    operations.changed(standing);
  }

  private void proceed(Standing standing, Branches tree, long nowNanos) {
    try {
      Outcome known = standing.isSettled(self) ? null : standing.knownBehind(self, tree);
      if (known != null) {
        finish(standing, known);
      }
      if (standing.mayHaveSeveralResults()) {
        survey(standing, tree);
      }
      if (standing.outcome == null && tree.isCentre(standing.operation)) {
        decide(standing, tree);
      }
      if (!standing.canAnswer(self) && !operations.reserve(standing)) {
        telling.contributeLater(standing, nowNanos);
      } else if (!standing.canAnswer(self)) {
        telling.contribute(standing, tree, nowNanos);
      }
    } catch (CombiningFailure failure) {
      finish(standing, failure.outcome(standing.operation));
    }
    if (standing.overdue && !standing.canAnswer(self)) {
      telling.ask(standing, tree, nowNanos);
      telling.missing(standing, tree, nowNanos);
    }
  }

  /**
   * Of an operation that may have several results: whether all of this side have said which they
   * know. At the centre, when all have, each member that waits gets the result that was to be its
   * own on the latest tree. Before that, somebody might still know of a later one, which others
   * that were never apart from that member have got.
   */
  private void survey(Standing standing, Branches tree) {
    standing.surveyed = standing.isSurveyed(tree);
    if (!tree.isCentre(standing.operation)) {
      return;
    }
    standing.isSurveyTold = standing.surveyed;
    List<Completed> results = standing.results(tree);
    if (!standing.surveyed || results.isEmpty() || standing.canAnswer(self)) {
      return;
    }
    SortedSet<NodeId> waiting = standing.waiting(self, tree);
    if (waiting.isEmpty()) {
      return;
    }
    Map<NodeId, Completed> choice = Standing.choice(tree, results);
    waiting.forEach(
        member -> standing.chosen.put(member, Objects.requireNonNull(choice.get(member))));
    Completed own = standing.chosen.remove(self);
    if (own != null) {
      end(standing, own);
    }
  }

  /** At the centre: when all have come, that is the end. */
  private void decide(Standing standing, Branches tree) throws CombiningFailure {
    if (standing.isComplete(self, tree)
        && standing.hasMinimum(self, tree)
        && standing.isDecidable(self, tree)) {
      Value value = standing.combined(self, tree);
      standing.isDecidedHere = standing.mayHaveSeveralResults();
      finish(
          standing, new Completed(tree.epoch().treeVersion(), standing.waiting(self, tree), value));
    }
  }

  /**
   * The outcome is known here, and not from the centre: tells it towards the centre, and nobody
   * from whom it comes, so that it ends where the tree does also if members forget it at once.
   */
  private void finish(Standing standing, Outcome outcome) {
    if (branches != null && standing.isForAll(outcome)) {
      for (NodeId neighbour : branches.towardsCentre(standing.operation)) {
        if (credits.isOpen(neighbour) && !standing.hasOutcomeFrom(neighbour)) {
          standing.toTell.put(neighbour, branches.epoch());
        }
      }
    }
    end(standing, outcome);
  }

  private void end(Standing standing, Outcome outcome) {
    List<Long> waiting = List.copyOf(standing.calls.keySet());
    standing.end(outcome, self, branches);
    waiting.forEach(call -> calls.ended(call, standing.forApplication(self, outcome)));
  }

  // Time.

  /** When {@link #tick} is due, unless something happens before; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return operations.nextDueNanos();
  }

  /** Time has passed. */
  public void tick(long nowNanos) {
    for (Standing s = operations.due(nowNanos); s != null; s = operations.due(nowNanos)) {
      look(s, nowNanos);
    }
  }

  private void look(Standing standing, long nowNanos) {
    for (Map.Entry<Long, Long> call : new TreeMap<>(standing.calls).entrySet()) {
      if (call.getValue() <= nowNanos) {
        standing.calls.remove(call.getKey());
        calls.ended(call.getKey(), Explanation.membersMissing(standing, self, branches));
      }
    }
    if (standing.isOver(nowNanos) && standing.outcome == null) {
      operations.forget(standing);
      return;
    } else if (standing.isOver(nowNanos)) {
      standing.forgetOthers();
    }
    standing.overdue |= standing.isWaiting() && standing.overdueNanos <= nowNanos;
    standing.askAgain(nowNanos);
    update(standing, nowNanos);
  }

  /** What was done so far, and what is kept now. */
  public CombiningCounters counters() {
    return new CombiningCounters(
        calls.completed(),
        calls.failed(),
        telling.sentMessages(),
        operations.underWayCount(),
        operations.keptBytes());
  }
}
