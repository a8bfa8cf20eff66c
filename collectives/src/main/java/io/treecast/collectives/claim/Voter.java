package io.treecast.collectives.claim;

import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.ClaimMessage.Available;
import io.treecast.collectives.claim.ClaimMessage.Inquire;
import io.treecast.collectives.claim.ClaimMessage.Propose;
import io.treecast.collectives.claim.ClaimMessage.Refused;
import io.treecast.collectives.claim.ClaimMessage.Release;
import io.treecast.collectives.claim.ClaimMessage.Request;
import io.treecast.collectives.claim.ClaimMessage.Voted;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member's votes for claims, and the part of them that must survive a restart. */
final class Voter {
  /** Counts are stored in steps, so that few votes wait for the disk. */
  static final long CEILING_STEP = 1L << 20;

  /** The largest number of requests that wait for the disk. */
  private static final int MAX_UNSTORED = 256;

  private final NodeId self;
  private final ClaimLimits limits;
  private final BiConsumer<NodeId, ClaimMessage> send;
  private final Consumer<ClaimMemory> store;
  private final SortedMap<ClaimKey, Vote> votes = new TreeMap<>();

  /** The highest count that a vote for a claim outside {@link #votes} may have had. */
  private long forgottenCount;

  private final long abstentionNanos;
  private long abstainsUntilNanos;

  /** Whether the next start would abstain for {@link ClaimLimits#longestNanos}, like this one. */
  private boolean lacksMemory;

  /** The memory that this incarnation knows to be stored. */
  private ClaimMemory stored = new ClaimMemory(0, 0);

  /** The memory that the last command stores. */
  private ClaimMemory wanted = stored;

  private record Unstored(NodeId from, Propose question) {}

  private final ArrayDeque<Unstored> unstored = new ArrayDeque<>();

  /**
   * Creates a voter without votes.
   *
   * @param memory of the last incarnation; null if it is lost, or this is the first
   */
  Voter(
      NodeId self,
      long incarnation,
      ClaimLimits limits,
      @Nullable ClaimMemory memory,
      BiConsumer<NodeId, ClaimMessage> send,
      Consumer<ClaimMemory> store) {
    this.self = self;
    this.limits = limits;
    this.send = send;
    this.store = store;
    // An incarnation is a time: without memory, counts rise as far as clocks agree.
    this.forgottenCount = memory == null ? incarnation : Math.max(incarnation, memory.ceiling());
    this.lacksMemory = memory == null;
    this.abstentionNanos = memory == null ? limits.longestNanos() : memory.longestNanos();
  }

  void start(long nowNanos) {
    abstainsUntilNanos = nowNanos + abstentionNanos;
  }

  void received(NodeId from, Request request, long nowNanos) {
    if (!request.key().members().contains(self)) {
      return;
    }
    if (request instanceof Propose propose) {
      proposed(from, propose, nowNanos);
    } else if (request instanceof Release release) {
      released(release, nowNanos);
    } else if (request instanceof Inquire inquire) {
      send.accept(from, state(inquire, nowNanos));
    }
  }

  private void proposed(NodeId from, Propose question, long nowNanos) {
    if (question.leaseNanos() > limits.longestNanos()) {
      refuse(from, question, RefusalCause.LONG_LEASE, 0, 0, nowNanos);
      return;
    }
    if (nowNanos < abstainsUntilNanos) {
      refuse(from, question, RefusalCause.ABSTAINS, 0, abstainsUntilNanos - nowNanos, nowNanos);
      return;
    }
    Vote vote = votes.get(question.key());
    if (vote == null) {
      if (!hasRoom(nowNanos)) {
        refuse(from, question, RefusalCause.NO_ROOM, 0, 0, nowNanos);
        return;
      }
      vote = new Vote(forgottenCount, nowNanos);
      votes.put(question.key(), vote);
    }
    Owner owner = question.owner();
    if (vote.lasts(nowNanos)) {
      if (!owner.equals(vote.voted)) {
        refuse(from, question, RefusalCause.HELD, 0, vote.untilNanos - nowNanos, nowNanos);
        return;
      }
    } else if (!question.holds()) {
      Owner first = firstInTurn(question.key(), vote, nowNanos);
      if (first != null && !first.equals(owner)) {
        refuse(from, question, RefusalCause.NOT_FIRST, 0, vote.turnEndsNanos - nowNanos, nowNanos);
        return;
      }
    }
    if (question.count() < vote.count
        || (question.count() == vote.count && !owner.equals(vote.voted))) {
      refuse(from, question, RefusalCause.LOW_COUNT, vote.count, 0, nowNanos);
      return;
    }
    ClaimMemory needed = new ClaimMemory(question.count(), question.leaseNanos());
    if (!stored.covers(needed)) {
      storeFirst(from, question);
      return;
    }
    accept(from, question, vote, nowNanos);
  }

  private void accept(NodeId from, Propose question, Vote vote, long nowNanos) {
    vote.queue.remove(question.owner());
    vote.endTurn();
    vote.count = question.count();
    vote.round =
        question.owner().equals(vote.voted)
            ? Math.max(vote.round, question.round())
            : question.round();
    vote.voted = question.owner();
    vote.fence = question.fence();
    vote.untilNanos = Math.max(vote.untilNanos, nowNanos + question.leaseNanos());
    send.accept(from, new Accepted(question.key(), question.owner(), question.round()));
  }

  private void storeFirst(NodeId from, Propose question) {
    if (unstored.size() < MAX_UNSTORED) {
      unstored.add(new Unstored(from, question));
    }
    store(question.count(), question.leaseNanos());
  }

  /** Stores a memory that covers these votes, unless one is stored or under way. */
  private void store(long count, long leaseNanos) {
    if (!wanted.covers(new ClaimMemory(count, leaseNanos))) {
      wanted =
          new ClaimMemory(
              Math.max(wanted.ceiling(), count + CEILING_STEP),
              Math.max(wanted.longestNanos(), leaseNanos));
      store.accept(wanted);
    }
  }

  /** Notes the stored memory, and handles the requests that waited for it. */
  void stored(ClaimMemory memory, long nowNanos) {
    stored = memory;
    List<Unstored> waiting = List.copyOf(unstored);
    unstored.clear();
    waiting.forEach(each -> proposed(each.from(), each.question(), nowNanos));
  }

  /** Refuses a vote; an owner that may have it later gets a place in the queue. */
  private void refuse(
      NodeId from,
      Propose question,
      RefusalCause reason,
      long count,
      long remainingNanos,
      long nowNanos) {
    Vote vote = votes.get(question.key());
    long ticket = 0;
    if (vote != null && (reason == RefusalCause.HELD || reason == RefusalCause.NOT_FIRST)) {
      ticket =
          vote.enqueue(
              question.owner(),
              question.ticket(),
              Math.max(nowNanos, vote.untilNanos) + 3 * Vote.TURN_NANOS);
    }
    send.accept(
        from,
        new Refused(
            question.key(),
            question.owner(),
            question.round(),
            reason,
            count,
            remainingNanos,
            ticket));
  }

  private void released(Release release, long nowNanos) {
    unstored.removeIf(
        each ->
            each.question().owner().equals(release.owner())
                && each.question().round() <= release.round());
    Vote vote = votes.get(release.key());
    if (vote == null) {
      return;
    }
    if (release.ticket() == 0) {
      vote.queue.remove(release.owner());
    } else {
      var unused = vote.enqueue(release.owner(), release.ticket(), nowNanos + 3 * Vote.TURN_NANOS);
    }
    if (release.owner().equals(vote.voted) && vote.round <= release.round()) {
      vote.end(nowNanos);
    }
    // After a failed round, others would fail, too: they send requests after their pauses.
    if (release.ticket() == 0 && !vote.lasts(nowNanos)) {
      var unused = firstInTurn(release.key(), vote, nowNanos);
    }
  }

  /** Returns the first of the queue of a free vote, which has its turn now; null without one. */
  private @Nullable Owner firstInTurn(ClaimKey key, Vote vote, long nowNanos) {
    Owner first = vote.first(nowNanos);
    if (first != null && vote.wasInTurn(first, nowNanos)) {
      vote.queue.remove(first);
      first = vote.first(nowNanos);
    }
    if (first == null) {
      vote.endTurn();
    } else if (vote.beginTurn(first, nowNanos)) {
      send.accept(first.member(), new Available(key, first));
    }
    return first;
  }

  private Voted state(Inquire inquire, long nowNanos) {
    Vote vote = votes.get(inquire.key());
    boolean lasts = vote != null && vote.lasts(nowNanos);
    return new Voted(
        inquire.key(),
        inquire.number(),
        vote != null && lasts ? vote.voted : null,
        vote != null && lasts ? vote.fence : 0,
        vote != null && lasts ? vote.untilNanos - nowNanos : 0,
        vote == null ? 0 : vote.queue.size());
  }

  private boolean hasRoom(long nowNanos) {
    if (votes.size() >= limits.claims()) {
      forgetIdle(nowNanos);
    }
    return votes.size() < limits.claims();
  }

  /** Forgets claims without a vote or a queue; their counts then apply to all unknown claims. */
  private void forgetIdle(long nowNanos) {
    votes
        .values()
        .removeIf(
            vote -> {
              boolean isIdle = !vote.lasts(nowNanos) && vote.queue.isEmpty();
              if (isIdle) {
                forgottenCount = Math.max(forgottenCount, vote.count);
              }
              return isIdle;
            });
  }

  /**
   * Gives the first of each queue its turn when a vote has ended. After an abstention without
   * memory, stores that no vote is left.
   */
  void tick(long nowNanos) {
    if (lacksMemory && abstainsUntilNanos <= nowNanos) {
      lacksMemory = false;
      store(forgottenCount, 0);
    }
    votes.forEach(
        (key, vote) -> {
          if (vote.nextNanos() <= nowNanos && !vote.queue.isEmpty()) {
            var unused = firstInTurn(key, vote, nowNanos);
          }
        });
  }

  /** Returns when {@link #tick} is due. */
  long nextDeadlineNanos() {
    long next = lacksMemory ? abstainsUntilNanos : Long.MAX_VALUE;
    for (Vote vote : votes.values()) {
      if (!vote.queue.isEmpty()) {
        next = Math.min(next, vote.nextNanos());
      }
    }
    return next;
  }

  /** Returns a count that is used for a claim, as far as this member knows. */
  long count(ClaimKey key) {
    Vote vote = votes.get(key);
    return vote == null ? forgottenCount : vote.count;
  }
}
