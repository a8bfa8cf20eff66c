package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupView;
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
 * One node's part in collective operations that combine contributions.
 *
 * <p><b>One operation on one tree.</b> Each member sends its neighbour on the path to the centre,
 * which is the operation's hub or else the {@linkplain TreeCentre middle} of the tree, the combined
 * contribution of its side of the committed tree once all of that side have arrived: a {@link
 * Contribution}. The centre combines the last of them, and the {@link Answer} returns by the same
 * paths. So without faults there are two messages for each edge.
 *
 * <p><b>When the tree changes</b> the operation starts over on the new one, from the contribution
 * that each member keeps until it has the outcome. Contributions count only on the very tree on
 * which they were sent, where each member is on one side of each edge: no member is counted twice.
 * A member that already has the outcome answers with it when asked, and the receiver adopts it. The
 * centre decides when all participants have reported, including those that have the outcome. Other
 * members are not asked, and forget the outcome. An answer applies only to the last contribution
 * sent, because the centre may have counted a later one than an earlier answer covers. So members
 * that stay in one tree have the same outcome. Separated parts of a network decide independently.
 *
 * <p><b>Overdue operations.</b> When a call has waited for long, all members of the tree report
 * their state, and report again whenever it changes. A flag in the contributions requests this of
 * members nearer to the centre, and a {@link Question} of those behind. This finds outcomes that
 * only some members have, which is rarely needed, and notifies all callers of the {@linkplain
 * Missing missing} members.
 *
 * <p><b>A scatter</b> is answered by its hub alone, with the parts of the waiting members on each
 * side. The other members forward the parts of others, and keep them only while there is no room to
 * send them.
 *
 * <p><b>Memory.</b> An operation under way is kept as long as a call is known to wait for it, and
 * some time beyond. Outcomes are kept for late participants, and the oldest are evicted. If there
 * is no room for an operation, it fails with that reason.
 *
 * <p>Single-threaded; the one thread owns all objects of this package. Time enters by calls only.
 */
public final class Combining {
  private final NodeId self;
  private final CombiningLimits limits;
  private final CombiningEffects effects;
  private final Operations operations;
  private final Credits credits;
  private final Telling telling;
  private final Calls calls;
  private final Windows windows;

  private final Routes routes;

  /**
   * Creates a node without tree and neighbours.
   *
   * @param self this node
   */
  public Combining(NodeId self, CombiningLimits limits, CombiningEffects effects) {
    this(self, limits, Credits.windowBytes(limits), effects);
  }

  /** Creates a node with the given window for messages under way to a neighbour. */
  Combining(NodeId self, CombiningLimits limits, long windowBytes, CombiningEffects effects) {
    this.self = self;
    this.limits = limits;
    this.effects = effects;
    this.operations = new Operations(self, limits);
    this.credits = new Credits(windowBytes);
    this.telling = new Telling(self, credits, effects);
    this.calls = new Calls(effects);
    this.windows = new Windows(limits);
    this.routes = new Routes(self);
  }

  // The tree and its edges.

  /**
   * Notes that this node has committed a tree.
   *
   * @throws IllegalArgumentException if this node is not a member of the tree
   */
  public void treeCommitted(CommittedTree committed, long nowNanos) {
    if (!committed.hasMember(self)) {
      throw new IllegalArgumentException(
          self + " is not a member of the committed tree " + committed);
    }
    routes.follow(committed);
    operations.all().forEach(this::forgetTree);
    operations.forgetOutcomesOfOthers(operation -> true);
    updateAll(nowNanos);
  }

  private void forgetTree(Standing standing) {
    Branches now = routes.of(standing.operation);
    if (now != null) {
      standing.forgetTree(now.epoch());
      standing.heard.entrySet().removeIf(of -> isNotBehind(now, of.getKey(), of.getValue()));
    }
  }

  /**
   * Notes the chain of the members along which large operations may go, over existing data streams.
   * A lost chain is not used again before the next tree.
   *
   * @param order the members of the committed tree in the order of the chain; null without a chain
   */
  public void chain(@Nullable List<NodeId> order, long nowNanos) {
    if (routes.use(order)) {
      chainLeft(nowNanos);
    }
  }

  private void chainLeft(long nowNanos) {
    for (Standing standing : operations.all()) {
      if (standing.operation.chainVersion() != 0) {
        forgetTree(standing);
      }
    }
    operations.forgetOutcomesOfOthers(operation -> operation.chainVersion() != 0);
    updateAll(nowNanos);
  }

  private void leaveChainAsTold(TreeEpoch epoch, long nowNanos) {
    if (routes.leaveAsTold(epoch)) {
      chainLeft(nowNanos);
    }
  }

  private void updateAll(long nowNanos) {
    operations.underWay().forEach(standing -> update(standing, nowNanos));
  }

  /**
   * Whether a neighbour's contribution, sent before the tree was committed here, is invalid in it.
   */
  private boolean isNotBehind(Branches tree, NodeId neighbour, Contribution contribution) {
    if (tree.mayBeToldBy(neighbour, contribution)) {
      return false;
    }
    effects.violated(neighbour, Violations.notBehind(contribution.operation()));
    return true;
  }

  /** Notes that the data stream to a neighbour is up: messages on an earlier one may be lost. */
  public void opened(NodeId neighbour, long nowNanos) {
    credits.opened(neighbour);
    forgetStream(neighbour);
    updateAll(nowNanos);
  }

  /** Notes that the data stream to a neighbour is down. No effect if it was not up. */
  public void closed(NodeId neighbour) {
    if (credits.closed(neighbour)) {
      forgetStream(neighbour);
    }
  }

  private void forgetStream(NodeId neighbour) {
    for (Standing standing : operations.all()) {
      Branches branches = routes.of(standing.operation);
      standing.forgetStream(neighbour, branches == null ? null : branches.next(standing.operation));
    }
  }

  // Messages of neighbours.

  /** Handles a neighbour's message. No effect if there is no stream to the neighbour. */
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
    leaveChainAsTold(contribution.epoch(), nowNanos);
    Branches branches = routes.of(operation);
    String violation = Violations.of(neighbour, contribution, branches, limits);
    if (violation != null) {
      effects.violated(neighbour, violation);
      return;
    }
    if (contribution.namesNobody() && operations.find(operation.name()) == null) {
      return; // It answers a question that this member has forgotten.
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
      endIfOver(standing, nowNanos);
    }
  }

  /** Whether other members must be asked for an outcome that a neighbour waits for. */
  private boolean makesOverdue(Standing standing, Contribution contribution) {
    Branches branches = routes.of(standing.operation);
    boolean isAnsweredAtOnce =
        standing.isDecidedHere && branches != null && contribution.epoch().equals(branches.epoch());
    return contribution.overdue() && !contribution.namesNobody() && !isAnsweredAtOnce;
  }

  private void heardWithoutRoom(
      Standing standing, NodeId neighbour, Contribution contribution, long nowNanos) {
    Branches branches = routes.of(standing.operation);
    if (standing.mayHaveSeveralResults() && contribution.outcome() instanceof Completed result) {
      standing.leaveResult(result, contribution.epoch());
    }
    if (standing.mayLeave(self, contribution, branches)) {
      standing.leave(neighbour, nowNanos); // The neighbour sends it again when asked.
    } else if (standing.outcome instanceof Failed failed) {
      standing.heard.remove(neighbour); // The answer needs no credit.
      telling.refuse(neighbour, contribution, failed);
    } else if (!standing.mayTell(self, contribution.epoch(), branches)) {
      standing.heard.remove(neighbour); // The outcome applies only on the committed tree.
      Operation operation = standing.operation;
      telling.refuse(neighbour, contribution, Explanation.noRoomToPassOn(operation, self, limits));
    }
  }

  private void received(NodeId neighbour, Answer answer, long nowNanos) {
    Standing standing = operations.find(answer.name());
    Branches branches = standing == null ? null : routes.of(standing.operation);
    if (standing == null
        || standing.told == null
        || standing.told.number() != answer.number()
        || branches == null
        || !Objects.equals(neighbour, branches.next(standing.operation))) {
      return; // A later contribution may have led to another outcome, and is answered, too.
    }
    Outcome outcome = answer.outcome();
    if (outcome instanceof Completed whole && !standing.combination.isTold(whole.value())) {
      effects.violated(neighbour, Violations.noOutcome(standing.operation));
    } else if (standing.isScatter() && outcome instanceof Completed parts) {
      standing.told =
          null; // A neighbour that asks again, because its stream was lost, must be answered again.
      telling.parts(standing, parts, answer.members());
      if (!standing.unsentParts.isEmpty() && !operations.hasRoomFor(standing)) {
        standing.unsentParts.clear(); // The neighbours that wait request them again.
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
        standing.told = null; // The outcome is requested again when there is room.
      }
      update(standing, nowNanos);
    }
  }

  /** Handles the centre's choice among several results for the members of this side. */
  private void receivedChosen(
      Standing standing,
      Branches tree,
      Completed result,
      SortedSet<NodeId> members,
      long nowNanos) {
    Contribution told = Objects.requireNonNull(standing.told);
    standing.told = told.afterAnswerTo(members);
    standing.toldResults.add(result); // The side of the centre knows it.
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
      standing.told = told; // The result is requested again when there may be room.
      standing.isAskedAgain = true;
      standing.tellAgainNanos = nowNanos + Telling.AGAIN_NANOS;
    }
    update(standing, nowNanos);
  }

  /**
   * Whether there is room to keep an outcome for the members behind this one, or credit to send it
   * to all of them at once.
   */
  private boolean mayKeep(Standing standing, Outcome outcome) {
    if (outcome instanceof Failed || telling.hasRoomForOutcome(standing)) {
      return true;
    }
    standing.leftBytes = Footprint.of(outcome);
    return operations.reserve(standing);
  }

  private void received(NodeId neighbour, Question question, long nowNanos) {
    leaveChainAsTold(question.epoch(), nowNanos);
    Branches branches = routes.of(question.operation());
    Standing standing = operations.findOrBegin(question.operation());
    if (standing == null) {
      return; // Members that contribute here get the reason.
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
        standing.questioned.add(
            neighbour); // That neighbour lacks the outcome, and reports it later.
      }
      if (branches != null
          && Objects.equals(neighbour, branches.next(standing.operation))
          && standing.told != null
          && standing.told.number() != question.heard()) {
        standing.isAskedAgain = true; // The contribution was forgotten there, or is under way.
        standing.toldResults.clear();
      }
      updateIfRoom(standing, nowNanos);
      endIfOver(standing, nowNanos);
    }
  }

  private void received(NodeId neighbour, Missing missing) {
    Standing standing = operations.find(missing.name());
    Branches branches = standing == null ? null : routes.of(standing.operation);
    if (standing != null
        && branches != null
        && !standing.canAnswer(self)
        && Objects.equals(neighbour, branches.next(standing.operation))
        && missing.epoch().equals(branches.epoch())) {
      standing.missing = branches.known(standing.operation, missing.members());
      if (!operations.hasRoomFor(standing)) {
        standing.missing = null; // Needed only for an explanation.
      }
      operations.changed(standing);
      telling.passOn(standing, branches, missing);
    }
  }

  // Calls of applications.

  /**
   * Lets an application of this node take part in an operation. {@link CombiningEffects#ended}
   * reports its outcome, at the latest at the deadline.
   *
   * @param call the driver's name for it, not in use
   * @param token identifies the call wherever it is repeated: with an equal token it is the same
   *     call
   * @param contribution of a reduce, a vector that fits its reduction; of a gather, the {@link
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
          "the contribution of " + self + " does not fit " + operation.described());
    }
    Standing standing = operations.findOrBegin(operation);
    if (standing == null) {
      calls.ended(call, Explanation.noRoomToBegin(operation, self, limits));
    } else if (!standing.operation.equals(operation)) {
      calls.ended(call, Explanation.calledOtherwise(standing, operation, self));
      if (standing.token == null) { // Without this member the operation cannot be complete.
        disagree(standing, operation, "at " + self, nowNanos);
      }
    } else if (standing.token != null && !standing.token.equals(token)) {
      calls.ended(call, Explanation.nameUsed(operation, self));
    } else if (standing.outcome != null) {
      standing.token = token;
      calls.ended(call, standing.forApplication(self, standing.outcome));
    } else if (isOver(standing)) {
      calls.ended(call, Explanation.viewChanged(operation, self));
      fail(standing, Explanation.viewChanged(operation, self), nowNanos);
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
   * Ends a call without an outcome. Its contribution still counts, as long as another call waits.
   * No effect if there is no call of that name.
   */
  public void withdraw(long call, long nowNanos) {
    Standing standing = calls.withdrawn(call);
    if (standing != null) {
      standing.withdraw(call, nowNanos);
      operations.changed(standing);
    }
  }

  // Consequences.

  private void updateIfRoom(Standing standing, long nowNanos) {
    if (operations.hasRoomFor(standing)) {
      update(standing, nowNanos);
    } else {
      fail(standing, Explanation.noRoom(standing.operation, self, limits), nowNanos);
    }
  }

  /** Fails operations of outdated views that this member has not called. */
  public void viewsChanged(long nowNanos) {
    List.copyOf(operations.underWay()).forEach(standing -> endIfOver(standing, nowNanos));
  }

  private void endIfOver(Standing standing, long nowNanos) {
    if (isOver(standing)) {
      fail(standing, Explanation.viewChanged(standing.operation, self), nowNanos);
    }
  }

  /** Returns whether this member has not called the operation, and will not call it. */
  private boolean isOver(Standing standing) {
    GroupView.Id view = standing.operation.view();
    return view != null
        && standing.own == null
        && standing.outcome == null
        && standing.operation.isFor(self)
        && effects.isOver(view);
  }

  /** Handles members that call a different operation by the same name. */
  private void disagree(Standing standing, Operation other, String where, long nowNanos) {
    fail(standing, Explanation.disagreement(standing.operation, other, where), nowNanos);
  }

  private void fail(Standing standing, Failed why, long nowNanos) {
    if (!standing.isSettled(self) && !standing.hasToldWhole) {
      finish(standing, why);
    }
    update(standing, nowNanos);
  }

  /** Acts on a change of an operation: derives all consequences from its state. */
  private void update(Standing standing, long nowNanos) {
    Branches branches = routes.of(standing.operation);
    if (standing.operation.step() != null && standing.outcome == null) {
      windows.used(standing.operation, nowNanos);
    }
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
    if (standing.operation.isOpening() && standing.outcome == null) {
      standing.offered =
          windows.offer(
              standing.operation,
              tree.degree(),
              routes.hasChain(),
              operations::isUnderWay,
              nowNanos);
    }
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
   * Handles an operation with several possible results: checks whether all of this side have
   * reported the results that they know. At the centre, when all have, each waiting member gets the
   * result that was its own on the latest tree. Before that, a member might still know a later
   * result, which other members of its part have already received.
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

  /** Decides at the centre, when all have arrived. */
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
   * Handles an outcome that did not come from the centre: sends it towards the centre, but not back
   * to its sender. So it stops where the tree ends, even if members forget it at once.
   */
  private void finish(Standing standing, Outcome outcome) {
    Branches branches = routes.of(standing.operation);
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
    standing.end(outcome, self, routes.of(standing.operation));
    waiting.forEach(call -> calls.ended(call, standing.forApplication(self, outcome)));
    if (outcome instanceof Completed result) {
      forgetSettled(standing.operation, result);
    }
  }

  /** Forgets a segment that no member needs any more, because a later one is complete. */
  private void forgetSettled(Operation segment, Completed result) {
    String name = segment.nameOfSettled();
    Standing settled = name == null ? null : operations.find(name);
    if (settled != null && settled.outcome != null && settled.isAtRest(self)) {
      operations.forget(settled);
    }
    if (segment.isLastSegment() && result.contributors().equals(segment.participants())) {
      windows.over(segment);
    }
  }

  // Time.

  /** Returns when {@link #tick} is due unless something happens before; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return operations.nextDueNanos();
  }

  /** Advances time: handles all operations that are due. */
  public void tick(long nowNanos) {
    for (Standing s = operations.due(nowNanos); s != null; s = operations.due(nowNanos)) {
      handleDue(s, nowNanos);
    }
  }

  private void handleDue(Standing standing, long nowNanos) {
    for (Map.Entry<Long, Long> call : new TreeMap<>(standing.calls).entrySet()) {
      if (call.getValue() <= nowNanos) {
        standing.calls.remove(call.getKey());
        calls.ended(
            call.getKey(),
            Explanation.membersMissing(standing, self, routes.of(standing.operation)));
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

  /** Returns the counters of the work done and of the memory in use. */
  public CombiningCounters counters() {
    return new CombiningCounters(
        calls.completed(),
        calls.failed(),
        telling.sentMessages(),
        operations.underWayCount(),
        operations.keptBytes());
  }
}
