package io.treecast.collectives.clock;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A random run of members whose clocks drift as far as is allowed, from its seed: links that are
 * slower one way than the other, streams that break, trees that change, parts with trees of their
 * own, members that stand still or restart, and machines whose wall clocks step. The oracle knows
 * the true time of each root.
 *
 * <p>What must hold: the bound contains the root's time, now and in the past; it never goes back in
 * an epoch; and when faults end each member has the time of its tree, with an error that is no
 * larger than its path and one refresh explain, by one message on each edge in each refresh.
 */
final class ClockRun implements LongFunction<String> {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  /** How long faults happen. */
  private static final long FAULTS_NANOS = 40 * SECOND;

  private static final long QUIET_NANOS = FAULTS_NANOS + 15 * SECOND;
  private static final long END_NANOS = QUIET_NANOS + 2 * ClusterClock.REFRESH_NANOS;

  /** A run that has not ended by then stands still. */
  private static final int MAX_EVENTS = 400_000;

  /** Members ask for the time this often on average. */
  private static final long ASKED_NANOS = SECOND;

  private static final long PROBE_NANOS = 3 * SECOND;

  private final Map<String, Long> coverage;

  /** For mutants, which need no coverage. */
  ClockRun() {
    this(new TreeMap<>());
  }

  private ClockRun(Map<String, Long> coverage) {
    this.coverage = coverage;
  }

  static ClockRun of(Map<String, Long> coverage) {
    return new ClockRun(coverage);
  }

  @Override
  public String apply(long seed) {
    try {
      new World(seed).run();
      return "";
    } catch (AssertionError | RuntimeException failure) {
      return SeedSweep.failure(seed, failure, "ClockSweepTest");
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
    final Random random;
    final PriorityQueue<Event> events = new PriorityQueue<>();
    final List<Machine> machines = new ArrayList<>();
    final Map<String, Link> links = new TreeMap<>();

    /** The roots' times in their epochs: what to add to the oscillator of the root's machine. */
    final Map<TreeEpoch, Long> rootBases = new HashMap<>();

    long trueNanos;
    long scheduled;
    long version;
    long sentInQuiet;

    /** Without faults and long delays, so that what each member has to know by when is certain. */
    final boolean isCalm;

    World(long seed) {
      random = new Random(seed * 0x9e37_79b9_7f4a_7c15L + seed);
      isCalm = random.nextInt(4) == 0;
      int members = 1 + random.nextInt(9);
      for (int i = 0; i < members; i++) {
        machines.add(new Machine(NodeId.of("m" + i)));
      }
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(trueNanos + nanos, ++scheduled, action));
    }

    long upTo(long nanos) {
      return (long) (random.nextDouble() * nanos);
    }

    void cover(String what) {
      coverage.merge(what, 1L, Long::sum);
    }

    void run() {
      commit(machines);
      if (isCalm) {
        after(5 * SECOND, () -> commit(machines));
        // Before the first refresh of that tree.
        after(14 * SECOND, () -> machines.forEach(Machine::checkEpoch));
      }
      int faults = isCalm ? 0 : random.nextInt(20);
      for (int i = 0; i < faults; i++) {
        after(upTo(FAULTS_NANOS), this::fault);
      }
      after(FAULTS_NANOS, () -> commit(machines));
      machines.forEach(Machine::askLater);
      while (!events.isEmpty() && events.element().atNanos() < END_NANOS) {
        Event event = events.remove();
        if (event.number() > MAX_EVENTS) {
          throw new AssertionError("no end after " + MAX_EVENTS + " events");
        }
        trueNanos = event.atNanos();
        event.action().run();
      }
      trueNanos = END_NANOS;
      check();
    }

    Machine any() {
      return machines.get(random.nextInt(machines.size()));
    }

    void fault() {
      switch (random.nextInt(6)) {
        case 0 -> commit(machines);
        case 1 -> {
          cover("partition");
          List<Machine> one = new ArrayList<>();
          List<Machine> other = new ArrayList<>();
          machines.forEach(machine -> (random.nextBoolean() ? one : other).add(machine));
          long before = version;
          commit(one);
          long after = version;
          version = random.nextBoolean() ? before : after;
          commit(other);
          version = Math.max(version, after);
        }
        case 2 -> {
          cover("stream broke");
          links.values().stream()
              .skip(random.nextInt(1 + links.size()))
              .findFirst()
              .ifPresent(Link::breaks);
        }
        case 3 -> {
          cover("stand-still");
          any().frozenUntil = trueNanos + upTo(5 * SECOND);
        }
        case 4 -> {
          cover("restart");
          any().restart();
        }
        default -> {
          cover("wall clock stepped");
          any().wallErrorNanos += upTo(200 * SECOND) - 100 * SECOND;
        }
      }
    }

    /** Members of a part commit a random tree, each in its time. */
    void commit(List<Machine> members) {
      if (members.isEmpty()) {
        return;
      }
      List<Machine> part = new ArrayList<>(members);
      Collections.shuffle(part, random);
      version++;
      List<LinkWeight> edges = new ArrayList<>();
      for (int i = 1; i < part.size(); i++) {
        // Often a chain, to be deep.
        int to = random.nextBoolean() ? i - 1 : random.nextInt(i);
        Link link = link(part.get(i), part.get(to));
        edges.add(new LinkWeight(i, link.owner.id, link.other.id));
        link.opens();
      }
      Machine root = part.get(random.nextInt(part.size()));
      CommittedTree tree = new CommittedTree(version, root.id, root.starts, edges);
      for (Machine member : part) {
        // A root is the first, but may stand still.
        long delay = member == root ? 0 : 1 + upTo(SECOND);
        int start = member.starts;
        after(delay, () -> member.happens(start, () -> member.commit(tree)));
      }
    }

    Link link(Machine one, Machine other) {
      Machine owner = one.id.compareTo(other.id) < 0 ? one : other;
      Machine second = owner == one ? other : one;
      return links.computeIfAbsent(owner.id + "-" + second.id, key -> new Link(owner, second));
    }

    void check() {
      for (Machine machine : machines) {
        machine.ask();
        CommittedTree tree = machine.tree;
        if (tree == null) {
          continue; // It restarted after the last tree.
        }
        RootTime time = machine.checkEpoch();
        long explained = 0;
        NodeId member = machine.id;
        while (!member.equals(tree.root())) {
          NodeId next = Objects.requireNonNull(tree.parents().get(member));
          explained += link(byId(member), byId(next)).mostErrorNanos();
          member = next;
        }
        explained += (ClusterClock.REFRESH_NANOS + 2 * SECOND) / RootTime.DRIFT_DIVISOR;
        if (time.errorNanos() > explained) {
          throw new AssertionError(
              machine.id + " has the error " + time.errorNanos() + ", explained " + explained);
        }
      }
      // The first and the last refresh are there in part.
      if (sentInQuiet > 3L * (machines.size() - 1)) {
        throw new AssertionError(sentInQuiet + " messages in two refreshes");
      }
    }

    Machine byId(NodeId id) {
      return machines.stream().filter(each -> each.id.equals(id)).findFirst().orElseThrow();
    }

    /** The oscillator and the wall clock of a machine, and its agent. */
    final class Machine implements ClockEffects {
      final NodeId id;
      final double rate = 1 + (random.nextBoolean() ? 1 : -1) * 99.9e-6 * random.nextInt(2);
      long wallErrorNanos = upTo(1_000 * SECOND);
      int starts = 1;
      long originNanos = upTo(1_000 * SECOND);
      ClusterClock clock;
      @Nullable CommittedTree tree;
      long frozenUntil;
      @Nullable RootTime last;

      /** The latest time that may be before an earlier one. */
      @Nullable RootTime lastAt;

      long timerNanos = Long.MAX_VALUE;

      Machine(NodeId id) {
        this.id = id;
        this.clock = new ClusterClock(id, this);
      }

      /** The machine's oscillator since the run began. */
      long oscillator() {
        return (long) (trueNanos * rate);
      }

      /** The agent's clock. */
      long now() {
        return oscillator() - originNanos;
      }

      void restart() {
        starts++;
        originNanos = oscillator() - upTo(100 * SECOND);
        links.values().stream().filter(link -> link.joins(this)).forEach(Link::sessionEnds);
        clock = new ClusterClock(id, this);
        tree = null;
        last = null;
        lastAt = null;
      }

      /** Runs an event at the agent of this start, when the machine does not stand still. */
      void happens(int start, Runnable event) {
        if (starts != start) {
          return;
        }
        if (trueNanos < frozenUntil) {
          after(frozenUntil - trueNanos, () -> happens(start, event));
          return;
        }
        event.run();
        served();
      }

      void served() {
        long due = clock.nextDeadlineNanos();
        if (due == Long.MAX_VALUE || due == timerNanos) {
          return;
        }
        timerNanos = due;
        int start = starts;
        long inNanos = Math.max(0, (long) ((due - now()) / rate) + 1);
        after(
            inNanos,
            () -> {
              if (starts == start && timerNanos == due) {
                timerNanos = Long.MAX_VALUE;
                happens(start, () -> clock.tick(now()));
              }
            });
      }

      void commit(CommittedTree committed) {
        CommittedTree before = tree;
        if (before != null && before.version() >= committed.version()) {
          return;
        }
        if (before != null && before.root().equals(committed.root())) {
          cover("same root again");
        }
        tree = committed;
        if (committed.root().equals(id)) {
          rootBases.put(TreeEpoch.of(committed), unixNanos() - oscillator());
        }
        clock.treeCommitted(committed, now());
      }

      @Override
      public long unixNanos() {
        return trueNanos + 1_000_000 * SECOND + wallErrorNanos;
      }

      @Override
      public void send(NodeId neighbour, RootTime time) {
        if (trueNanos > QUIET_NANOS) {
          sentInQuiet++;
        }
        link(this, byId(neighbour)).send(this, time);
      }

      /** Returns the time, which must be that of the tree. */
      RootTime checkEpoch() {
        RootTime time = clock.now(now());
        if (time == null || !time.epoch().equals(TreeEpoch.of(Objects.requireNonNull(tree)))) {
          throw new AssertionError(id + " has no time of its tree, but " + time);
        }
        return time;
      }

      void askLater() {
        after(
            upTo(2 * ASKED_NANOS),
            () -> {
              ask();
              askLater();
            });
      }

      void ask() {
        long instant = now();
        RootTime time = clock.now(instant);
        if (time == null) {
          return;
        }
        cover("told");
        if (tree != null && !time.epoch().equals(TreeEpoch.of(tree))) {
          cover("told of the epoch before");
        }
        long truth = rootTime(time.epoch());
        checkContains(time, truth);
        RootTime before = last;
        if (before != null
            && before.epoch().equals(time.epoch())
            && before.rootNanos() > time.rootNanos()) {
          throw new AssertionError(id + " goes back from " + before + " to " + time);
        }
        if (before != null && before.epoch().treeVersion() > time.epoch().treeVersion()) {
          throw new AssertionError(id + " goes back from the epoch " + before + " to " + time);
        }
        last = time;
        checkGrowth(Objects.requireNonNull(clock.at(instant)));
        int start = starts;
        after(upTo(10 * SECOND), () -> askForThePast(start, instant, time.epoch(), truth));
      }

      /** In an epoch a bound grows by no more than drift. */
      private void checkGrowth(RootTime time) {
        RootTime before = lastAt;
        if (before != null
            && before.epoch().equals(time.epoch())
            && before.at(time.atNanos()).errorNanos() + 1 < time.errorNanos()) {
          throw new AssertionError(id + " knows less after " + before + ": " + time);
        }
        lastAt = time;
      }

      void askForThePast(int start, long instant, TreeEpoch epoch, long truth) {
        RootTime time = starts == start ? clock.at(instant) : null;
        if (time != null && time.epoch().equals(epoch)) {
          cover("told of the past");
          checkContains(time, truth);
        }
      }

      long rootTime(TreeEpoch epoch) {
        return byId(epoch.root()).oscillator() + Objects.requireNonNull(rootBases.get(epoch));
      }

      void checkContains(RootTime time, long truth) {
        // The run rounds each reading of a clock.
        if (Math.abs(time.rootNanos() - truth) > time.errorNanos() + 10) {
          throw new AssertionError(id + " says " + time + ", but the truth is " + truth);
        }
      }
    }

    /** A link with its probes, which only its owner sends, and a data stream. */
    final class Link {
      final Machine owner;
      final Machine other;
      final long toOtherNanos = 1 + upTo(random.nextBoolean() ? MILLI : 100 * MILLI);
      final long toOwnerNanos = 1 + upTo(random.nextBoolean() ? MILLI : 100 * MILLI);
      int session;
      boolean isOpen;
      boolean isWanted;
      long stream;
      final Map<Machine, Long> lastArrival = new HashMap<>();

      // What the owner knows of the other's clock.
      boolean isKnown;
      long aheadNanos;
      long halfRttNanos;
      long sinceNanos;

      Link(Machine owner, Machine other) {
        this.owner = owner;
        this.other = other;
      }

      boolean joins(Machine machine) {
        return owner == machine || other == machine;
      }

      long mostErrorNanos() {
        // A probe may be delayed by as much again.
        return toOtherNanos + toOwnerNanos + 4 * PROBE_NANOS / RootTime.DRIFT_DIVISOR + 10_000;
      }

      /** The tree has it: probes and a stream, from now on. */
      void opens() {
        if (!isWanted) {
          isWanted = true;
          session++;
          probe(session);
          openStream();
        }
      }

      void openStream() {
        int of = session;
        after(
            upTo(SECOND),
            () -> {
              // An edge is measured before it is in a tree.
              if (session == of && !isOpen && isKnown) {
                isOpen = true;
                stream++;
                streamOpened(owner, other);
                streamOpened(other, owner);
              } else if (session == of && !isOpen) {
                openStream();
              }
            });
      }

      void streamOpened(Machine at, Machine to) {
        long opened = stream;
        int start = at.starts;
        after(
            upTo(100 * MILLI),
            () ->
                at.happens(
                    start,
                    () -> {
                      if (isOpen && stream == opened) {
                        at.clock.opened(to.id, at.now());
                      }
                    }));
      }

      void breaks() {
        if (isOpen) {
          isOpen = false;
          stream++;
          owner.clock.closed(other.id);
          other.clock.closed(owner.id);
          openStream();
        }
      }

      void sessionEnds() {
        breaks();
        isKnown = false;
        if (isWanted) {
          session++;
          probe(session);
          openStream();
        }
      }

      void probe(int of) {
        if (session != of) {
          return;
        }
        long sent = owner.now();
        int start = owner.starts;
        long[] read = new long[1];
        long there = toOtherNanos + delayNanos(toOtherNanos);
        after(there, () -> read[0] = other.now());
        after(
            there + toOwnerNanos + delayNanos(toOwnerNanos),
            () -> {
              if (session == of && owner.starts == start && owner.frozenUntil <= trueNanos) {
                sampled(read[0], sent, owner.now());
              }
            });
        after(upTo(2 * PROBE_NANOS), () -> probe(of));
      }

      long delayNanos(long most) {
        return !isCalm && random.nextInt(5) == 0 && trueNanos < FAULTS_NANOS
            ? upTo(SECOND)
            : upTo(most / 4);
      }

      void sampled(long read, long sent, long arrived) {
        long half = (arrived - sent + 1) / 2;
        if (!isKnown || half <= errorNanos(arrived)) {
          isKnown = true;
          aheadNanos = read - (arrived - (arrived - sent) / 2);
          halfRttNanos = half;
          sinceNanos = sent;
        }
      }

      long errorNanos(long now) {
        return halfRttNanos + (now - sinceNanos) / RootTime.DRIFT_DIVISOR + 1;
      }

      /** On the wire the instant is by the clock of the other end. */
      void send(Machine from, RootTime time) {
        Machine to = from == owner ? other : owner;
        if (!isOpen || !isKnown) {
          return;
        }
        RootTime onWire =
            from == owner
                ? time.byClock(aheadNanos, errorNanos(owner.now()), owner.now() - time.atNanos())
                : time;
        long of = stream;
        long delay = from == owner ? toOtherNanos : toOwnerNanos;
        delay +=
            !isCalm && random.nextInt(10) == 0 && trueNanos < FAULTS_NANOS
                ? upTo(SECOND)
                : upTo(delay);
        // In order, as on a stream.
        long arrival = Math.max(trueNanos + delay, lastArrival.getOrDefault(to, 0L));
        lastArrival.put(to, arrival);
        int start = to.starts;
        after(
            arrival - trueNanos,
            () ->
                to.happens(
                    start,
                    () -> {
                      if (isOpen && stream == of) {
                        arrived(from, to, onWire);
                      }
                    }));
      }

      void arrived(Machine from, Machine to, RootTime onWire) {
        if (to == other) {
          to.clock.received(from.id, onWire, to.now());
        } else if (isKnown) {
          long now = to.now();
          long age = now - (onWire.atNanos() - aheadNanos);
          to.clock.received(from.id, onWire.byClock(-aheadNanos, errorNanos(now), age), now);
        }
      }
    }
  }
}
