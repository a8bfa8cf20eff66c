package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningEffects;
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
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sends a member's messages about operations to its neighbours, each once.
 *
 * <p>A message that finds no room on a stream is not queued: it is built from the state of the
 * operation when there is {@linkplain Credits credit} again. Only refusals and reports of a chain
 * that was left, which are small, are sent without credit: the credit for the neighbour's message
 * that causes them is granted after them.
 */
final class OperationSender {
  /** The interval at which the centre announces the missing participants. */
  static final long MISSING_NANOS = 1_000_000_000L;

  /**
   * The interval at which a member reports arrivals of its side while others are missing. An
   * arrival takes this long per hop to reach the centre.
   */
  static final long PART_NANOS = 250_000_000L;

  /** The interval at which a member repeats reports, and retries those without room. */
  static final long RETRY_NANOS = 1_000_000_000L;

  private static final SortedSet<NodeId> NOBODY =
      Collections.unmodifiableSortedSet(new TreeSet<>());

  private final NodeId self;
  private final SortedSet<NodeId> justSelf;
  private final CombiningEffects effects;
  private final Credits credits;
  private long sentMessages;

  /** The number of the last contribution sent. */
  private long contributions;

  /**
   * Creates a sender that has sent nothing.
   *
   * @param credits the open data streams, and their room
   */
  OperationSender(NodeId self, Credits credits, CombiningEffects effects) {
    this.self = self;
    this.justSelf = Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(self)));
    this.credits = credits;
    this.effects = effects;
  }

  long sentMessages() {
    return sentMessages;
  }

  private void send(NodeId neighbour, CombiningMessage message) {
    sentMessages++;
    credits.sent(neighbour, message);
    effects.send(neighbour, message);
  }

  /** Grants a neighbour more credit, if that is due, after its message was processed. */
  void credit(NodeId neighbour, CombiningMessage received) {
    Credit credit = credits.received(neighbour, received);
    if (credit != null) {
      send(neighbour, credit);
    }
  }

  /**
   * Sends the contribution of this side towards the centre, if it is complete, or a call has waited
   * for long.
   */
  void contribute(OperationState state, Branches tree, long nowNanos) throws CombiningFailure {
    state.isSendDeferred = false;
    NodeId next = tree.next(state.operation);
    if (next == null || !credits.hasRoom(next) || !hasRoomForParts(state, tree)) {
      return;
    }
    SortedSet<NodeId> waiting = state.waiting(self, tree);
    SortedSet<NodeId> done = state.done(self, tree);
    List<Completed> results = state.unsentResults(tree);
    boolean isDecidable = state.isDecidable(self, tree);
    boolean isNews = !waiting.isEmpty() || (state.overdue && (!done.isEmpty() || state.surveyed));
    boolean complete = isNews && isDecidable && state.isComplete(self, tree);
    if (!isNews || !(complete || state.overdue)) {
      return;
    }
    Contribution lastSent = state.lastSent;
    boolean isSent =
        lastSent != null
            && lastSent.complete() == complete
            && lastSent.overdue() == state.overdue
            && lastSent.surveyed() == state.surveyed
            && results.isEmpty()
            && (isDecidable
                ? lastSent.waiting().equals(waiting) && lastSent.done().equals(done)
                : lastSent.waiting().containsAll(waiting));
    boolean expiresSoon = !waiting.isEmpty() && state.expiresTooEarlyAt(next);
    if (isSent && !state.isAskedAgain && !expiresSoon) {
      return;
    }
    boolean isUrgent =
        lastSent == null || (complete && !isSent) || state.surveyed != lastSent.surveyed();
    if (!isUrgent && nowNanos < state.resendNanos) {
      state.isSendDeferred = true;
      return;
    }
    Completed result = results.isEmpty() ? null : results.get(0);
    Contribution news =
        new Contribution(
            state.operation,
            tree.epoch(),
            complete,
            waiting,
            done,
            complete ? state.combined(self, tree) : Value.NOTHING,
            result,
            state.surveyed && results.size() <= 1,
            state.overdue,
            waiting.isEmpty() ? 0 : state.patienceMillisFor(next, nowNanos),
            ++contributions);
    state.lastSent = news.withoutValue();
    state.isSurveySent = news.surveyed();
    state.hasSentComplete |= complete;
    state.isAskedAgain = false;
    state.resendNanos = nowNanos + (complete ? RETRY_NANOS : PART_NANOS);
    if (result != null) {
      state.sentResults.add(result);
    }
    send(next, news);
    if (results.size() > 1) {
      contribute(state, tree, nowNanos);
    }
  }

  /** Sends the contribution when there may be room for its consequences. */
  void contributeLater(OperationState state, long nowNanos) {
    state.isSendDeferred = true;
    state.resendNanos = nowNanos + RETRY_NANOS;
  }

  /** Whether the parts of a scatter could be passed on now to the members that wait for them. */
  private boolean hasRoomForParts(OperationState state, Branches tree) {
    return !state.isScatter() || hasRoomFor(state.onThisSide(tree));
  }

  /** Returns whether an outcome could be passed on now to all that wait for it. */
  boolean hasRoomForOutcome(OperationState state) {
    return hasRoomFor(state.contributions);
  }

  private boolean hasRoomFor(Map<NodeId, Contribution> received) {
    return received.entrySet().stream()
        .allMatch(of -> of.getValue().waiting().isEmpty() || credits.hasRoom(of.getKey()));
  }

  /**
   * Reports that this member knows the outcome: towards the centre, unless it came from there, and
   * to each neighbour that asked, on the tree on which it asked. As a neighbour in that tree, this
   * member affects the operation there.
   */
  void outcome(OperationState state, Outcome outcome) {
    Iterator<Map.Entry<NodeId, TreeEpoch>> all = state.pendingReceivers.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, TreeEpoch> to = all.next();
      if (credits.hasRoom(to.getKey())) {
        Outcome known = state.forNeighbours(outcome, NOBODY);
        send(to.getKey(), known(state.operation, to.getValue(), known));
        all.remove();
      }
    }
  }

  void refuse(NodeId neighbour, Question question, Failed why) {
    send(neighbour, known(question.operation(), question.epoch(), why));
  }

  private Contribution known(Operation operation, TreeEpoch epoch, Outcome outcome) {
    return new Contribution(
        operation,
        epoch,
        false,
        NOBODY,
        justSelf,
        Value.NOTHING,
        outcome,
        true, // The outcome has been sent to all behind this member that wait.
        false,
        0,
        ++contributions);
  }

  /**
   * Asks each neighbour away from the centre that has not reported all of its side: once, and again
   * if a call waits for longer.
   */
  void ask(OperationState state, Branches tree, long nowNanos) {
    NodeId next = tree.next(state.operation);
    for (NodeId neighbour : tree.neighbours()) {
      Contribution contribution = state.contributions.get(neighbour);
      boolean hasReportedAll =
          contribution != null
              && contribution.complete()
              && contribution.epoch().equals(tree.epoch());
      if (!Objects.equals(neighbour, next)
          && !hasReportedAll
          && credits.hasRoom(neighbour)
          && tree.concerns(neighbour, state.operation)
          && (state.questioned.add(neighbour) || state.expiresTooEarlyAt(neighbour))) {
        send(
            neighbour,
            new Question(
                state.operation,
                tree.epoch(),
                state.patienceMillisFor(neighbour, nowNanos),
                contribution == null ? 0 : contribution.number()));
      }
    }
  }

  /**
   * Announces, away from the centre, the missing participants, if they have changed, at intervals.
   */
  void missing(OperationState state, Branches tree, long nowNanos) {
    if (!tree.isCentre(state.operation)) {
      return;
    }
    SortedSet<NodeId> missing = tree.missing(state.operation, state.arrived(self, tree));
    state.hasUnannouncedMissing =
        !Objects.equals(missing.hashCode(), state.announcedMissingHash)
            && missing.size() <= CombiningMessage.MAX_MEMBERS;
    if (state.hasUnannouncedMissing && nowNanos >= state.announceMissingNanos) {
      state.hasUnannouncedMissing = false;
      state.announcedMissingHash = missing.hashCode();
      state.announceMissingNanos = nowNanos + MISSING_NANOS;
      passOn(state, tree, new Missing(state.operation.name(), tree.epoch(), missing));
    }
  }

  /**
   * Forwards an announcement, away from the centre, to neighbours that wait and whose streams have
   * room.
   */
  void passOn(OperationState state, Branches tree, Missing message) {
    state
        .onThisSide(tree)
        .forEach(
            (behind, contribution) -> {
              if (!contribution.waiting().isEmpty() && credits.hasRoom(behind)) {
                send(behind, message);
              }
            });
  }

  /** Reports to a neighbour that this member has left the chain. */
  void chainLeft(NodeId neighbour, TreeEpoch epoch) {
    send(neighbour, new ChainLeft(epoch));
  }

  void refuse(NodeId neighbour, Contribution contribution, Failed why) {
    send(
        neighbour, new Answer(contribution.operation().name(), contribution.number(), why, NOBODY));
  }

  /** Sends the outcome to all neighbours that wait for it, as soon as their streams have room. */
  void answer(OperationState state, Outcome outcome, @Nullable Branches tree) {
    boolean isParts = state.isScatter() && outcome instanceof Completed;
    Iterator<Map.Entry<NodeId, Contribution>> all = state.contributions.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, Contribution> entry = all.next();
      SortedSet<NodeId> waiting = entry.getValue().waiting();
      if (waiting.isEmpty()) {
        if (!state.isForLaterSurvey(entry.getValue(), tree)) {
          all.remove();
        }
      } else if (credits.hasRoom(entry.getKey())
          && state.appliesOn(self, entry.getValue().epoch(), tree)) {
        send(
            entry.getKey(),
            new Answer(
                state.operation.name(),
                entry.getValue().number(),
                state.forNeighbours(outcome, waiting),
                isParts ? waiting : NOBODY));
        all.remove();
      }
    }
  }

  /**
   * Sends the parts of a scatter to the neighbours behind this member that wait for them, as soon
   * as their streams have room.
   */
  void parts(OperationState state, Completed parts, SortedSet<NodeId> members) {
    for (Map.Entry<NodeId, Contribution> entry : state.contributions.entrySet()) {
      SortedSet<NodeId> receivers = new TreeSet<>(entry.getValue().waiting());
      receivers.retainAll(members);
      if (!receivers.isEmpty()) {
        state.unsentParts.put(
            entry.getKey(),
            new Answer(
                state.operation.name(),
                entry.getValue().number(),
                state.forNeighbours(parts, receivers),
                receivers));
      }
    }
    unsentParts(state);
  }

  /**
   * Sends the chosen results to the neighbours behind this member that wait, as soon as their
   * streams have room.
   */
  void chosen(OperationState state, Branches tree) {
    for (Map.Entry<NodeId, Contribution> behind : state.onThisSide(tree).entrySet()) {
      NodeId neighbour = behind.getKey();
      Contribution contribution = behind.getValue();
      SortedSet<NodeId> receivers = state.receiversOfOneResult(contribution);
      while (!receivers.isEmpty() && credits.hasRoom(neighbour)) {
        Completed result = Objects.requireNonNull(state.chosen.get(receivers.first()));
        send(
            neighbour,
            new Answer(state.operation.name(), contribution.number(), result, receivers));
        state.chosen.keySet().removeAll(receivers);
        contribution = contribution.afterAnswerTo(receivers);
        state.contributions.put(neighbour, contribution);
        receivers = state.receiversOfOneResult(contribution);
      }
    }
  }

  /** Sends the parts for which there is room now. */
  void unsentParts(OperationState state) {
    Iterator<Map.Entry<NodeId, Answer>> all = state.unsentParts.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, Answer> parts = all.next();
      Contribution contribution = state.contributions.get(parts.getKey());
      if (contribution == null || contribution.number() != parts.getValue().number()) {
        all.remove(); // Members that wait there now request them again.
      } else if (credits.hasRoom(parts.getKey())) {
        send(parts.getKey(), parts.getValue());
        state.contributions.put(
            parts.getKey(), contribution.afterAnswerTo(parts.getValue().members()));
        all.remove();
      }
    }
  }
}
