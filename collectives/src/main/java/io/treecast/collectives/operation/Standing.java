package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.CombiningMessage.Answer;
import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.Operation.Kind;
import io.treecast.collectives.operation.Outcome.Choice;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Outcome.Failed;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How one operation stands at this member. Says nothing to anybody. */
final class Standing {
  /** For how long a member waits before it asks the others. */
  static final long OVERDUE_NANOS = 1_000_000_000L;

  /** For how long contributions are kept beyond the time that somebody waits. */
  static final long GRACE_NANOS = 10_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  final Operation operation;
  final Combination combination;

  /** Counts them. */
  final long number;

  /** That of this member's application; null if it has not called. */
  @Nullable String token;

  /** This member's contribution; null if it has given none, or it is not needed any more. */
  @Nullable Value own;

  /** The calls that wait, and until when. */
  final TreeMap<Long, Long> calls = new TreeMap<>();

  /** What neighbours said last, on the streams that are up. */
  final TreeMap<NodeId, Contribution> heard = new TreeMap<>();

  /** Null while there is none. At the hub of a scatter, with all parts. */
  @Nullable Outcome outcome;

  /** Whether the outcome was decided on this very tree: then it is for all that wait on it. */
  boolean isDecidedHere;

  /** Results of which neighbours told, each with the tree on which they did. */
  private final List<Known> known = new ArrayList<>();

  /** Those that the neighbour on the way to the centre was told, on this tree and stream. */
  final List<Completed> toldResults = new ArrayList<>();

  /** Which result each member behind this one is to get that could not be told yet. */
  final TreeMap<NodeId, Completed> chosen = new TreeMap<>();

  /** Whether all of this side have said on this tree which results they know. */
  boolean surveyed;

  /** Whether that has been told towards the centre, or is known there. */
  boolean isSurveyTold;

  /** Somebody has waited for long. */
  boolean overdue;

  /** The newest tree on which a neighbour asked. */
  private @Nullable TreeEpoch askedEpoch;

  /** When this member's application will have waited for long. */
  long overdueNanos = Long.MAX_VALUE;

  /** Until when this member's calls wait, and a while beyond. */
  private long callsUntilNanos;

  /** Until when others wait, and a while beyond. */
  private long othersUntilNanos;

  /** Until when somebody waits as each neighbour knows, on the streams that are up. */
  private final Map<NodeId, Long> untilNanosKnownTo = new HashMap<>();

  /** What the neighbour on the way to the centre was told, on this tree and stream. */
  @Nullable Contribution told;

  /**
   * Whether it was told, on whichever tree and stream, that all of this side have come: the centre
   * may have decided with that, so this member alone cannot make it fail any more.
   */
  boolean hasToldWhole;

  /** Whether it has asked for what it was told, as one that does not have it. */
  boolean isAskedAgain;

  /** When it may be told what is not urgent. */
  long tellAgainNanos = Long.MIN_VALUE;

  /** Whether there is something to tell it, which waits for its time. */
  boolean waitsToTell;

  /** What an answer on this tree takes that was left for lack of room; 0 if none was. */
  long leftBytes;

  /** What is counted for it already, so that there is room when it comes again. */
  long reservedBytes;

  /** Who was asked, on this tree and stream. */
  final Set<NodeId> questioned = new HashSet<>();

  /** Of whom something was left for lack of room, which is to be asked for again. */
  private final Set<NodeId> left = new HashSet<>();

  /** When these may be asked again. */
  private long askAgainNanos = Long.MAX_VALUE;

  /** Parts of a scatter that have come, and find no room yet on the stream to those behind. */
  final TreeMap<NodeId, Answer> unsentParts = new TreeMap<>();

  /** Who is to be told the outcome, as one that is known here, and on which tree. */
  final TreeMap<NodeId, TreeEpoch> toTell = new TreeMap<>();

  /**
   * Who has not come, as the centre said last on this tree; null if it has not, and where there was
   * no room for that.
   */
  @Nullable SortedSet<NodeId> missing;

  /** At the centre, the hash of whom it has said so of last, which takes no room; null for none. */
  @Nullable Integer missingTold;

  /** When the centre may say so again. */
  long tellMissingNanos = Long.MIN_VALUE;

  /** Whether the centre has more to say about that, and waits for its time. */
  boolean isMissingNews;

  /** When it is to be looked at, as it was reckoned last. */
  long dueNanos = Long.MAX_VALUE;

  /** What it counts in the sum of all. */
  long countedBytes;

  /** A result, and the tree on which a neighbour told of it. */
  private record Known(TreeEpoch epoch, Completed result) {}

  Standing(Operation operation, Combination combination, long number) {
    this.operation = operation;
    this.combination = combination;
    this.number = number;
  }

  boolean isScatter() {
    return operation.kind() == Kind.SCATTER;
  }

  /** Whether this member waits for the outcome. */
  boolean isWaiting() {
    return own != null && outcome == null;
  }

  /** Whether parts of the network may come to several results of it. */
  boolean mayHaveSeveralResults() {
    return operation.mayHaveSeveralResults();
  }

  /** Whether this member knows what to tell whoever waits, on whichever tree. */
  boolean canAnswer(NodeId self) {
    return outcome instanceof Failed
        || (outcome != null
            && !mayHaveSeveralResults()
            && (!isScatter() || Objects.equals(self, operation.hub())));
  }

  /** Whether this member's outcome stands, so that it takes over no other. */
  boolean isSettled(NodeId self) {
    return canAnswer(self) || (outcome != null && mayHaveSeveralResults());
  }

  /**
   * Whether this is an outcome, and alike for all: of a scatter, each has its own, and of several
   * results each gets the one that contains what it gave.
   */
  boolean isForAll(@Nullable Outcome known) {
    return known instanceof Failed || (known != null && !isScatter() && !mayHaveSeveralResults());
  }

  /** A neighbour tells of a result on a tree. */
  void heardOf(Completed result, TreeEpoch epoch) {
    Known told = new Known(epoch, result);
    if (known.stream().noneMatch(k -> k.epoch.equals(epoch) && k.result.isSameAs(result))) {
      known.add(told);
    }
  }

  /** There is no room for a result that a neighbour told. */
  void leaveResult(Completed result, TreeEpoch epoch) {
    known.removeIf(k -> k.epoch.equals(epoch) && k.result.isSameAs(result));
  }

  /** The results that are known of this side on this tree, each once. */
  List<Completed> results(Branches branches) {
    List<Completed> results = new ArrayList<>();
    if (!mayHaveSeveralResults()) {
      return results;
    }
    if (outcome instanceof Completed own) {
      results.add(own);
    }
    for (Known told : known) {
      if (told.epoch.equals(branches.epoch())
          && results.stream().noneMatch(result -> result.isSameAs(told.result))) {
        results.add(told.result);
      }
    }
    return results;
  }

  /** Whether nobody is known to have a result already, so that another one may come of it. */
  boolean isDecidable(NodeId self, Branches branches) {
    return !mayHaveSeveralResults()
        || (done(self, branches).isEmpty() && results(branches).isEmpty());
  }

  /** Those of them of which the neighbour on the way to the centre was not told. */
  List<Completed> untoldResults(Branches branches) {
    List<Completed> untold = results(branches);
    untold.removeIf(result -> toldResults.stream().anyMatch(result::isSameAs));
    return untold;
  }

  /**
   * Which of these a member gets: that which was to be its result on the latest tree, or else the
   * newest, which says that it was left out.
   */
  private static Completed resultFor(NodeId member, List<Completed> results) {
    return Collections.max(
        results,
        Comparator.<Completed>comparingLong(result -> result.versionFor(member))
            .thenComparingLong(Completed::treeVersion));
  }

  /**
   * Which of these each member of the tree gets, whether it waits or not. Each says whom it was
   * chosen for: members that were never apart, of which some do not hear of the choice, find it
   * again by that.
   */
  static Map<NodeId, Completed> choice(Branches tree, List<Completed> results) {
    Map<NodeId, Completed> best = new TreeMap<>();
    tree.members().forEach(member -> best.put(member, resultFor(member, results)));
    Map<NodeId, Completed> chosen = new TreeMap<>();
    for (Completed result : results) {
      SortedSet<NodeId> contributors = new TreeSet<>();
      SortedSet<NodeId> leftOut = new TreeSet<>();
      best.forEach(
          (member, its) -> {
            if (its.equals(result)) {
              (result.contributors().contains(member) ? contributors : leftOut).add(member);
            }
          });
      for (SortedSet<NodeId> members : List.of(contributors, leftOut)) {
        Completed its = result.withChoice(new Choice(tree.epoch().treeVersion(), members));
        members.forEach(member -> chosen.put(member, its));
      }
    }
    return chosen;
  }

  /** Some of those that wait behind a neighbour, who are to get the same result; perhaps nobody. */
  SortedSet<NodeId> receiversOfOneResult(Contribution said) {
    SortedSet<NodeId> receivers = new TreeSet<>(said.waiting());
    receivers.retainAll(chosen.keySet());
    if (!receivers.isEmpty()) {
      Completed result = Objects.requireNonNull(chosen.get(receivers.first()));
      receivers.removeIf(member -> !Objects.requireNonNull(chosen.get(member)).isSameAs(result));
    }
    return receivers;
  }

  /** Whether all behind this member have said on this tree which results they know. */
  boolean isSurveyed(Branches branches) {
    NodeId next = branches.next(operation);
    for (NodeId neighbour : branches.neighbours()) {
      Contribution said = heard.get(neighbour);
      if (!neighbour.equals(next)
          && (said == null || !said.surveyed() || !said.epoch().equals(branches.epoch()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether an outcome that is known here is one for those on this tree. Who takes part is asked on
   * each tree before anything is decided there, and has said it. Who does not is not: on the next
   * tree those who take part may have come to something else, without having heard of it.
   */
  boolean mayTell(NodeId self, TreeEpoch epoch, @Nullable Branches committed) {
    boolean isOfItsTree = mayHaveSeveralResults() && outcome instanceof Completed;
    return (operation.isFor(self) && !isOfItsTree)
        || (committed != null && epoch.equals(committed.epoch()));
  }

  /** Whether nothing is to be done until somebody says something. */
  boolean isAtRest(NodeId self) {
    if (canAnswer(self)) {
      return heard.isEmpty() && toTell.isEmpty();
    }
    return outcome != null
        && (!overdue || (isSurveyTold && !isAskedAgain))
        && chosen.isEmpty()
        && heard.values().stream().allMatch(c -> c.waiting().isEmpty());
  }

  /**
   * Whether nothing is kept of it here: somebody has only asked, or is gone since. Nothing is lost
   * if it is forgotten, since who waits will ask, or give, again.
   */
  boolean isIdle() {
    return own == null
        && outcome == null
        && calls.isEmpty()
        && heard.values().stream().allMatch(Contribution::isOfNobody);
  }

  /** An application of this member calls, for the first time or again. */
  void call(long call, long deadlineNanos, long nowNanos) {
    calls.put(call, deadlineNanos);
    callsUntilNanos = Math.max(callsUntilNanos, Math.max(deadlineNanos, nowNanos) + GRACE_NANOS);
    overdueNanos = Math.min(overdueNanos, nowNanos + OVERDUE_NANOS);
  }

  /** A call of this member does not wait any more. */
  void withdraw(long call, long nowNanos) {
    calls.remove(call);
    long lastNanos = calls.values().stream().mapToLong(Long::longValue).max().orElse(nowNanos);
    callsUntilNanos = Math.max(lastNanos, nowNanos) + GRACE_NANOS;
  }

  /** A neighbour says that somebody waits for so long. */
  void waitFor(NodeId neighbour, long patienceMillis, long nowNanos) {
    long mostMillis = (Long.MAX_VALUE - nowNanos - GRACE_NANOS) / NANOS_PER_MILLI;
    long patienceNanos = Math.min(patienceMillis, mostMillis) * NANOS_PER_MILLI;
    othersUntilNanos = Math.max(othersUntilNanos, nowNanos + patienceNanos + GRACE_NANOS);
    untilNanosKnownTo.merge(neighbour, nowNanos + patienceNanos + GRACE_NANOS, Math::max);
  }

  /** Until when somebody waits, and a while beyond. */
  long expiresNanos() {
    return Math.max(callsUntilNanos, othersUntilNanos);
  }

  /** For how long somebody waits yet, as a neighbour is told now. */
  long patienceMillisFor(NodeId neighbour, long nowNanos) {
    untilNanosKnownTo.put(neighbour, expiresNanos());
    return Math.max(0, expiresNanos() - GRACE_NANOS - nowNanos) / NANOS_PER_MILLI;
  }

  /** Whether a neighbour would forget this while somebody waits. */
  boolean isKeptTooShortAt(NodeId neighbour) {
    long knownNanos = untilNanosKnownTo.getOrDefault(neighbour, 0L);
    return expiresNanos() - knownNanos > GRACE_NANOS / 2;
  }

  /** Whether nobody waits any more. */
  boolean isOver(long nowNanos) {
    return calls.isEmpty() && expiresNanos() <= nowNanos;
  }

  /** A neighbour asks what is known. */
  void asked(TreeEpoch epoch) {
    overdue = true;
    if (askedEpoch == null || epoch.compareTo(askedEpoch) > 0) {
      askedEpoch = epoch;
    }
  }

  /** Whether this is an outcome that is taken over on the tree that is committed here. */
  boolean isEndedBy(Contribution heard, TreeEpoch epoch) {
    return heard.epoch().equals(epoch) && isForAll(heard.outcome());
  }

  /**
   * What others behind this member know of the outcome; null if they know of none. Of a failed
   * scatter, also for who has its part: others have not.
   */
  @Nullable Outcome knownBehind(NodeId self, Branches branches) {
    for (Contribution said : onThisSide(branches).values()) {
      Outcome known = said.outcome();
      if (isForAll(known)) {
        boolean isLost = known instanceof Completed && Objects.equals(self, operation.hub());
        return isLost ? Explanation.resultLost(operation, self) : known;
      }
    }
    return null;
  }

  /** Whether a neighbour has said what it knows of several results, on a tree that is to come. */
  boolean isForLaterSurvey(Contribution said, @Nullable Branches committed) {
    return mayHaveSeveralResults()
        && outcome instanceof Completed
        && (committed == null || said.epoch().compareTo(committed.epoch()) > 0);
  }

  /** Whether a neighbour has said what came of it. */
  boolean hasOutcomeFrom(NodeId neighbour) {
    Contribution said = heard.get(neighbour);
    return said != null && said.outcome() != null;
  }

  /** Whether this may be left, if there is no room for it, and asked for again. */
  boolean mayLeave(NodeId self, Contribution said, @Nullable Branches committed) {
    if (outcome instanceof Completed && mayHaveSeveralResults()) {
      return true;
    }
    return canAnswer(self) ? !mayTell(self, said.epoch(), committed) : hasToldWhole;
  }

  /** There is no room for what a neighbour has said. */
  void leave(NodeId neighbour, long nowNanos) {
    Contribution said = heard.remove(neighbour);
    if (said != null && outcome != null) {
      asked(said.epoch()); // Without that outcome, on the next tree, it asks for it.
    }
    left.add(neighbour);
    askAgainNanos = Math.min(askAgainNanos, nowNanos + Telling.AGAIN_NANOS);
  }

  /** Lets those be asked again of whom something was left, if it is time. */
  void askAgain(long nowNanos) {
    if (askAgainNanos <= nowNanos) {
      askAgainNanos = Long.MAX_VALUE;
      questioned.removeAll(left);
      left.clear();
    }
  }

  /** The outcome is known: what it has come from is not kept, except for what is to come. */
  void end(Outcome known, NodeId self, @Nullable Branches committed) {
    outcome = known;
    own = null;
    calls.clear();
    waitsToTell = false;
    isMissingNews = false;
    askAgainNanos = Long.MAX_VALUE;
    leftBytes = 0;
    reservedBytes = 0;
    overdue &= !isDecidedHere; // All that wait on this tree are told, without being asked.
    if (!isScatter()) {
      heard.replaceAll(
          (from, said) -> mayTell(self, said.epoch(), committed) ? said.withoutValue() : said);
    }
  }

  /** Whether all who take part have come, on this side of the tree or, at the centre, anywhere. */
  boolean isComplete(NodeId self, Branches branches) {
    return branches.missing(operation, come(self, branches)).isEmpty();
  }

  /** At the centre, whether as many have come as the callers ask for. */
  boolean hasMinimum(NodeId self, Branches branches) {
    return operation.minimum() == 1 || come(self, branches).size() >= operation.minimum();
  }

  /** Who has not come, as the centre has told, and of this side as it is now. */
  SortedSet<NodeId> missingAsFarAsKnown(NodeId self, Branches branches) {
    SortedSet<NodeId> come = come(self, branches);
    SortedSet<NodeId> all = new TreeSet<>(missing == null ? Set.of() : missing);
    all.removeAll(come);
    all.addAll(branches.missing(operation, come));
    return all;
  }

  /** Who has come, of those on this side of the tree. */
  SortedSet<NodeId> come(NodeId self, Branches branches) {
    SortedSet<NodeId> come = waiting(self, branches);
    come.addAll(done(self, branches));
    return come;
  }

  /** Who waits, of those on this side of the tree. */
  SortedSet<NodeId> waiting(NodeId self, Branches branches) {
    SortedSet<NodeId> waiting = new TreeSet<>();
    if (isWaiting()) {
      waiting.add(self);
    }
    onThisSide(branches).values().forEach(contribution -> waiting.addAll(contribution.waiting()));
    return waiting;
  }

  /** Who has an outcome, of those on this side of the tree. */
  SortedSet<NodeId> done(NodeId self, Branches branches) {
    SortedSet<NodeId> done = new TreeSet<>();
    if (outcome != null) {
      done.add(self);
    }
    onThisSide(branches).values().forEach(contribution -> done.addAll(contribution.done()));
    return done;
  }

  /** What was heard of the present tree from those that are further from the centre. */
  Map<NodeId, Contribution> onThisSide(Branches branches) {
    TreeMap<NodeId, Contribution> side = new TreeMap<>(heard);
    NodeId next = branches.next(operation);
    side.entrySet()
        .removeIf(
            of ->
                Objects.equals(of.getKey(), next)
                    || !of.getValue().epoch().equals(branches.epoch())
                    || !branches.isNeighbour(of.getKey()));
    return side;
  }

  /** The contributions of those who wait on this side, combined; of a scatter, the parts. */
  Value combined(NodeId self, Branches branches) throws CombiningFailure {
    Value combined = isWaiting() && own != null ? own : Value.NOTHING;
    if (isScatter()) {
      return combined;
    }
    NodeId whose = self;
    for (Contribution contribution : onThisSide(branches).values()) {
      if (!contribution.waiting().isEmpty()) {
        NodeId others = contribution.waiting().first();
        whose = combined instanceof Value.Nothing ? others : whose;
        combined = combination.of(combined, whose, contribution.value(), others);
      }
    }
    return combined;
  }

  /** What this member's application is told. */
  Outcome forApplication(NodeId self, Outcome known) {
    if (known instanceof Completed completed) {
      if (isScatter()) {
        return completed.withValue(
            Combination.partsOf(completed.value(), new TreeSet<>(Set.of(self))));
      }
      if (!completed.contributors().contains(self)) {
        return Explanation.leftOut(operation, completed, self);
      }
      return completed.withChoice(null);
    }
    return known;
  }

  /**
   * What others are told.
   *
   * @param members of a scatter, whom the parts are for
   */
  Outcome forOthers(Outcome known, SortedSet<NodeId> members) {
    if (known instanceof Completed completed) {
      if (isScatter()) {
        return completed.withValue(Combination.partsOf(completed.value(), members));
      }
      return operation.hasHub() ? completed.withValue(Value.NOTHING) : completed;
    }
    return known;
  }

  /**
   * The tree is another one: what was said of the one before does not count. What was said of it
   * does, if neighbours have committed it sooner.
   */
  void forgetTree(TreeEpoch epoch) {
    told = null;
    toldResults.clear();
    known.removeIf(of -> of.epoch.compareTo(epoch) < 0);
    chosen.clear();
    isDecidedHere = false;
    surveyed = false;
    isSurveyTold = false;
    isAskedAgain = false;
    tellAgainNanos = Long.MIN_VALUE;
    waitsToTell = false;
    leftBytes = 0;
    reservedBytes = 0;
    questioned.clear();
    unsentParts.clear();
    toTell.values().removeIf(of -> of.compareTo(epoch) < 0);
    missing = null;
    missingTold = null;
    isMissingNews = false;
    tellMissingNanos = Long.MIN_VALUE;
    heard.values().removeIf(contribution -> contribution.epoch().compareTo(epoch) < 0);
    overdue = // Somebody may have an outcome already that this member helped to come to.
        (isWaiting() && hasToldWhole)
            || (askedEpoch != null && askedEpoch.compareTo(epoch) >= 0)
            || heard.values().stream().anyMatch(said -> said.overdue() && !said.isOfNobody());
  }

  /** The data stream to a neighbour is another one, or none. */
  void forgetStream(NodeId neighbour, @Nullable NodeId next) {
    heard.remove(neighbour);
    questioned.remove(neighbour);
    untilNanosKnownTo.remove(neighbour);
    unsentParts.remove(neighbour);
    toTell.remove(neighbour);
    if (Objects.equals(neighbour, next)) {
      told = null;
      toldResults.clear();
      isSurveyTold = false;
    }
  }

  /** What is kept for others only is not, when nobody waits any more. */
  void forgetOthers() {
    heard.clear();
    known.clear();
    chosen.clear();
    unsentParts.clear();
    toTell.clear();
    overdue = false;
    isMissingNews = false;
    askAgainNanos = Long.MAX_VALUE;
  }

  /** When it is to be looked at; MAX_VALUE for never. */
  long nextDueNanos(NodeId self) {
    if (isAtRest(self)) {
      return Long.MAX_VALUE;
    }
    long next = calls.values().stream().mapToLong(Long::longValue).min().orElse(expiresNanos());
    if (isWaiting() && !overdue) {
      next = Math.min(next, overdueNanos);
    }
    next = Math.min(next, askAgainNanos);
    if (waitsToTell) {
      next = Math.min(next, tellAgainNanos);
    }
    return isMissingNews ? Math.min(next, tellMissingNanos) : next;
  }

  /** What it takes, about. */
  long bytes() {
    long bytes = reservedBytes;
    bytes +=
        Footprint.ofOperation(
            operation,
            calls.size(),
            questioned.size() + untilNanosKnownTo.size() + toTell.size() + chosen.size());
    bytes += own == null ? 0 : Footprint.of(own);
    bytes += Footprint.of(outcome);
    for (Contribution contribution : heard.values()) {
      bytes += Footprint.of(contribution);
    }
    List<Completed> kept = new ArrayList<>(known.stream().map(Known::result).toList());
    for (Completed result : chosen.values()) {
      if (kept.stream().noneMatch(result::isSameAs)) {
        kept.add(result);
      }
    }
    for (Completed result : kept) {
      bytes += Footprint.of(result);
    }
    for (Answer parts : unsentParts.values()) {
      bytes += Footprint.of(parts.outcome()) + Footprint.of(parts.members());
    }
    bytes += told == null ? 0 : Footprint.ofTold(told);
    return bytes + (missing == null ? 0 : Footprint.of(missing));
  }
}
