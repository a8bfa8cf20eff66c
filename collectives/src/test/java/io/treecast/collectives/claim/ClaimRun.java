package io.treecast.collectives.claim;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A random run of members that want one claim, from its seed: late, lost and doubled messages,
 * clocks that drift, members that stand still or restart with or without their disk, partitions.
 * Callers keep their own belief, on the clock of their machine, and outlive their agents.
 *
 * <p>What must hold: at no true time two callers believe, fences rise with each grant, and when
 * faults end each caller that waits gets the claim, and messages end.
 */
final class ClaimRun implements LongFunction<String> {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  /** How long faults happen. */
  private static final long FAULTS_NANOS = 40 * SECOND;

  /** After the faults, every call must have ended by then. */
  private static final long END_NANOS = 400 * SECOND;

  private static final long MOST_EVENTS = 100_000;

  private final Map<String, Long> coverage;

  /** For mutants, which need no coverage. */
  ClaimRun() {
    this(new TreeMap<>());
  }

  private ClaimRun(Map<String, Long> coverage) {
    this.coverage = coverage;
  }

  static ClaimRun of(Map<String, Long> coverage) {
    return new ClaimRun(coverage);
  }

  @Override
  public String apply(long seed) {
    try {
      new World(seed).run();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      return SeedSweep.failure(seed, failure, "ClaimSweepTest");
    }
  }

  private record Event(long atNanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return atNanos != other.atNanos
          ? Long.compare(atNanos, other.atNanos)
          : Long.compare(number, other.number);
    }
  }

  private final class World {
    /** An interval of true time in which a caller believes. */
    record Belief(World.Caller caller, long fence, long fromNanos, long toNanos) {}

    final Random random;
    final PriorityQueue<Event> events = new PriorityQueue<>();
    final List<Machine> machines = new ArrayList<>();
    final List<Caller> callers = new ArrayList<>();
    final List<Belief> beliefs = new ArrayList<>();
    final ClaimKey key;
    final long leaseNanos;
    final ClaimLimits limits;
    long trueNanos;
    long scheduled;
    long highestFence;
    long sentInQuiet;
    double loss;
    double doubled;

    /**
     * Whether clocks differ so much that only the disk keeps counts rising, and no disk is lost.
     */
    final boolean clocksDiffer;

    /** The longest delay of most messages; where it is short, clocks decide who is first. */
    final long usualDelayNanos;

    World(long seed) {
      random = new Random(seed * 0x9e37_79b9_7f4a_7c15L + seed);
      clocksDiffer = random.nextBoolean();
      usualDelayNanos = random.nextBoolean() ? MILLI : 100 * MILLI;
      int named = 1 + 2 * random.nextInt(3) + random.nextInt(2);
      int others = random.nextInt(3);
      List<NodeId> ids = new ArrayList<>();
      for (int i = 0; i < named; i++) {
        ids.add(NodeId.of("m" + i));
      }
      key = ClaimKey.of("claim", ids, false);
      leaseNanos = (500 + random.nextInt(5_000)) * MILLI;
      limits = new ClaimLimits(leaseNanos + random.nextInt(2) * SECOND, 10, 10);
      for (int i = 0; i < named + others; i++) {
        machines.add(new Machine(i < named ? ids.get(i) : NodeId.of("o" + i)));
      }
      loss = random.nextInt(3) * 0.1;
      doubled = random.nextInt(3) * 0.1;
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(trueNanos + nanos, ++scheduled, action));
    }

    long upTo(long nanos) {
      return (long) (random.nextDouble() * nanos);
    }

    void run() {
      machines.forEach(machine -> machine.start(false));
      int calls = 1 + random.nextInt(5);
      for (int i = 0; i < calls; i++) {
        after(upTo(FAULTS_NANOS), () -> callers.add(new Caller(anyMachine())));
      }
      int faults = random.nextInt(12);
      for (int i = 0; i < faults; i++) {
        after(upTo(FAULTS_NANOS), this::fault);
      }
      after(
          FAULTS_NANOS,
          () -> {
            loss = 0;
            doubled = 0;
            machines.forEach(machine -> machine.part = 0);
          });
      while (!events.isEmpty() && trueNanos < END_NANOS) {
        Event event = events.remove();
        if (scheduled > MOST_EVENTS) {
          throw new AssertionError("messages go round for ever");
        }
        trueNanos = event.atNanos();
        event.action().run();
      }
      check();
    }

    Machine anyMachine() {
      return machines.get(random.nextInt(machines.size()));
    }

    void fault() {
      switch (random.nextInt(5)) {
        case 0 -> {
          cover("partition");
          machines.forEach(machine -> machine.part = random.nextInt(2));
          after(upTo(10 * SECOND), () -> machines.forEach(machine -> machine.part = 0));
        }
        case 1 -> {
          cover("stand-still");
          Machine machine = anyMachine();
          machine.frozenUntil = trueNanos + upTo(3 * leaseNanos);
        }
        case 2 -> {
          cover("restart");
          restart(anyMachine(), false);
        }
        case 3 -> {
          cover("restart without disk");
          restart(anyMachine(), !clocksDiffer);
        }
        default -> {
          cover("all restart");
          machines.forEach(machine -> restart(machine, false));
        }
      }
    }

    void restart(Machine machine, boolean losesDisk) {
      machine.stop();
      after(upTo(leaseNanos), () -> machine.start(losesDisk));
    }

    void cover(String what) {
      coverage.merge(what, 1L, Long::sum);
    }

    void check() {
      for (int i = 0; i < beliefs.size(); i++) {
        for (int j = i + 1; j < beliefs.size(); j++) {
          Belief one = beliefs.get(i);
          Belief other = beliefs.get(j);
          if (one.caller() != other.caller()
              && one.fromNanos() < other.toNanos()
              && other.fromNanos() < one.toNanos()) {
            throw new AssertionError("two believe at once: " + one + " and " + other);
          }
        }
      }
      for (Caller caller : callers) {
        if (!caller.isOver) {
          throw new AssertionError(caller + " still waits when faults are long over");
        }
      }
      if (sentInQuiet > 0) {
        throw new AssertionError(sentInQuiet + " messages though nobody wants the claim");
      }
    }

    /** A machine: its clock, its disk, and its agent while it runs. */
    final class Machine implements ClaimEffects {
      final NodeId id;
      final double rate = random.nextBoolean() ? 0.99 : 1.01;
      final long offsetNanos = random.nextInt(1_000_000);
      final long clockErrorNanos = clocksDiffer ? upTo(100 * SECOND) : 0;
      final Map<Long, Caller> byCall = new TreeMap<>();
      @Nullable ClaimMemory disk;
      @Nullable Claims agent;
      int starts;
      int part;
      long frozenUntil;
      long diskNanos;
      long calls;
      long timerNanos = Long.MAX_VALUE;

      Machine(NodeId id) {
        this.id = id;
      }

      long now() {
        return at(trueNanos);
      }

      long at(long nanos) {
        return offsetNanos + (long) (nanos * rate);
      }

      long trueOf(long localNanos) {
        return (long) Math.ceil((localNanos - offsetNanos) / rate);
      }

      void start(boolean losesDisk) {
        if (agent != null) {
          return;
        }
        starts++;
        if (losesDisk) {
          disk = null;
        }
        // An agent's incarnation is its start by the clock, in microseconds.
        long incarnation = 1 + (trueNanos + clockErrorNanos) / 1_000;
        agent = new Claims(id, incarnation, limits, disk, this);
        agent.start(now());
        served();
      }

      void stop() {
        agent = null;
        byCall.values().forEach(caller -> caller.agentIsLost());
        byCall.clear();
      }

      /** Runs an event at the agent of this start, when the machine does not stand still. */
      void happens(int start, Runnable event) {
        if (agent == null || starts != start) {
          return;
        }
        if (trueNanos < frozenUntil) {
          after(frozenUntil - trueNanos + upTo(MILLI), () -> happens(start, event));
          return;
        }
        event.run();
        served();
      }

      Claims agent() {
        return Objects.requireNonNull(agent);
      }

      void served() {
        timerNanos = agent().nextDeadlineNanos();
        if (timerNanos == Long.MAX_VALUE) {
          return;
        }
        long due = timerNanos;
        int start = starts;
        after(
            Math.max(0, trueOf(due) - trueNanos),
            () -> {
              if (timerNanos == due) {
                happens(start, () -> agent().tick(now()));
              }
            });
      }

      @Override
      public void send(NodeId member, ClaimMessage message) {
        if (trueNanos > END_NANOS - 10 * SECOND) {
          sentInQuiet++;
        }
        Machine to =
            machines.stream().filter(each -> each.id.equals(member)).findFirst().orElseThrow();
        if (random.nextDouble() >= loss) {
          deliver(to, message);
        }
        if (random.nextDouble() < doubled) {
          deliver(to, message);
        }
      }

      private void deliver(Machine to, ClaimMessage message) {
        long delay =
            random.nextInt(20) == 0 && trueNanos < FAULTS_NANOS
                ? upTo(2 * leaseNanos)
                : upTo(usualDelayNanos);
        after(
            delay,
            () -> {
              if (part == to.part) {
                int start = to.starts;
                to.happens(start, () -> to.agent().received(id, message, to.now()));
              }
            });
      }

      @Override
      public void store(ClaimMemory memory) {
        int start = starts;
        diskNanos = Math.max(diskNanos, trueNanos + upTo(50 * MILLI));
        after(
            diskNanos - trueNanos,
            () -> {
              if (starts == start && agent != null) {
                disk = memory;
                happens(start, () -> agent().stored(memory, now()));
              }
            });
      }

      @Override
      public void held(long call, long number, long fence, long remainingNanos) {
        Caller caller = byCall.get(call);
        if (caller != null) {
          after(upTo(5 * MILLI), () -> caller.held(number, fence, remainingNanos));
        }
      }

      @Override
      public void ended(long call, ClaimEnd end) {
        Caller caller = byCall.remove(call);
        if (caller != null) {
          after(upTo(5 * MILLI), () -> caller.ended(end));
        }
      }

      @Override
      public void answered(long inquiry, ClaimState state) {}
    }

    /** An application that wants the claim, holds it for a while, and gives it up. */
    final class Caller {
      final Machine machine;
      final long holdsNanos = upTo(4 * leaseNanos);
      long call;
      int start;
      long questions;
      final Map<Long, Long> askedAt = new TreeMap<>();
      long fence;
      long endsLocalNanos;
      boolean isOver;
      final boolean stopsAsking = random.nextInt(4) == 0;

      Caller(Machine machine) {
        this.machine = machine;
        begin();
      }

      private void begin() {
        if (machine.agent == null || trueNanos < machine.frozenUntil) {
          after(SECOND, this::begin);
          return;
        }
        start = machine.starts;
        call = ++machine.calls;
        machine.byCall.put(call, this);
        machine.happens(
            start,
            () -> machine.agent().acquire(call, key, leaseNanos, true, END_NANOS, machine.now()));
      }

      /** The stream to the agent broke. The belief lasts until the lease ends. */
      void agentIsLost() {
        if (isOver) {
          return;
        }
        if (fence == 0) {
          after(SECOND, this::begin);
        } else {
          cover("holder's agent lost");
          isOver = true;
        }
      }

      void held(long number, long grantedFence, long remainingNanos) {
        if (isOver) {
          return;
        }
        if (number == 0) {
          ask();
          return;
        }
        Long asked = askedAt.remove(number);
        if (asked == null || machine.at(trueNanos) >= asked + remainingNanos) {
          return;
        }
        if (fence == 0) {
          cover("granted");
          if (grantedFence <= highestFence) {
            throw new AssertionError("fence " + grantedFence + " comes after " + highestFence);
          }
          highestFence = grantedFence;
          fence = grantedFence;
          after(holdsNanos, this::giveUp);
        } else if (fence != grantedFence) {
          throw new AssertionError("the fence changed from " + fence + " to " + grantedFence);
        } else {
          cover("renewed");
        }
        long believesUntil = asked + remainingNanos;
        if (believesUntil > endsLocalNanos) {
          endsLocalNanos = believesUntil;
          beliefs.add(new Belief(this, fence, trueNanos, machine.trueOf(believesUntil)));
        }
      }

      private void ask() {
        if (isOver || (stopsAsking && fence != 0)) {
          return;
        }
        long number = ++questions;
        askedAt.put(number, machine.now());
        int ofStart = start;
        after(
            upTo(random.nextInt(10) == 0 ? leaseNanos : MILLI),
            () ->
                machine.happens(ofStart, () -> machine.agent().renew(call, number, machine.now())));
        after(leaseNanos / 4, this::ask);
      }

      private void giveUp() {
        if (isOver) {
          return;
        }
        isOver = true;
        machine.byCall.remove(call);
        if (random.nextInt(4) == 0) {
          // Its agent takes it for dead, and it goes on to believe.
          cover("abandoned");
          machine.happens(start, () -> machine.agent().abandon(call, machine.now()));
        } else {
          cut();
          cover("released");
          machine.happens(start, () -> machine.agent().release(call, machine.now()));
        }
      }

      /** Its belief ends now. */
      private void cut() {
        beliefs.replaceAll(
            belief ->
                belief.caller() == this && belief.toNanos() > trueNanos
                    ? new Belief(this, belief.fence(), belief.fromNanos(), trueNanos)
                    : belief);
      }

      void ended(ClaimEnd end) {
        if (isOver) {
          return;
        }
        cover("ended, " + end.reason());
        if (fence == 0) {
          askedAt.clear();
          begin();
        } else {
          isOver = true;
        }
      }

      @Override
      public String toString() {
        return "call " + call + " at " + machine.id;
      }
    }
  }
}
