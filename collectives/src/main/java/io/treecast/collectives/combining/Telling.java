package io.treecast.collectives.combining;

import io.treecast.collectives.TreeEpoch;
import io.treecast.collectives.combining.CombiningMessage.Answer;
import io.treecast.collectives.combining.CombiningMessage.Contribution;
import io.treecast.collectives.combining.CombiningMessage.Missing;
import io.treecast.collectives.combining.CombiningMessage.Question;
import io.treecast.collectives.combining.Outcome.Completed;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a member tells its neighbours of operations, each news once. {@link Combining}'s thread. */
final class Telling {
  /** How often the centre says who is missing. */
  static final long MISSING_NANOS = 1_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final SortedSet<NodeId> NOBODY =
      Collections.unmodifiableSortedSet(new TreeSet<>());

  private final NodeId self;
  private final SortedSet<NodeId> justSelf;
  private final CombiningEffects effects;
  private final Set<NodeId> open;
  private long sentMessages;

  /** How many contributions were told: the number of the last one. */
  private long contributions;

  /**
   * Has told nothing.
   *
   * @param open to whom there is a data stream, now and later
   */
  Telling(NodeId self, Set<NodeId> open, CombiningEffects effects) {
    this.self = self;
    this.justSelf = Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(self)));
    this.open = open;
    this.effects = effects;
  }

  long sentMessages() {
    return sentMessages;
  }

  private void send(NodeId neighbour, CombiningMessage message) {
    sentMessages++;
    effects.send(neighbour, message);
  }

  /**
   * Towards the centre: what has come on this side, if all of it has, or somebody waits for long.
   */
  void contribute(Standing standing, Branches tree, long nowNanos) throws CombiningFailure {
    NodeId next = tree.next(standing.operation);
    if (next == null || !open.contains(next)) {
      return;
    }
    SortedSet<NodeId> waiting = standing.waiting(self, tree);
    SortedSet<NodeId> done = standing.done(self, tree);
    boolean isNews = !waiting.isEmpty() || (standing.overdue && !done.isEmpty());
    boolean complete = isNews && standing.isComplete(self, tree);
    if (!isNews || !(complete || standing.overdue)) {
      return;
    }
    Contribution told = standing.told;
    if (told == null
        || told.complete() != complete
        || told.overdue() != standing.overdue
        || !told.waiting().equals(waiting)
        || !told.done().equals(done)) {
      Contribution news =
          new Contribution(
              standing.operation,
              tree.epoch(),
              complete,
              waiting,
              done,
              complete ? standing.combined(tree) : Value.NOTHING,
              null,
              standing.overdue,
              patienceMillis(standing, nowNanos),
              ++contributions);
      standing.told = news.withoutValue();
      send(next, news);
    }
  }

  private static long patienceMillis(Standing standing, long nowNanos) {
    return Math.max(0, standing.expiresNanos - Standing.GRACE_NANOS - nowNanos) / NANOS_PER_MILLI;
  }

  /** Towards the centre: that this member knows the outcome, unless it was told from there. */
  void outcome(Standing standing, Branches tree, Outcome outcome) {
    NodeId next = tree.next(standing.operation);
    if (next != null && open.contains(next)) {
      send(next, known(standing.operation, tree.epoch(), standing.forOthers(outcome, NOBODY)));
    }
  }

  /**
   * On the tree of who asks: as its neighbour there, this member has a say in what comes of the
   * operation.
   */
  void reply(NodeId neighbour, Question question, Outcome outcome) {
    send(neighbour, known(question.operation(), question.epoch(), outcome));
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
        false,
        0,
        ++contributions);
  }

  /** Away from the centre: asks those who have not said that all have come, each once. */
  void ask(Standing standing, Branches tree, long nowNanos) {
    NodeId next = tree.next(standing.operation);
    for (NodeId neighbour : tree.neighbours()) {
      Contribution heard = standing.heard.get(neighbour);
      boolean knowsAll = heard != null && heard.complete() && heard.epoch().equals(tree.epoch());
      if (!Objects.equals(neighbour, next)
          && !knowsAll
          && open.contains(neighbour)
          && tree.concerns(neighbour, standing.operation)
          && standing.questioned.add(neighbour)) {
        send(
            neighbour,
            new Question(standing.operation, tree.epoch(), patienceMillis(standing, nowNanos)));
      }
    }
  }

  /** Away from the centre, by itself: who is missing, if that has changed, now and then. */
  void missing(Standing standing, Branches tree, long nowNanos) {
    if (!tree.isCentre(standing.operation)) {
      return;
    }
    SortedSet<NodeId> missing = tree.missing(standing.operation, standing.come(self, tree));
    standing.isMissingNews =
        !missing.equals(standing.missing) && missing.size() <= CombiningMessage.MAX_MEMBERS;
    if (standing.isMissingNews && nowNanos >= standing.tellMissingNanos) {
      standing.isMissingNews = false;
      standing.missing = missing;
      standing.tellMissingNanos = nowNanos + MISSING_NANOS;
      passOn(standing, tree, new Missing(standing.operation.name(), tree.epoch(), missing));
    }
  }

  /** Away from the centre: to those behind this member who wait. */
  void passOn(Standing standing, Branches tree, Missing message) {
    standing.onThisSide(tree).keySet().forEach(behind -> send(behind, message));
  }

  /** The outcome, to who said this. */
  void answer(NodeId neighbour, Contribution contribution, Outcome outcome) {
    send(
        neighbour,
        new Answer(contribution.operation().name(), contribution.number(), outcome, NOBODY));
  }

  /** The outcome, to all that wait for it. */
  void answer(Standing standing, Outcome outcome) {
    for (Map.Entry<NodeId, Contribution> heard : standing.heard.entrySet()) {
      SortedSet<NodeId> waiting = heard.getValue().waiting();
      if (!waiting.isEmpty()) {
        boolean isParts = standing.isScatter() && outcome instanceof Completed;
        send(
            heard.getKey(),
            new Answer(
                standing.operation.name(),
                heard.getValue().number(),
                standing.forOthers(outcome, waiting),
                isParts ? waiting : NOBODY));
      }
    }
    standing.heard.clear();
  }

  /** The parts of a scatter, to those behind this member who wait and whom they are for. */
  void parts(Standing standing, Completed parts, SortedSet<NodeId> members) {
    for (Map.Entry<NodeId, Contribution> heard : standing.heard.entrySet()) {
      SortedSet<NodeId> receivers = new TreeSet<>(heard.getValue().waiting());
      receivers.retainAll(members);
      if (!receivers.isEmpty()) {
        send(
            heard.getKey(),
            new Answer(
                standing.operation.name(),
                heard.getValue().number(),
                standing.forOthers(parts, receivers),
                receivers));
        heard.setValue(heard.getValue().afterPartsFor(receivers));
      }
    }
  }
}
