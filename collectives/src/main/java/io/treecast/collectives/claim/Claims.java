package io.treecast.collectives.claim;

import io.treecast.collectives.claim.ClaimEnd.Reason;
import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.ClaimMessage.Available;
import io.treecast.collectives.claim.ClaimMessage.Inquire;
import io.treecast.collectives.claim.ClaimMessage.Refused;
import io.treecast.collectives.claim.ClaimMessage.Request;
import io.treecast.collectives.claim.ClaimMessage.Voted;
import io.treecast.collectives.claim.Claimant.Acquisition;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A member's part in claims: its votes, and the calls of its applications.
 *
 * <p>A claim is held with votes of a majority of its members. Two rules suffice:
 *
 * <ul>
 *   <li>A vote lasts for a lease by the clock of its member, and until then no other owner gets it.
 *       The holder counts the lease from before its requests, and counts it shorter than clocks can
 *       drift. So it stops believing that it holds the claim before any vote of its majority ends.
 *       Two holders at once would need a common member with two votes.
 *   <li>A member accepts only counts above all that it has accepted for other owners, and the fence
 *       is the count of the vote. The majorities of two holders have a common member, so the later
 *       fence is higher.
 * </ul>
 *
 * <p>Both must survive a restart. The highest count is on disk before a vote leaves; votes are not,
 * so a member that restarts does not vote until all its earlier votes have ended.
 *
 * <p>Unlike PaxosLease (Trencseni, Gazso and Reinhardt, 2012), ballots have no first phase: a vote
 * that lasts is never replaced, so a new proposer has no value to learn. A round that fails
 * withdraws its votes, and the queues at the members decide which owner is next.
 */
public final class Claims {
  /** The time limit for answers to an inquiry. */
  private static final long INQUIRY_NANOS = 2_000_000_000L;

  private final NodeId self;
  private final long incarnation;
  private final ClaimLimits limits;
  private final ClaimEffects effects;
  private final Voter voter;
  private final SortedMap<Long, Claimant> claimants = new TreeMap<>();
  private final SortedMap<Long, Inquiry> inquiries = new TreeMap<>();
  private Set<NodeId> present = new TreeSet<>();

  /** Messages of this member to itself. */
  private final ArrayDeque<ClaimMessage> own = new ArrayDeque<>();

  private record Inquiry(ClaimKey key, long deadlineNanos, SortedMap<NodeId, Voted> answers) {}

  /**
   * Creates the part of a member without claims.
   *
   * @param incarnation higher than that of each earlier start
   * @param memory the last that was stored by an earlier incarnation; null if it is lost, or there
   *     was no earlier incarnation
   */
  public Claims(
      NodeId self,
      long incarnation,
      ClaimLimits limits,
      @Nullable ClaimMemory memory,
      ClaimEffects effects) {
    this.self = self;
    this.incarnation = incarnation;
    this.limits = limits;
    this.effects = effects;
    this.voter = new Voter(self, incarnation, limits, memory, this::send, effects::store);
    present.add(self);
  }

  void send(NodeId member, ClaimMessage message) {
    if (member.equals(self)) {
      own.add(message);
    } else {
      effects.send(member, message);
    }
  }

  /** Starts this part; must be the first call. */
  public void start(long nowNanos) {
    voter.start(nowNanos);
  }

  /** Notes the members of the present tree. */
  public void treeCommitted(Set<NodeId> members, long nowNanos) {
    present = new TreeSet<>(members);
    membersReachable(nowNanos);
  }

  /** Notes that members may have become reachable: calls that pause send their requests again. */
  public void membersReachable(long nowNanos) {
    for (Claimant claimant : claimants.values()) {
      claimant.turn(nowNanos);
    }
    deliverOwn(nowNanos);
  }

  /** Handles a message of another member. */
  public void received(NodeId from, ClaimMessage message, long nowNanos) {
    handle(from, message, nowNanos);
    deliverOwn(nowNanos);
  }

  private void deliverOwn(long nowNanos) {
    for (ClaimMessage message = own.poll(); message != null; message = own.poll()) {
      handle(self, message, nowNanos);
    }
  }

  private void handle(NodeId from, ClaimMessage message, long nowNanos) {
    if (message instanceof Request request) {
      voter.received(from, request, nowNanos);
    } else if (message instanceof Accepted accepted) {
      Claimant claimant = claimant(accepted.owner());
      if (claimant != null && claimant.accepted(from, accepted, voters(accepted.key()), nowNanos)) {
        granted(claimant, nowNanos);
      }
    } else if (message instanceof Refused refused) {
      Claimant claimant = claimant(refused.owner());
      if (claimant != null && claimant.refused(from, refused, voters(refused.key()), nowNanos)) {
        failed(claimant);
      }
    } else if (message instanceof Available turn) {
      Claimant claimant = claimant(turn.owner());
      if (claimant != null) {
        claimant.turn(nowNanos);
      }
    } else if (message instanceof Voted voted) {
      answered(from, voted);
    }
  }

  /** Returns the members whose majority decides. */
  private List<NodeId> voters(ClaimKey key) {
    return key.advisory()
        ? key.members().stream().filter(present::contains).toList()
        : key.members();
  }

  /** Returns whether a message has no effect, now and later. */
  boolean ignores(ClaimMessage message) {
    if (message instanceof Accepted accepted) {
      Claimant claimant = claimant(accepted.owner());
      return claimant == null || !claimant.awaits(accepted.round());
    }
    if (message instanceof Refused refused) {
      Claimant claimant = claimant(refused.owner());
      return claimant == null || !claimant.awaits(refused.round());
    }
    return false;
  }

  private @Nullable Claimant claimant(Owner owner) {
    Claimant claimant = claimants.get(owner.call());
    return claimant != null && claimant.owner.equals(owner) ? claimant : null;
  }

  private void granted(Claimant claimant, long nowNanos) {
    long question = claimant.takeQuestion();
    if (question >= 0) {
      answer(claimant, question, nowNanos);
    } else if (!claimant.isToldGranted) {
      claimant.isToldGranted = true;
      answer(claimant, 0, nowNanos);
    }
  }

  private void answer(Claimant claimant, long question, long nowNanos) {
    claimant.isBelieved |= question > 0;
    effects.held(
        claimant.owner.call(), question, claimant.fence(), claimant.endsNanos() - nowNanos);
  }

  /** Ends a call whose caller does not wait, or that cannot succeed later. */
  private void failed(Claimant claimant) {
    if (!claimant.holds()
        && (claimant.obstacle == Reason.LONG_LEASE
            || (!claimant.acquisition.waits() && claimant.obstacle == Reason.HELD))) {
      end(claimant, claimant.obstacle);
    }
  }

  private void end(Claimant claimant, Reason reason) {
    claimants.remove(claimant.owner.call());
    if (!claimant.holds()) {
      claimant.release(true);
    }
    effects.ended(
        claimant.owner.call(), claimant.endedBecause(reason, voters(claimant.acquisition.key())));
  }

  /**
   * Begins a call that wants a claim.
   *
   * @param call a number that no other call of this incarnation has
   * @param leaseNanos at least {@link ClaimLimits#MIN_LEASE_NANOS}
   * @param waits whether the call waits while another owner has the claim
   * @param waitNanos how long it waits for a majority, or for the claim
   */
  public void acquire(
      long call, ClaimKey key, long leaseNanos, boolean waits, long waitNanos, long nowNanos) {
    if (claimants.size() >= limits.calls()) {
      SortedSet<NodeId> unasked = new TreeSet<>(key.members());
      effects.ended(
          call,
          new ClaimEnd(
              Reason.NO_ROOM,
              ClaimKey.majority(key.members().size()),
              new TreeSet<>(),
              new TreeMap<>(),
              unasked));
      return;
    }
    Claimant claimant =
        new Claimant(
            new Owner(self, incarnation, call),
            new Acquisition(key, leaseNanos, waits, nowNanos + waitNanos),
            voter.count(key),
            this::send);
    claimants.put(call, claimant);
    claimant.ask(nowNanos);
    deliverOwn(nowNanos);
  }

  /**
   * Renews the lease of a call if it is due. Each renewal is answered by {@link ClaimEffects#held},
   * unless a later one comes first, or no majority answers.
   *
   * @param number the number of the renewal, from 1
   */
  public void renew(long call, long number, long nowNanos) {
    Claimant claimant = claimants.get(call);
    if (claimant == null || !claimant.holds()) {
      return;
    }
    if (isOver(claimant, nowNanos)) {
      lost(claimant);
    } else if (claimant.renew(number, nowNanos)) {
      answer(claimant, number, nowNanos);
    }
    deliverOwn(nowNanos);
  }

  /** Releases a claim, or ends the wait for it. The caller no longer believes that it holds it. */
  public void release(long call, long nowNanos) {
    Claimant claimant = claimants.remove(call);
    if (claimant != null) {
      claimant.release(true);
      deliverOwn(nowNanos);
    }
  }

  /**
   * Ends a call whose caller cannot be reached, and may believe in its claim until the lease ends.
   */
  public void abandon(long call, long nowNanos) {
    Claimant claimant = claimants.get(call);
    if (claimant != null && !claimant.isBelieved) {
      release(call, nowNanos);
    } else if (claimant != null) {
      claimants.remove(call);
    }
  }

  /**
   * Asks the members of a claim for its holder.
   *
   * @param inquiry a number that no other inquiry of this incarnation has
   */
  public void inquire(long inquiry, ClaimKey key, long nowNanos) {
    inquiries.put(inquiry, new Inquiry(key, nowNanos + INQUIRY_NANOS, new TreeMap<>()));
    key.members().forEach(member -> send(member, new Inquire(key, inquiry)));
    deliverOwn(nowNanos);
  }

  private void answered(NodeId from, Voted voted) {
    Inquiry inquiry = inquiries.get(voted.number());
    if (inquiry == null
        || !inquiry.key().equals(voted.key())
        || !inquiry.key().members().contains(from)) {
      return;
    }
    inquiry.answers().put(from, voted);
    if (inquiry.answers().size() == inquiry.key().members().size()) {
      conclude(voted.number(), inquiry);
    }
  }

  private void conclude(long number, Inquiry inquiry) {
    inquiries.remove(number);
    effects.answered(
        number, ClaimState.of(inquiry.answers().values(), voters(inquiry.key()).size()));
  }

  /** Notes that this memory was stored, as {@link ClaimEffects#store} demanded. */
  public void stored(ClaimMemory memory, long nowNanos) {
    voter.stored(memory, nowNanos);
    deliverOwn(nowNanos);
  }

  /** Ends calls and inquiries at their deadlines, and repeats requests. */
  public void tick(long nowNanos) {
    voter.tick(nowNanos);
    for (Claimant claimant : List.copyOf(claimants.values())) {
      if (claimant.holds() && isOver(claimant, nowNanos)) {
        lost(claimant);
      } else if (!claimant.holds() && claimant.acquisition.deadlineNanos() <= nowNanos) {
        end(claimant, claimant.obstacle);
      } else {
        claimant.tick(nowNanos);
      }
    }
    new TreeMap<>(inquiries)
        .forEach(
            (number, inquiry) -> {
              if (inquiry.deadlineNanos() <= nowNanos) {
                conclude(number, inquiry);
              }
            });
    deliverOwn(nowNanos);
  }

  private static boolean isOver(Claimant claimant, long nowNanos) {
    return claimant.endsNanos() <= nowNanos;
  }

  private void lost(Claimant claimant) {
    end(claimant, Reason.LOST);
  }

  /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
  public long nextDeadlineNanos() {
    long next = voter.nextDeadlineNanos();
    for (Claimant claimant : claimants.values()) {
      next = Math.min(next, claimant.nextDeadlineNanos());
    }
    for (Inquiry inquiry : inquiries.values()) {
      next = Math.min(next, inquiry.deadlineNanos());
    }
    return next;
  }
}
