package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.CombiningCounters;
import io.treecast.collectives.operation.contract.CombiningEffects;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.ChainLeft;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Credit;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Value;
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
  private final OperationSender sender;
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
    this.sender = new OperationSender(self, credits, effects);
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

  private void forgetTree(OperationState state) {
    Branches now = routes.of(state.operation);
    if (now != null) {
      state.forgetTree(now.epoch());
      state.contributions.entrySet().removeIf(of -> isNotBehind(now, of.getKey(), of.getValue()));
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
    for (OperationState state : operations.all()) {
      if (state.operation.chainVersion() != 0) {
        forgetTree(state);
      }
    }
    operations.forgetOutcomesOfOthers(operation -> operation.chainVersion() != 0);
    updateAll(nowNanos);
  }

  private void leaveChainWithNeighbour(TreeEpoch epoch, long nowNanos) {
    if (routes.leaveChain(epoch)) {
      chainLeft(nowNanos);
    }
  }

  /** Reports to a neighbour that this member has left the chain along which the neighbour sends. */
  private void reportChainLeft(NodeId neighbour, Operation operation, TreeEpoch epoch) {
    TreeEpoch left = routes.chainLeftBefore(operation, epoch);
    if (left != null) {
      sender.chainLeft(neighbour, left);
    }
  }

  private void updateAll(long nowNanos) {
    operations.underWay().forEach(state -> update(state, nowNanos));
  }

  /**
   * Whether a neighbour's contribution, sent before the tree was committed here, is invalid in it.
   */
  private boolean isNotBehind(Branches tree, NodeId neighbour, Contribution contribution) {
    if (tree.mayComeFrom(neighbour, contribution)) {
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
    for (OperationState state : operations.all()) {
      Branches branches = routes.of(state.operation);
      state.forgetStream(neighbour, branches == null ? null : branches.next(state.operation));
    }
  }

  // Messages of neighbours.

  /** Handles a neighbour's message. No effect if there is no stream to the neighbour. */
  public void received(NodeId neighbour, CombiningMessage message, long nowNanos) {
    if (!credits.isOpen(neighbour)) {
      return;
    }
    if (message instanceof Credit credit) {
      if (credits.granted(neighbour, credit)) {
        updateAll(nowNanos);
      }
    } else {
      receivedOfOperations(neighbour, message, nowNanos);
      sender.credit(neighbour, message);
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
    } else if (message instanceof ChainLeft left) {
      leaveChainWithNeighbour(left.epoch(), nowNanos);
    } else {
      throw new IllegalArgumentException("no handling is defined for " + message);
    }
  }

  private void received(NodeId neighbour, Contribution contribution, long nowNanos) {
    Operation operation = contribution.operation();
    leaveChainWithNeighbour(contribution.epoch(), nowNanos);
    reportChainLeft(neighbour, operation, contribution.epoch());
    Branches branches = routes.of(operation);
    String violation = Violations.of(neighbour, contribution, branches, limits);
    if (violation != null) {
      effects.violated(neighbour, violation);
      return;
    }
    if (contribution.namesNoMember() && operations.find(operation.name()) == null) {
      return; // It answers a question that this member has forgotten.
    }
    OperationState state = operations.findOrBegin(operation);
    if (state == null) {
      sender.refuse(neighbour, contribution, Explanation.noRoomToPassOn(operation, self, limits));
    } else if (!state.operation.equals(operation)) {
      sender.refuse(
          neighbour, contribution, Explanation.disagreesWithNeighbour(state, operation, self));
      disagree(state, operation, Explanation.at(neighbour, contribution.waiting()), nowNanos);
    } else {
      Contribution kept = contribution.of(state.operation);
      if (state.mayHaveSeveralResults() && kept.outcome() instanceof Completed result) {
        state.resultReported(result, kept.epoch());
        kept = kept.withoutOutcome();
      }
      state.contributions.put(neighbour, kept);
      state.waitFor(neighbour, contribution.patienceMillis(), nowNanos);
      state.overdue |= makesOverdue(state, contribution);
      boolean endsIt = branches != null && state.isEndedBy(contribution, branches.epoch());
      if (!endsIt && !operations.hasRoomFor(state)) {
        receivedWithoutRoom(state, neighbour, contribution, nowNanos);
      }
      updateIfRoom(state, nowNanos);
      endIfOver(state, nowNanos);
    }
  }

  /** Whether other members must be asked for an outcome that a neighbour waits for. */
  private boolean makesOverdue(OperationState state, Contribution contribution) {
    Branches branches = routes.of(state.operation);
    boolean isAnsweredAtOnce =
        state.isDecidedHere && branches != null && contribution.epoch().equals(branches.epoch());
    return contribution.overdue() && !contribution.namesNoMember() && !isAnsweredAtOnce;
  }

  private void receivedWithoutRoom(
      OperationState state, NodeId neighbour, Contribution contribution, long nowNanos) {
    Branches branches = routes.of(state.operation);
    if (state.mayHaveSeveralResults() && contribution.outcome() instanceof Completed result) {
      state.leaveResult(result, contribution.epoch());
    }
    if (state.mayLeave(self, contribution, branches)) {
      state.leave(neighbour, nowNanos); // The neighbour sends it again when asked.
    } else if (state.outcome instanceof Failed failed) {
      state.contributions.remove(neighbour); // The answer needs no credit.
      sender.refuse(neighbour, contribution, failed);
    } else if (!state.appliesOn(self, contribution.epoch(), branches)) {
      state.contributions.remove(neighbour); // The outcome applies only on the committed tree.
      Operation operation = state.operation;
      sender.refuse(neighbour, contribution, Explanation.noRoomToPassOn(operation, self, limits));
    }
  }

  private void received(NodeId neighbour, Answer answer, long nowNanos) {
    OperationState state = operations.find(answer.name());
    Branches branches = state == null ? null : routes.of(state.operation);
    if (state == null
        || state.lastSent == null
        || state.lastSent.number() != answer.number()
        || branches == null
        || !Objects.equals(neighbour, branches.next(state.operation))) {
      return; // A later contribution may have led to another outcome, and is answered, too.
    }
    Outcome outcome = answer.outcome();
    if (outcome instanceof Completed whole && !state.combination.isAnswer(whole.value())) {
      effects.violated(neighbour, Violations.noOutcome(state.operation));
    } else if (state.isScatter() && outcome instanceof Completed parts) {
      state.lastSent =
          null; // A neighbour that asks again, because its stream was lost, must be answered again.
      sender.parts(state, parts, answer.members());
      if (!state.unsentParts.isEmpty() && !operations.hasRoomFor(state)) {
        state.unsentParts.clear(); // The neighbours that wait request them again.
      }
      if (state.isWaiting() && answer.members().contains(self)) {
        end(state, (Completed) state.forApplication(self, parts));
      }
      update(state, nowNanos);
    } else if (!answer.members().isEmpty() && outcome instanceof Completed result) {
      receivedChosen(state, branches, result, answer.members(), nowNanos);
    } else if (state.isSettled(self)) {
      if (outcome instanceof Failed && !state.canAnswer(self)) {
        sender.answer(state, outcome, branches);
        operations.changed(state);
      }
    } else {
      if (mayKeep(state, outcome)) {
        state.isDecidedHere = state.mayHaveSeveralResults();
        end(state, outcome);
      } else {
        state.lastSent = null; // The outcome is requested again when there is room.
      }
      update(state, nowNanos);
    }
  }

  /** Handles the centre's choice among several results for the members of this side. */
  private void receivedChosen(
      OperationState state,
      Branches tree,
      Completed result,
      SortedSet<NodeId> members,
      long nowNanos) {
    Contribution lastSent = Objects.requireNonNull(state.lastSent);
    state.lastSent = lastSent.afterAnswerTo(members);
    state.sentResults.add(result); // The side of the centre knows it.
    boolean isForSelf = state.isWaiting() && members.contains(self);
    for (NodeId member : state.waiting(self, tree)) {
      if (members.contains(member) && !member.equals(self)) {
        state.chosen.put(member, result);
      }
    }
    if (isForSelf) {
      end(state, result);
    }
    sender.chosen(state, tree);
    if (!state.chosen.isEmpty() && !operations.hasRoomFor(state)) {
      state.chosen.clear();
      state.lastSent = lastSent; // The result is requested again when there may be room.
      state.isAskedAgain = true;
      state.resendNanos = nowNanos + OperationSender.RETRY_NANOS;
    }
    update(state, nowNanos);
  }

  /**
   * Whether there is room to keep an outcome for the members behind this one, or credit to send it
   * to all of them at once.
   */
  private boolean mayKeep(OperationState state, Outcome outcome) {
    if (outcome instanceof Failed || sender.hasRoomForOutcome(state)) {
      return true;
    }
    state.leftBytes = Footprint.of(outcome);
    return operations.reserve(state);
  }

  private void received(NodeId neighbour, Question question, long nowNanos) {
    leaveChainWithNeighbour(question.epoch(), nowNanos);
    reportChainLeft(neighbour, question.operation(), question.epoch());
    Branches branches = routes.of(question.operation());
    OperationState state = operations.findOrBegin(question.operation());
    if (state == null) {
      return; // Members that contribute here get the reason.
    }
    if (!state.operation.equals(question.operation())) {
      Operation other = question.operation();
      sender.refuse(neighbour, question, Explanation.disagreesWithNeighbour(state, other, self));
      disagree(state, other, Explanation.at(neighbour, new TreeSet<>()), nowNanos);
      return;
    }
    state.waitFor(neighbour, question.patienceMillis(), nowNanos);
    if (state.isForAll(state.outcome) && state.appliesOn(self, question.epoch(), branches)) {
      state.pendingReceivers.put(neighbour, question.epoch());
      update(state, nowNanos);
    } else {
      state.asked(question.epoch());
      if (branches != null && branches.isWithoutCentre(question)) {
        state.questioned.add(neighbour); // That neighbour lacks the outcome, and reports it later.
      }
      if (branches != null
          && Objects.equals(neighbour, branches.next(state.operation))
          && state.lastSent != null
          && state.lastSent.number() != question.lastReceived()) {
        state.isAskedAgain = true; // The contribution was forgotten there, or is under way.
        state.sentResults.clear();
      }
      updateIfRoom(state, nowNanos);
      endIfOver(state, nowNanos);
    }
  }

  private void received(NodeId neighbour, Missing missing) {
    OperationState state = operations.find(missing.name());
    Branches branches = state == null ? null : routes.of(state.operation);
    if (state != null
        && branches != null
        && !state.canAnswer(self)
        && Objects.equals(neighbour, branches.next(state.operation))
        && missing.epoch().equals(branches.epoch())) {
      state.missing = branches.known(state.operation, missing.members());
      if (!operations.hasRoomFor(state)) {
        state.missing = null; // Needed only for an explanation.
      }
      operations.changed(state);
      sender.passOn(state, branches, missing);
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
    OperationState state = operations.findOrBegin(operation);
    if (state == null) {
      calls.ended(call, Explanation.noRoomToBegin(operation, self, limits));
    } else if (!state.operation.equals(operation)) {
      calls.ended(call, Explanation.disagreesWithCall(state, operation, self));
      if (state.token == null) { // Without this member the operation cannot be complete.
        disagree(state, operation, "at " + self, nowNanos);
      }
    } else if (state.token != null && !state.token.equals(token)) {
      calls.ended(call, Explanation.nameUsed(operation, self));
    } else if (state.outcome != null) {
      state.token = token;
      calls.ended(call, state.forApplication(self, state.outcome));
    } else if (isOver(state)) {
      calls.ended(call, Explanation.viewChanged(operation, self));
      fail(state, Explanation.viewChanged(operation, self), nowNanos);
    } else {
      state.token = token;
      state.call(call, deadlineNanos, nowNanos);
      calls.waits(call, state);
      contribute(state, contribution, nowNanos);
    }
  }

  private void contribute(OperationState state, Value contribution, long nowNanos) {
    if (state.own == null) {
      try {
        state.own = state.combination.sized(contribution);
      } catch (CombiningFailure failure) {
        fail(state, failure.outcome(state.operation), nowNanos);
        return;
      }
    }
    updateIfRoom(state, nowNanos);
  }

  /**
   * Ends a call without an outcome. Its contribution still counts, as long as another call waits.
   * No effect if there is no call of that name.
   */
  public void withdraw(long call, long nowNanos) {
    OperationState state = calls.withdrawn(call);
    if (state != null) {
      state.withdraw(call, nowNanos);
      operations.changed(state);
    }
  }

  // Consequences.

  private void updateIfRoom(OperationState state, long nowNanos) {
    if (operations.hasRoomFor(state)) {
      update(state, nowNanos);
    } else {
      fail(state, Explanation.noRoom(state.operation, self, limits), nowNanos);
    }
  }

  /** Fails operations of outdated views that this member has not called. */
  public void viewsChanged(long nowNanos) {
    List.copyOf(operations.underWay()).forEach(state -> endIfOver(state, nowNanos));
  }

  private void endIfOver(OperationState state, long nowNanos) {
    if (isOver(state)) {
      fail(state, Explanation.viewChanged(state.operation, self), nowNanos);
    }
  }

  /** Returns whether this member has not called the operation, and will not call it. */
  private boolean isOver(OperationState state) {
    GroupView.Id view = state.operation.view();
    return view != null
        && state.own == null
        && state.outcome == null
        && state.operation.isFor(self)
        && effects.isOver(view);
  }

  /** Handles members that call a different operation by the same name. */
  private void disagree(OperationState state, Operation other, String where, long nowNanos) {
    fail(state, Explanation.disagreement(state.operation, other, where), nowNanos);
  }

  private void fail(OperationState state, Failed why, long nowNanos) {
    if (!state.isSettled(self) && !state.hasSentComplete) {
      finish(state, why);
    }
    update(state, nowNanos);
  }

  /** Acts on a change of an operation: derives all consequences from its state. */
  private void update(OperationState state, long nowNanos) {
    Branches branches = routes.of(state.operation);
    if (state.operation.step() != null && state.outcome == null) {
      windows.used(state.operation, nowNanos);
    }
    sender.unsentParts(state);
    if (branches != null) {
      proceed(state, branches, nowNanos);
    }
    Outcome outcome = state.outcome;
    if (outcome != null) {
      sender.outcome(state, outcome);
    }
    if (outcome != null && (state.canAnswer(self) || state.isDecidedHere)) {
      sender.answer(state, outcome, branches);
    }
    if (branches != null && !state.chosen.isEmpty()) {
      sender.chosen(state, branches);
    }
    operations.changed(state);
  }

  private void proceed(OperationState state, Branches tree, long nowNanos) {
    if (state.operation.isOpening() && state.outcome == null) {
      state.offered =
          windows.offer(
              state.operation, tree.degree(), routes.hasChain(), operations::isUnderWay, nowNanos);
    }
    try {
      Outcome known = state.isSettled(self) ? null : state.knownBehind(self, tree);
      if (known != null) {
        finish(state, known);
      }
      if (state.mayHaveSeveralResults()) {
        survey(state, tree);
      }
      if (state.outcome == null && tree.isCentre(state.operation)) {
        decide(state, tree);
      }
      if (!state.canAnswer(self) && !operations.reserve(state)) {
        sender.contributeLater(state, nowNanos);
      } else if (!state.canAnswer(self)) {
        sender.contribute(state, tree, nowNanos);
      }
    } catch (CombiningFailure failure) {
      finish(state, failure.outcome(state.operation));
    }
    if (state.overdue && !state.canAnswer(self)) {
      sender.ask(state, tree, nowNanos);
      sender.missing(state, tree, nowNanos);
    }
  }

  /**
   * Handles an operation with several possible results: checks whether all of this side have
   * reported the results that they know. At the centre, when all have, each waiting member gets the
   * result that was its own on the latest tree. Before that, a member might still know a later
   * result, which other members of its part have already received.
   */
  private void survey(OperationState state, Branches tree) {
    state.surveyed = state.isSurveyed(tree);
    if (!tree.isCentre(state.operation)) {
      return;
    }
    state.isSurveySent = state.surveyed;
    List<Completed> results = state.results(tree);
    if (!state.surveyed || results.isEmpty() || state.canAnswer(self)) {
      return;
    }
    SortedSet<NodeId> waiting = state.waiting(self, tree);
    if (waiting.isEmpty()) {
      return;
    }
    Map<NodeId, Completed> choice = OperationState.choice(tree, results);
    waiting.forEach(member -> state.chosen.put(member, Objects.requireNonNull(choice.get(member))));
    Completed own = state.chosen.remove(self);
    if (own != null) {
      end(state, own);
    }
  }

  /** Decides at the centre, when all have arrived. */
  private void decide(OperationState state, Branches tree) throws CombiningFailure {
    if (state.isComplete(self, tree)
        && state.hasMinimum(self, tree)
        && state.isDecidable(self, tree)) {
      Value value = state.combined(self, tree);
      state.isDecidedHere = state.mayHaveSeveralResults();
      finish(state, new Completed(tree.epoch().treeVersion(), state.waiting(self, tree), value));
    }
  }

  /**
   * Handles an outcome that did not come from the centre: sends it towards the centre, but not back
   * to its sender. So it stops where the tree ends, even if members forget it at once.
   */
  private void finish(OperationState state, Outcome outcome) {
    Branches branches = routes.of(state.operation);
    if (branches != null && state.isForAll(outcome)) {
      for (NodeId neighbour : branches.towardsCentre(state.operation)) {
        if (credits.isOpen(neighbour) && !state.hasOutcomeFrom(neighbour)) {
          state.pendingReceivers.put(neighbour, branches.epoch());
        }
      }
    }
    end(state, outcome);
  }

  private void end(OperationState state, Outcome outcome) {
    List<Long> waiting = List.copyOf(state.calls.keySet());
    state.end(outcome, self, routes.of(state.operation));
    waiting.forEach(call -> calls.ended(call, state.forApplication(self, outcome)));
    if (outcome instanceof Completed result) {
      forgetSettled(state.operation, result);
    }
  }

  /** Forgets a segment that no member needs any more, because a later one is complete. */
  private void forgetSettled(Operation segment, Completed result) {
    String name = segment.nameOfSettled();
    OperationState settled = name == null ? null : operations.find(name);
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
    for (OperationState s = operations.due(nowNanos); s != null; s = operations.due(nowNanos)) {
      handleDue(s, nowNanos);
    }
  }

  private void handleDue(OperationState state, long nowNanos) {
    for (Map.Entry<Long, Long> call : new TreeMap<>(state.calls).entrySet()) {
      if (call.getValue() <= nowNanos) {
        state.calls.remove(call.getKey());
        calls.ended(
            call.getKey(), Explanation.membersMissing(state, self, routes.of(state.operation)));
      }
    }
    if (state.isOver(nowNanos) && state.outcome == null) {
      operations.forget(state);
      return;
    } else if (state.isOver(nowNanos)) {
      state.forgetOthers();
    }
    state.overdue |= state.isWaiting() && state.overdueNanos <= nowNanos;
    state.askAgain(nowNanos);
    update(state, nowNanos);
  }

  /** Returns the counters of the work done and of the memory in use. */
  public CombiningCounters counters() {
    return new CombiningCounters(
        calls.completed(),
        calls.failed(),
        sender.sentMessages(),
        operations.underWayCount(),
        operations.keptBytes());
  }
}
