package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One state of a few members, two of which want one claim, with the messages in flight. A message
 * arrives at any time, in any order, or never: so each loss and each partition is among the orders.
 * A member that stands still is one to which nothing arrives and whose timers are not served. A
 * step leads to another state and leaves this one unchanged.
 */
final class SmallClaims {
  static final long LEASE_NANOS = ClaimLimits.MIN_LEASE_NANOS;

  /** The true time of a step of time. */
  private static final long STEP_NANOS = LEASE_NANOS / 2;

  private static final ClaimLimits LIMITS = new ClaimLimits(LEASE_NANOS, 4, 4);

  /**
   * The events that may still happen.
   *
   * @param steps of time
   * @param crashes with the disk kept, at once followed by a restart
   * @param losses crashes in which the disk is lost
   * @param doubles messages that arrive and stay in flight
   * @param renewals questions of callers that hold
   * @param releases of callers that hold
   */
  record Budget(int steps, int crashes, int losses, int doubles, int renewals, int releases) {}

  /** The kinds of steps. */
  enum Kind {
    DELIVER,
    DOUBLE,
    TIME,
    RUN,
    DISK,
    RENEW,
    RELEASE,
    CRASH,
    LOSE
  }

  /** A step: at a member, or of a message in flight. */
  record Step(Kind kind, int index) {}

  private record Flight(int from, int to, ClaimMessage message, long digest) {}

  /** The state of a member, and the number of the state. */
  private record Member(Claims claims, long digest) {}

  /** The effects of an event at a member. */
  private static final class Outcome {
    private final List<Flight> sent = new ArrayList<>();
    private final List<Belief> held = new ArrayList<>();
    private @Nullable ClaimMemory toStore;
    private @Nullable Member after;
  }

  /** The outcome of each event in each state of a member that occurred. */
  private final Map<Long, Outcome> outcomes;

  /** The belief of a caller; it outlives the member's agent. */
  private record Belief(long fence, long endsNanos) {}

  private final int size;
  private final int[] percentOfTime;
  private final List<NodeId> ids;
  private final ClaimKey key;
  private final Member[] members;
  private final int[] incarnations;
  private final @Nullable ClaimMemory[] disk;
  private final @Nullable ClaimMemory[] unwritten;
  private final @Nullable Belief[] beliefs;
  private List<Flight> flights;
  private Budget budget;
  private long trueNanos;
  private long highestFence;
  private int grants;

  /**
   * The state in which two members have called.
   *
   * @param percentOfTime how fast the clock of each member goes; 100 is right
   */
  SmallClaims(int[] percentOfTime, Budget budget) {
    this.size = percentOfTime.length;
    this.percentOfTime = percentOfTime;
    this.ids = IntStream.range(0, size).mapToObj(i -> NodeId.of("" + i)).toList();
    this.key = ClaimKey.of("k", ids, false);
    this.members = new Member[size];
    this.outcomes = new HashMap<>();
    this.incarnations = new int[size];
    this.disk = new ClaimMemory[size];
    this.unwritten = new ClaimMemory[size];
    this.beliefs = new Belief[size];
    this.flights = new ArrayList<>();
    this.budget = budget;
    for (int i = 0; i < size; i++) {
      disk[i] = new ClaimMemory(0, 0);
      start(i);
    }
    for (int i = 0; i < 2; i++) {
      long now = now(i);
      happens(i, 1, claims -> claims.acquire(1, key, LEASE_NANOS, true, 100 * LEASE_NANOS, now));
    }
  }

  private SmallClaims(SmallClaims before) {
    size = before.size;
    percentOfTime = before.percentOfTime;
    ids = before.ids;
    key = before.key;
    members = before.members.clone();
    outcomes = before.outcomes;
    incarnations = before.incarnations.clone();
    disk = before.disk.clone();
    unwritten = before.unwritten.clone();
    beliefs = before.beliefs.clone();
    flights = new ArrayList<>(before.flights);
    budget = before.budget;
    trueNanos = before.trueNanos;
    highestFence = before.highestFence;
    grants = before.grants;
  }

  private Claims create(int index, Outcome outcome) {
    long now = now(index);
    return new Claims(
        ids.get(index),
        1 + 2L * incarnations[index] * Voter.CEILING_STEP,
        LIMITS,
        disk[index],
        new ClaimEffects() {
          @Override
          public void send(NodeId member, ClaimMessage message) {
            // A turn only saves time.
            if (!(message instanceof ClaimMessage.Available)) {
              int to = Integer.parseInt(member.toString());
              long digest = StateOf.digest(message) * 31 + index * 7L + to;
              outcome.sent.add(new Flight(index, to, message, digest));
            }
          }

          @Override
          public void store(ClaimMemory memory) {
            outcome.toStore = memory;
          }

          @Override
          public void held(long call, long number, long fence, long remainingNanos) {
            outcome.held.add(new Belief(fence, now + remainingNanos));
          }

          @Override
          public void ended(long call, ClaimEnd end) {}

          @Override
          public void answered(long inquiry, ClaimState state) {}
        });
  }

  /** Lets an event happen at a member; its number must tell it from others at this time. */
  private void happens(int index, long number, Consumer<Claims> event) {
    long name = (members[index].digest() * 31 + number) * 31 + now(index);
    apply(
        index,
        outcomes.computeIfAbsent(
            name * 31 + index,
            unused -> {
              Outcome outcome = new Outcome();
              Claims copy = create(index, outcome);
              StateOf.copy(members[index].claims(), copy);
              event.accept(copy);
              outcome.after = new Member(copy, StateOf.digest(copy));
              return outcome;
            }));
  }

  private void apply(int index, Outcome outcome) {
    members[index] = Objects.requireNonNull(outcome.after);
    for (Flight flight : outcome.sent) {
      if (!flights.contains(flight)) {
        flights.add(flight);
      }
    }
    if (outcome.toStore != null) {
      unwritten[index] = outcome.toStore;
    }
    for (Belief belief : outcome.held) {
      believed(index, belief.fence(), belief.endsNanos());
    }
  }

  private void start(int index) {
    Outcome outcome = new Outcome();
    Claims claims = create(index, outcome);
    claims.start(now(index));
    members[index] = new Member(claims, StateOf.digest(claims));
  }

  private long now(int index) {
    return trueNanos / 100 * percentOfTime[index];
  }

  private void believed(int index, long fence, long endsNanos) {
    Belief before = beliefs[index];
    if (before == null || before.fence() != fence) {
      if (fence <= highestFence) {
        throw new AssertionError("fence " + fence + " comes after " + highestFence);
      }
      highestFence = fence;
      grants++;
    }
    beliefs[index] = new Belief(fence, endsNanos);
  }

  private boolean believes(int index) {
    Belief belief = beliefs[index];
    return belief != null && now(index) < belief.endsNanos();
  }

  /** Returns how often the claim was granted on the way here. */
  int grants() {
    return grants;
  }

  /** Returns all steps that can happen next. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < flights.size(); i++) {
      steps.add(new Step(Kind.DELIVER, i));
      if (budget.doubles() > 0) {
        steps.add(new Step(Kind.DOUBLE, i));
      }
    }
    if (budget.steps() > 0) {
      steps.add(new Step(Kind.TIME, 0));
    }
    for (int i = 0; i < size; i++) {
      if (members[i].claims().nextDeadlineNanos() <= now(i)) {
        steps.add(new Step(Kind.RUN, i));
      }
      if (unwritten[i] != null) {
        steps.add(new Step(Kind.DISK, i));
      }
      if (budget.renewals() > 0 && believes(i)) {
        steps.add(new Step(Kind.RENEW, i));
      }
      if (budget.releases() > 0 && believes(i)) {
        steps.add(new Step(Kind.RELEASE, i));
      }
      if (budget.crashes() > 0) {
        steps.add(new Step(Kind.CRASH, i));
      }
      if (budget.losses() > 0) {
        steps.add(new Step(Kind.LOSE, i));
      }
    }
    return steps;
  }

  /** Returns the state after a step. Checks what must hold after every step. */
  SmallClaims after(Step step) {
    SmallClaims next = new SmallClaims(this);
    next.take(step);
    next.removeStale();
    next.check();
    return next;
  }

  private void take(Step step) {
    Budget b = budget;
    int i = step.index();
    switch (step.kind()) {
      case DELIVER -> deliver(flights.remove(i));
      case DOUBLE -> {
        budget =
            new Budget(
                b.steps(), b.crashes(), b.losses(), b.doubles() - 1, b.renewals(), b.releases());
        deliver(flights.get(i));
      }
      case TIME -> {
        budget =
            new Budget(
                b.steps() - 1, b.crashes(), b.losses(), b.doubles(), b.renewals(), b.releases());
        trueNanos += STEP_NANOS;
      }
      case RUN -> happens(i, 2, claims -> claims.tick(now(i)));
      case DISK -> {
        ClaimMemory written = Objects.requireNonNull(unwritten[i]);
        disk[i] = written;
        unwritten[i] = null;
        happens(i, 3, claims -> claims.stored(written, now(i)));
      }
      case RENEW -> {
        budget =
            new Budget(
                b.steps(), b.crashes(), b.losses(), b.doubles(), b.renewals() - 1, b.releases());
        happens(i, 4, claims -> claims.renew(1, 1, now(i)));
      }
      case RELEASE -> {
        budget =
            new Budget(
                b.steps(), b.crashes(), b.losses(), b.doubles(), b.renewals(), b.releases() - 1);
        beliefs[i] = null;
        happens(i, 5, claims -> claims.release(1, now(i)));
      }
      case CRASH, LOSE -> {
        boolean isLost = step.kind() == Kind.LOSE;
        budget =
            new Budget(
                b.steps(),
                b.crashes() - (isLost ? 0 : 1),
                b.losses() - (isLost ? 1 : 0),
                b.doubles(),
                b.renewals(),
                b.releases());
        disk[i] = isLost ? null : disk[i];
        unwritten[i] = null;
        incarnations[i]++;
        start(i);
      }
    }
  }

  /** Removes answers to earlier rounds, which have no effect. */
  private void removeStale() {
    flights.removeIf(flight -> members[flight.to()].claims().ignores(flight.message()));
  }

  private void deliver(Flight flight) {
    int to = flight.to();
    happens(
        to,
        flight.digest(),
        claims -> claims.received(ids.get(flight.from()), flight.message(), now(to)));
  }

  private void check() {
    int believers = 0;
    for (int i = 0; i < size; i++) {
      believers += believes(i) ? 1 : 0;
    }
    if (believers > 1) {
      throw new AssertionError("two believe at once: " + Arrays.toString(beliefs));
    }
  }

  /** Returns a number for this state. */
  long digest() {
    long all = 0;
    for (Flight flight : flights) {
      all += flight.digest() * 0xc4ce_b9fe_1a85_ec53L;
    }
    for (Member member : members) {
      all = (all ^ member.digest()) * 0xff51_afd7_ed55_8ccdL;
      all ^= all >>> 31;
    }
    all ^= budget.hashCode() * 0x9e37_79b9_7f4a_7c15L + trueNanos * 31 + highestFence;
    for (int i = 0; i < size; i++) {
      all = all * 31 + Objects.hashCode(beliefs[i]) * 0x9e37_79b9_7f4a_7c15L;
      all = all * 31 + Objects.hashCode(disk[i]) * 0x9e37_79b9_7f4a_7c15L;
      all = all * 31 + Objects.hashCode(unwritten[i]) * 0x9e37_79b9_7f4a_7c15L;
      all = all * 31 + incarnations[i];
    }
    return all;
  }
}
