package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Choice;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Value;
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

/** The state of one operation at this member. Sends nothing. */
final class OperationState {
  /** The time for which a member waits before it asks the others. */
  static final long OVERDUE_NANOS = 1_000_000_000L;

  /** The time for which contributions are kept beyond the longest stated wait. */
  static final long GRACE_NANOS = 10_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  final Operation operation;
  final Combination combination;

  /** Sequence number of the operation here. */
  final long number;

  /** The token of this member's application; null if it has not called. */
  @Nullable String token;

  /** This member's contribution; null if it has given none, or it is no longer needed. */
  @Nullable Value own;

  /** The waiting calls, with their deadlines. */
  final TreeMap<Long, Long> calls = new TreeMap<>();

  /** The last contributions of neighbours, on the streams that are up. */
  final TreeMap<NodeId, Contribution> contributions = new TreeMap<>();

  /** The outcome, or null. At the hub of a scatter it has all parts. */
  @Nullable Outcome outcome;

  /**
   * Whether the outcome was decided on this very tree: then it is for all members that wait on it.
   */
  boolean isDecidedHere;

  /** Results that neighbours reported, each with its tree. */
  private final List<Known> known = new ArrayList<>();

  /** The results reported to the neighbour on the path to the centre, on this tree and stream. */
  final List<Completed> sentResults = new ArrayList<>();

  /** The chosen result of each member behind this one, until it is sent. */
  final TreeMap<NodeId, Completed> chosen = new TreeMap<>();

  /** Whether all members of this side have reported the results that they know, on this tree. */
  boolean surveyed;

  /** Whether {@link #surveyed} has been reported towards the centre, or is known there. */
  boolean isSurveySent;

  /** Whether a call has waited for long. */
  boolean overdue;

  /** The epoch of the newest tree on which a neighbour asked. */
  private @Nullable TreeEpoch askedEpoch;

  /** The time when the wait of this member's application becomes overdue. */
  long overdueNanos = Long.MAX_VALUE;

  /** The end of the wait of this member's calls, plus {@link #GRACE_NANOS}. */
  private long callsUntilNanos;

  /** The end of the wait of others, plus {@link #GRACE_NANOS}. */
  private long othersUntilNanos;

  /** The end of the longest wait as known to each neighbour, on the streams that are up. */
  private final Map<NodeId, Long> untilNanosKnownTo = new HashMap<>();

  /** The last contribution to the neighbour on the path to the centre, on this tree and stream. */
  @Nullable Contribution lastSent;

  /**
   * Whether a complete contribution of this side was ever sent to that neighbour. The centre may
   * have decided with it, so this member alone can no longer make the operation fail.
   */
  boolean hasSentComplete;

  /** Whether that neighbour has asked for the contribution, because it lacks it. */
  boolean isAskedAgain;

  /** The time from which a contribution that is not urgent may be sent. */
  long resendNanos = Long.MIN_VALUE;

  /** Whether a contribution that is not urgent waits for that time. */
  boolean isSendDeferred;

  /** Size of an answer on this tree that was dropped for lack of room; 0 for none. */
  long leftBytes;

  /** The {@linkplain Windows#offer offer} of this agent, if this opens a large operation. */
  long[] offered = {};

  /** Bytes reserved for the operation, so that there is room when the answer arrives again. */
  long reservedBytes;

  /** The neighbours that were asked, on this tree and stream. */
  final Set<NodeId> questioned = new HashSet<>();

  /** The neighbours whose messages were dropped for lack of room, and must be requested again. */
  private final Set<NodeId> droppedFrom = new HashSet<>();

  /** The time from which those neighbours may be asked again. */
  private long askAgainNanos = Long.MAX_VALUE;

  /**
   * The parts of a scatter that have arrived, and wait for room on the stream to their receivers.
   */
  final TreeMap<NodeId, Answer> unsentParts = new TreeMap<>();

  /**
   * The neighbours that must get the outcome that is known here, with the tree on which they asked.
   */
  final TreeMap<NodeId, TreeEpoch> pendingReceivers = new TreeMap<>();

  /**
   * Missing participants as last announced by the centre in this tree; null if none were, or for
   * lack of memory.
   */
  @Nullable SortedSet<NodeId> missing;

  /**
   * At the centre, the hash of the missing participants that were last announced; null for none.
   */
  @Nullable Integer announcedMissingHash;

  /** The time from which the centre may send the next announcement. */
  long announceMissingNanos = Long.MIN_VALUE;

  /** Whether the centre has a new announcement, which waits for that time. */
  boolean hasUnannouncedMissing;

  /** The time when the operation is due, as last computed. */
  long dueNanos = Long.MAX_VALUE;

  /** The size of the operation in the total. */
  long countedBytes;

  /** A result, and the tree on which a neighbour reported it. */
  private record Known(TreeEpoch epoch, Completed result) {}

  OperationState(Operation operation, Combination combination, long number) {
    this.operation = operation;
    this.combination = combination;
    this.number = number;
  }

  boolean isScatter() {
    return operation.kind() == Kind.SCATTER && !operation.isOpening();
  }

  /** Returns whether this member waits for the outcome. */
  boolean isWaiting() {
    return own != null && outcome == null;
  }

  /** Returns whether parts of the network may reach different results. */
  boolean mayHaveSeveralResults() {
    return operation.mayHaveSeveralResults();
  }

  /** Returns whether this member has an answer for every waiting member, on any tree. */
  boolean canAnswer(NodeId self) {
    return outcome instanceof Failed
        || (outcome != null
            && !mayHaveSeveralResults()
            && (!isScatter() || Objects.equals(self, operation.hub())));
  }

  /** Returns whether this member's outcome is final, so that it adopts no other. */
  boolean isSettled(NodeId self) {
    return canAnswer(self) || (outcome != null && mayHaveSeveralResults());
  }

  /**
   * Returns whether the argument is an outcome shared by all. In a scatter each member has its own,
   * and of several results each member gets the one that contains its contribution.
   */
  boolean isForAll(@Nullable Outcome known) {
    return known instanceof Failed || (known != null && !isScatter() && !mayHaveSeveralResults());
  }

  /** Records a result that a neighbour reports on a tree. */
  void resultReported(Completed result, TreeEpoch epoch) {
    Known reported = new Known(epoch, result);
    if (known.stream().noneMatch(k -> k.epoch.equals(epoch) && k.result.isSameAs(result))) {
      known.add(reported);
    }
  }

  /** Drops a reported result for lack of room. */
  void leaveResult(Completed result, TreeEpoch epoch) {
    known.removeIf(k -> k.epoch.equals(epoch) && k.result.isSameAs(result));
  }

  /** Returns the results that are known of this side on this tree, each once. */
  List<Completed> results(Branches branches) {
    List<Completed> results = new ArrayList<>();
    if (!mayHaveSeveralResults()) {
      return results;
    }
    if (outcome instanceof Completed own) {
      results.add(own);
    }
    for (Known reported : known) {
      if (reported.epoch.equals(branches.epoch())
          && results.stream().noneMatch(result -> result.isSameAs(reported.result))) {
        results.add(reported.result);
      }
    }
    return results;
  }

  /**
   * Returns whether no member is known to have a result already, so that another one may be
   * decided.
   */
  boolean isDecidable(NodeId self, Branches branches) {
    return !mayHaveSeveralResults()
        || (done(self, branches).isEmpty() && results(branches).isEmpty());
  }

  /** Returns the results not yet reported to the neighbour on the path to the centre. */
  List<Completed> unsentResults(Branches branches) {
    List<Completed> unsent = results(branches);
    unsent.removeIf(result -> sentResults.stream().anyMatch(result::isSameAs));
    return unsent;
  }

  /**
   * The result of a member among these: the one that was its own on the latest tree, or else the
   * newest, which leaves it out.
   */
  private static Completed resultFor(NodeId member, List<Completed> results) {
    return Collections.max(
        results,
        Comparator.<Completed>comparingLong(result -> result.versionFor(member))
            .thenComparingLong(Completed::treeVersion));
  }

  /**
   * Returns the result of each member of the tree, whether it waits or not. Each result states the
   * members for which it was chosen. So members of one part make the same choice again, even if
   * some of them did not learn of this one.
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

  /**
   * Returns some of the members that wait behind a neighbour and get the same result; perhaps none.
   */
  SortedSet<NodeId> receiversOfOneResult(Contribution contribution) {
    SortedSet<NodeId> receivers = new TreeSet<>(contribution.waiting());
    receivers.retainAll(chosen.keySet());
    if (!receivers.isEmpty()) {
      Completed result = Objects.requireNonNull(chosen.get(receivers.first()));
      receivers.removeIf(member -> !Objects.requireNonNull(chosen.get(member)).isSameAs(result));
    }
    return receivers;
  }

  /**
   * Returns whether all behind this member have reported the results that they know, on this tree.
   */
  boolean isSurveyed(Branches branches) {
    NodeId next = branches.next(operation);
    for (NodeId neighbour : branches.neighbours()) {
      Contribution contribution = contributions.get(neighbour);
      if (!neighbour.equals(next)
          && branches.concerns(neighbour, operation)
          && (contribution == null
              || !contribution.surveyed()
              || !contribution.epoch().equals(branches.epoch()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether an outcome that is known here applies on this tree. Participants are asked on
   * each tree before anything is decided there, and report it. Other members are not asked: on the
   * next tree the participants may have decided otherwise without them.
   */
  boolean appliesOn(NodeId self, TreeEpoch epoch, @Nullable Branches committed) {
    boolean isOfItsTree = mayHaveSeveralResults() && outcome instanceof Completed;
    return (operation.isFor(self) && !isOfItsTree)
        || (committed != null && epoch.equals(committed.epoch()));
  }

  /** Returns whether nothing is to be done until a message or call arrives. */
  boolean isAtRest(NodeId self) {
    if (canAnswer(self)) {
      return contributions.isEmpty() && pendingReceivers.isEmpty();
    }
    return outcome != null
        && (!overdue || (isSurveySent && !isAskedAgain))
        && chosen.isEmpty()
        && contributions.values().stream().allMatch(c -> c.waiting().isEmpty());
  }

  /**
   * Returns whether nothing is kept here: a neighbour has only asked, or has left since. The
   * operation can be forgotten without a loss, because waiting members ask, or contribute, again.
   */
  boolean isIdle() {
    return own == null
        && outcome == null
        && calls.isEmpty()
        && contributions.values().stream().allMatch(Contribution::namesNoMember);
  }

  /** Adds a call of this member's application, the first or a repeated one. */
  void call(long call, long deadlineNanos, long nowNanos) {
    calls.put(call, deadlineNanos);
    callsUntilNanos = Math.max(callsUntilNanos, Math.max(deadlineNanos, nowNanos) + GRACE_NANOS);
    overdueNanos = Math.min(overdueNanos, nowNanos + OVERDUE_NANOS);
  }

  /** Removes a call of this member. */
  void withdraw(long call, long nowNanos) {
    calls.remove(call);
    long lastNanos = calls.values().stream().mapToLong(Long::longValue).max().orElse(nowNanos);
    callsUntilNanos = Math.max(lastNanos, nowNanos) + GRACE_NANOS;
  }

  /** Records how long a call waits, as reported by a neighbour. */
  void waitFor(NodeId neighbour, long patienceMillis, long nowNanos) {
    long mostMillis = (Long.MAX_VALUE - nowNanos - GRACE_NANOS) / NANOS_PER_MILLI;
    long patienceNanos = Math.min(patienceMillis, mostMillis) * NANOS_PER_MILLI;
    othersUntilNanos = Math.max(othersUntilNanos, nowNanos + patienceNanos + GRACE_NANOS);
    untilNanosKnownTo.merge(neighbour, nowNanos + patienceNanos + GRACE_NANOS, Math::max);
  }

  /** Returns the end of the longest wait, plus {@link #GRACE_NANOS}. */
  long expiresNanos() {
    return Math.max(callsUntilNanos, othersUntilNanos);
  }

  /** Returns the remaining wait that is reported to a neighbour now. */
  long patienceMillisFor(NodeId neighbour, long nowNanos) {
    untilNanosKnownTo.put(neighbour, expiresNanos());
    return Math.max(0, expiresNanos() - GRACE_NANOS - nowNanos) / NANOS_PER_MILLI;
  }

  /** Returns whether a neighbour would forget the operation while a call waits. */
  boolean expiresTooEarlyAt(NodeId neighbour) {
    long knownNanos = untilNanosKnownTo.getOrDefault(neighbour, 0L);
    return expiresNanos() - knownNanos > GRACE_NANOS / 2;
  }

  /** Returns whether no call waits any more. */
  boolean isOver(long nowNanos) {
    return calls.isEmpty() && expiresNanos() <= nowNanos;
  }

  /** Notes that a neighbour asks for the state of the operation. */
  void asked(TreeEpoch epoch) {
    overdue = true;
    if (askedEpoch == null || epoch.compareTo(askedEpoch) > 0) {
      askedEpoch = epoch;
    }
  }

  /**
   * Returns whether the contribution has an outcome to adopt on the tree that is committed here.
   */
  boolean isEndedBy(Contribution contribution, TreeEpoch epoch) {
    return contribution.epoch().equals(epoch) && isForAll(contribution.outcome());
  }

  /**
   * Returns the outcome that others behind this member know; null if they know none. A failure of a
   * scatter applies even to members that have their part, because others lack theirs.
   */
  @Nullable Outcome knownBehind(NodeId self, Branches branches) {
    for (Contribution contribution : onThisSide(branches).values()) {
      Outcome known = contribution.outcome();
      if (isForAll(known)) {
        boolean isLost =
            known instanceof Completed
                && operation.hasHub()
                && Objects.equals(self, operation.hub());
        return isLost ? Explanation.resultLost(operation, self) : known;
      }
    }
    return null;
  }

  /** Returns whether a neighbour has reported its results on a tree yet to be committed here. */
  boolean isForLaterSurvey(Contribution contribution, @Nullable Branches committed) {
    return mayHaveSeveralResults()
        && outcome instanceof Completed
        && (committed == null || contribution.epoch().compareTo(committed.epoch()) > 0);
  }

  /** Returns whether a neighbour has reported the outcome. */
  boolean hasOutcomeFrom(NodeId neighbour) {
    Contribution contribution = contributions.get(neighbour);
    return contribution != null && contribution.outcome() != null;
  }

  /** Returns whether the contribution may be dropped for lack of room, and asked for again. */
  boolean mayLeave(NodeId self, Contribution contribution, @Nullable Branches committed) {
    if (outcome instanceof Completed && mayHaveSeveralResults()) {
      return true;
    }
    return canAnswer(self) ? !appliesOn(self, contribution.epoch(), committed) : hasSentComplete;
  }

  /** Drops a neighbour's contribution for lack of room. */
  void leave(NodeId neighbour, long nowNanos) {
    Contribution contribution = contributions.remove(neighbour);
    if (contribution != null && outcome != null) {
      asked(contribution.epoch()); // The dropped outcome is requested on the next tree.
    }
    droppedFrom.add(neighbour);
    askAgainNanos = Math.min(askAgainNanos, nowNanos + OperationSender.RETRY_NANOS);
  }

  /** Allows questions again to neighbours whose messages were dropped, if it is time. */
  void askAgain(long nowNanos) {
    if (askAgainNanos <= nowNanos) {
      askAgainNanos = Long.MAX_VALUE;
      questioned.removeAll(droppedFrom);
      droppedFrom.clear();
    }
  }

  /** Records the outcome; drops the contributions, except those for a later tree. */
  void end(Outcome known, NodeId self, @Nullable Branches committed) {
    outcome = known;
    own = null;
    calls.clear();
    isSendDeferred = false;
    hasUnannouncedMissing = false;
    askAgainNanos = Long.MAX_VALUE;
    leftBytes = 0;
    reservedBytes = 0;
    overdue &= !isDecidedHere; // All that wait on this tree get it in any case.
    if (!isScatter()) {
      contributions.replaceAll(
          (from, contribution) ->
              appliesOn(self, contribution.epoch(), committed)
                  ? contribution.withoutValue()
                  : contribution);
    }
  }

  /**
   * Returns whether all participants have arrived, on this side of the tree or, at the centre,
   * anywhere.
   */
  boolean isComplete(NodeId self, Branches branches) {
    return branches.missing(operation, arrived(self, branches)).isEmpty();
  }

  /** Returns, at the centre, whether the minimum of members has arrived. */
  boolean hasMinimum(NodeId self, Branches branches) {
    return operation.minimum() == 1 || arrived(self, branches).size() >= operation.minimum();
  }

  /** Returns the missing participants as announced by the centre, and of this side as of now. */
  SortedSet<NodeId> missingAsFarAsKnown(NodeId self, Branches branches) {
    SortedSet<NodeId> arrived = arrived(self, branches);
    SortedSet<NodeId> all = new TreeSet<>(missing == null ? Set.of() : missing);
    all.removeAll(arrived);
    all.addAll(branches.missing(operation, arrived));
    return all;
  }

  /** Returns the participants that have arrived on this side of the tree. */
  SortedSet<NodeId> arrived(NodeId self, Branches branches) {
    SortedSet<NodeId> arrived = waiting(self, branches);
    arrived.addAll(done(self, branches));
    return arrived;
  }

  /** Returns the members that wait on this side of the tree. */
  SortedSet<NodeId> waiting(NodeId self, Branches branches) {
    SortedSet<NodeId> waiting = new TreeSet<>();
    if (isWaiting()) {
      waiting.add(self);
    }
    onThisSide(branches).values().forEach(contribution -> waiting.addAll(contribution.waiting()));
    return waiting;
  }

  /** Returns the members that have an outcome on this side of the tree. */
  SortedSet<NodeId> done(NodeId self, Branches branches) {
    SortedSet<NodeId> done = new TreeSet<>();
    if (outcome != null) {
      done.add(self);
    }
    onThisSide(branches).values().forEach(contribution -> done.addAll(contribution.done()));
    return done;
  }

  /** Returns the contributions for the present tree from neighbours further from the centre. */
  Map<NodeId, Contribution> onThisSide(Branches branches) {
    TreeMap<NodeId, Contribution> side = new TreeMap<>(contributions);
    NodeId next = branches.next(operation);
    side.entrySet()
        .removeIf(
            of ->
                Objects.equals(of.getKey(), next)
                    || !of.getValue().epoch().equals(branches.epoch())
                    || !branches.isNeighbour(of.getKey()));
    return side;
  }

  /**
   * Returns the combined contributions of the waiting members on this side; of a scatter, the
   * parts.
   */
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
    if (operation.isOpening() && combined instanceof Value.Vector stated) {
      long[] least = stated.longs();
      for (int i = 0; i < Math.min(least.length, offered.length); i++) {
        least[i] = Math.min(least[i], offered[i]);
      }
      return Value.longs(least);
    }
    return combined;
  }

  /** Returns the outcome as this member's application gets it. */
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
   * Returns the outcome as others get it.
   *
   * @param members of a scatter, the receivers of the parts
   */
  Outcome forNeighbours(Outcome known, SortedSet<NodeId> members) {
    if (known instanceof Completed completed) {
      if (isScatter()) {
        return completed.withValue(Combination.partsOf(completed.value(), members));
      }
      return operation.hasHub() ? completed.withValue(Value.NOTHING) : completed;
    }
    return known;
  }

  /**
   * Notes that the tree has changed: contributions for the previous tree no longer count. Those for
   * the new tree count, from neighbours that have committed it earlier.
   */
  void forgetTree(TreeEpoch epoch) {
    lastSent = null;
    sentResults.clear();
    known.removeIf(of -> of.epoch.compareTo(epoch) < 0);
    chosen.clear();
    isDecidedHere = false;
    surveyed = false;
    isSurveySent = false;
    isAskedAgain = false;
    resendNanos = Long.MIN_VALUE;
    isSendDeferred = false;
    leftBytes = 0;
    reservedBytes = 0;
    questioned.clear();
    unsentParts.clear();
    pendingReceivers.values().removeIf(of -> of.compareTo(epoch) < 0);
    missing = null;
    announcedMissingHash = null;
    hasUnannouncedMissing = false;
    announceMissingNanos = Long.MIN_VALUE;
    contributions.values().removeIf(contribution -> contribution.epoch().compareTo(epoch) < 0);
    overdue = // Another member may already have an outcome to which this member contributed.
        (isWaiting() && hasSentComplete)
            || (askedEpoch != null && askedEpoch.compareTo(epoch) >= 0)
            || contributions.values().stream()
                .anyMatch(contribution -> contribution.overdue() && !contribution.namesNoMember());
  }

  /** Notes that the data stream to a neighbour is new, or has ended. */
  void forgetStream(NodeId neighbour, @Nullable NodeId next) {
    contributions.remove(neighbour);
    questioned.remove(neighbour);
    untilNanosKnownTo.remove(neighbour);
    unsentParts.remove(neighbour);
    pendingReceivers.remove(neighbour);
    if (Objects.equals(neighbour, next)) {
      lastSent = null;
      sentResults.clear();
      isSurveySent = false;
    }
  }

  /** Drops everything that is kept for others only, when no call waits any more. */
  void forgetOthers() {
    contributions.clear();
    known.clear();
    chosen.clear();
    unsentParts.clear();
    pendingReceivers.clear();
    overdue = false;
    hasUnannouncedMissing = false;
    askAgainNanos = Long.MAX_VALUE;
  }

  /** Returns when the operation is due; MAX_VALUE for never. */
  long nextDueNanos(NodeId self) {
    if (isAtRest(self)) {
      return Long.MAX_VALUE;
    }
    long next = calls.values().stream().mapToLong(Long::longValue).min().orElse(expiresNanos());
    if (isWaiting() && !overdue) {
      next = Math.min(next, overdueNanos);
    }
    next = Math.min(next, askAgainNanos);
    if (isSendDeferred) {
      next = Math.min(next, resendNanos);
    }
    return hasUnannouncedMissing ? Math.min(next, announceMissingNanos) : next;
  }

  /** Returns its approximate size. */
  long bytes() {
    long bytes = reservedBytes;
    bytes +=
        Footprint.ofOperation(
            operation,
            calls.size(),
            questioned.size() + untilNanosKnownTo.size() + pendingReceivers.size() + chosen.size());
    bytes += own == null ? 0 : Footprint.of(own);
    bytes += Footprint.of(outcome);
    for (Contribution contribution : contributions.values()) {
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
    bytes += lastSent == null ? 0 : Footprint.ofSent(lastSent);
    return bytes + (missing == null ? 0 : Footprint.of(missing));
  }
}
