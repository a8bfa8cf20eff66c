package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.CombiningMessage.Answer;
import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.CombiningMessage.Credit;
import io.treecast.collectives.operation.CombiningMessage.Missing;
import io.treecast.collectives.operation.CombiningMessage.Question;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Outcome.Failed;
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
 * Sends a member's news about operations to its neighbours, each once.
 *
 * <p>A message that finds no room on a stream is not queued: it is built from the state of the
 * operation when there is {@linkplain Credits credit} again. Only refusals, which are small, are
 * sent without credit: the credit for the neighbour's message that causes them is granted after
 * them.
 */
final class Telling {
  /** The interval at which the centre announces the missing participants. */
  static final long MISSING_NANOS = 1_000_000_000L;

  /**
   * The interval at which a member reports arrivals of its side while others are missing. An
   * arrival takes this long per hop to reach the centre.
   */
  static final long PART_NANOS = 250_000_000L;

  /** The interval at which a member repeats reports, and retries those without room. */
  static final long AGAIN_NANOS = 1_000_000_000L;

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
  Telling(NodeId self, Credits credits, CombiningEffects effects) {
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
    credits.said(neighbour, message);
    effects.send(neighbour, message);
  }

  /** Grants a neighbour more credit, if that is due, after its message was processed. */
  void credit(NodeId neighbour, CombiningMessage heard) {
    Credit credit = credits.heard(neighbour, heard);
    if (credit != null) {
      send(neighbour, credit);
    }
  }

  /**
   * Sends the contribution of this side towards the centre, if it is complete, or a call has waited
   * for long.
   */
  void contribute(Standing standing, Branches tree, long nowNanos) throws CombiningFailure {
    standing.waitsToTell = false;
    NodeId next = tree.next(standing.operation);
    if (next == null || !credits.hasRoom(next) || !hasRoomForParts(standing, tree)) {
      return;
    }
    SortedSet<NodeId> waiting = standing.waiting(self, tree);
    SortedSet<NodeId> done = standing.done(self, tree);
    List<Completed> results = standing.untoldResults(tree);
    boolean isDecidable = standing.isDecidable(self, tree);
    boolean isNews =
        !waiting.isEmpty() || (standing.overdue && (!done.isEmpty() || standing.surveyed));
    boolean complete = isNews && isDecidable && standing.isComplete(self, tree);
    if (!isNews || !(complete || standing.overdue)) {
      return;
    }
    Contribution told = standing.told;
    boolean isTold =
        told != null
            && told.complete() == complete
            && told.overdue() == standing.overdue
            && told.surveyed() == standing.surveyed
            && results.isEmpty()
            && (isDecidable
                ? told.waiting().equals(waiting) && told.done().equals(done)
                : told.waiting().containsAll(waiting));
    boolean isForgottenSoon = !waiting.isEmpty() && standing.isKeptTooShortAt(next);
    if (isTold && !standing.isAskedAgain && !isForgottenSoon) {
      return;
    }
    boolean isUrgent =
        told == null || (complete && !isTold) || standing.surveyed != told.surveyed();
    if (!isUrgent && nowNanos < standing.tellAgainNanos) {
      standing.waitsToTell = true;
      return;
    }
    Completed result = results.isEmpty() ? null : results.get(0);
    Contribution news =
        new Contribution(
            standing.operation,
            tree.epoch(),
            complete,
            waiting,
            done,
            complete ? standing.combined(self, tree) : Value.NOTHING,
            result,
            standing.surveyed && results.size() <= 1,
            standing.overdue,
            waiting.isEmpty() ? 0 : standing.patienceMillisFor(next, nowNanos),
            ++contributions);
    standing.told = news.withoutValue();
    standing.isSurveyTold = news.surveyed();
    standing.hasToldWhole |= complete;
    standing.isAskedAgain = false;
    standing.tellAgainNanos = nowNanos + (complete ? AGAIN_NANOS : PART_NANOS);
    if (result != null) {
      standing.toldResults.add(result);
    }
    send(next, news);
    if (results.size() > 1) {
      contribute(standing, tree, nowNanos);
    }
  }

  /** Sends the contribution when there may be room for its consequences. */
  void contributeLater(Standing standing, long nowNanos) {
    standing.waitsToTell = true;
    standing.tellAgainNanos = nowNanos + AGAIN_NANOS;
  }

  /** Whether the parts of a scatter could be passed on now to the members that wait for them. */
  private boolean hasRoomForParts(Standing standing, Branches tree) {
    return !standing.isScatter() || hasRoomFor(standing.onThisSide(tree));
  }

  /** Returns whether an outcome could be passed on now to all that wait for it. */
  boolean hasRoomForOutcome(Standing standing) {
    return hasRoomFor(standing.heard);
  }

  private boolean hasRoomFor(Map<NodeId, Contribution> heard) {
    return heard.entrySet().stream()
        .allMatch(of -> of.getValue().waiting().isEmpty() || credits.hasRoom(of.getKey()));
  }

  /**
   * Reports that this member knows the outcome: towards the centre, unless it came from there, and
   * to each neighbour that asked, on the tree on which it asked. As a neighbour in that tree, this
   * member affects the operation there.
   */
  void outcome(Standing standing, Outcome outcome) {
    Iterator<Map.Entry<NodeId, TreeEpoch>> all = standing.toTell.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, TreeEpoch> to = all.next();
      if (credits.hasRoom(to.getKey())) {
        Outcome known = standing.forOthers(outcome, NOBODY);
        send(to.getKey(), known(standing.operation, to.getValue(), known));
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
  void ask(Standing standing, Branches tree, long nowNanos) {
    NodeId next = tree.next(standing.operation);
    for (NodeId neighbour : tree.neighbours()) {
      Contribution heard = standing.heard.get(neighbour);
      boolean knowsAll = heard != null && heard.complete() && heard.epoch().equals(tree.epoch());
      if (!Objects.equals(neighbour, next)
          && !knowsAll
          && credits.hasRoom(neighbour)
          && tree.concerns(neighbour, standing.operation)
          && (standing.questioned.add(neighbour) || standing.isKeptTooShortAt(neighbour))) {
        send(
            neighbour,
            new Question(
                standing.operation,
                tree.epoch(),
                standing.patienceMillisFor(neighbour, nowNanos),
                heard == null ? 0 : heard.number()));
      }
    }
  }

  /**
   * Announces, away from the centre, the missing participants, if they have changed, at intervals.
   */
  void missing(Standing standing, Branches tree, long nowNanos) {
    if (!tree.isCentre(standing.operation)) {
      return;
    }
    SortedSet<NodeId> missing = tree.missing(standing.operation, standing.arrived(self, tree));
    standing.isMissingNews =
        !Objects.equals(missing.hashCode(), standing.missingTold)
            && missing.size() <= CombiningMessage.MAX_MEMBERS;
    if (standing.isMissingNews && nowNanos >= standing.tellMissingNanos) {
      standing.isMissingNews = false;
      standing.missingTold = missing.hashCode();
      standing.tellMissingNanos = nowNanos + MISSING_NANOS;
      passOn(standing, tree, new Missing(standing.operation.name(), tree.epoch(), missing));
    }
  }

  /**
   * Forwards an announcement, away from the centre, to neighbours that wait and whose streams have
   * room.
   */
  void passOn(Standing standing, Branches tree, Missing message) {
    standing
        .onThisSide(tree)
        .forEach(
            (behind, heard) -> {
              if (!heard.waiting().isEmpty() && credits.hasRoom(behind)) {
                send(behind, message);
              }
            });
  }

  void refuse(NodeId neighbour, Contribution contribution, Failed why) {
    send(
        neighbour, new Answer(contribution.operation().name(), contribution.number(), why, NOBODY));
  }

  /** Sends the outcome to all neighbours that wait for it, as soon as their streams have room. */
  void answer(Standing standing, Outcome outcome, @Nullable Branches tree) {
    boolean isParts = standing.isScatter() && outcome instanceof Completed;
    Iterator<Map.Entry<NodeId, Contribution>> all = standing.heard.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, Contribution> heard = all.next();
      SortedSet<NodeId> waiting = heard.getValue().waiting();
      if (waiting.isEmpty()) {
        if (!standing.isForLaterSurvey(heard.getValue(), tree)) {
          all.remove();
        }
      } else if (credits.hasRoom(heard.getKey())
          && standing.mayTell(self, heard.getValue().epoch(), tree)) {
        send(
            heard.getKey(),
            new Answer(
                standing.operation.name(),
                heard.getValue().number(),
                standing.forOthers(outcome, waiting),
                isParts ? waiting : NOBODY));
        all.remove();
      }
    }
  }

  /**
   * Sends the parts of a scatter to the neighbours behind this member that wait for them, as soon
   * as their streams have room.
   */
  void parts(Standing standing, Completed parts, SortedSet<NodeId> members) {
    for (Map.Entry<NodeId, Contribution> heard : standing.heard.entrySet()) {
      SortedSet<NodeId> receivers = new TreeSet<>(heard.getValue().waiting());
      receivers.retainAll(members);
      if (!receivers.isEmpty()) {
        standing.unsentParts.put(
            heard.getKey(),
            new Answer(
                standing.operation.name(),
                heard.getValue().number(),
                standing.forOthers(parts, receivers),
                receivers));
      }
    }
    unsentParts(standing);
  }

  /**
   * Sends the chosen results to the neighbours behind this member that wait, as soon as their
   * streams have room.
   */
  void chosen(Standing standing, Branches tree) {
    for (Map.Entry<NodeId, Contribution> behind : standing.onThisSide(tree).entrySet()) {
      NodeId neighbour = behind.getKey();
      Contribution heard = behind.getValue();
      SortedSet<NodeId> receivers = standing.receiversOfOneResult(heard);
      while (!receivers.isEmpty() && credits.hasRoom(neighbour)) {
        Completed result = Objects.requireNonNull(standing.chosen.get(receivers.first()));
        send(neighbour, new Answer(standing.operation.name(), heard.number(), result, receivers));
        standing.chosen.keySet().removeAll(receivers);
        heard = heard.afterAnswerTo(receivers);
        standing.heard.put(neighbour, heard);
        receivers = standing.receiversOfOneResult(heard);
      }
    }
  }

  /** Sends the parts for which there is room now. */
  void unsentParts(Standing standing) {
    Iterator<Map.Entry<NodeId, Answer>> all = standing.unsentParts.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, Answer> parts = all.next();
      Contribution heard = standing.heard.get(parts.getKey());
      if (heard == null || heard.number() != parts.getValue().number()) {
        all.remove(); // Members that wait there now request them again.
      } else if (credits.hasRoom(parts.getKey())) {
        send(parts.getKey(), parts.getValue());
        standing.heard.put(parts.getKey(), heard.afterAnswerTo(parts.getValue().members()));
        all.remove();
      }
    }
  }
}
