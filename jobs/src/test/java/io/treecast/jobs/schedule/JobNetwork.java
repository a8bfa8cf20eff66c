package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Members with schedulers and workers in virtual time. A message takes the one-way time between its
 * ends, and may be lost; a request without a reply ends after five seconds.
 */
public final class JobNetwork {
  /** As in reality. */
  static final long TIMEOUT_NANOS = 5_000_000_000L;

  final List<Node> nodes = new ArrayList<>();
  private final int[] trueSite;
  private final LongMatrix oneWayNanos;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private long numbers;
  long nowNanos;

  /** The part of the network that each node is in. */
  final int[] part;

  /** Whether the message that is sent now is lost. */
  Loss loss = () -> false;

  /** By how much more than the one-way time the message that is sent now is late. */
  LongSupplier lateNanos = () -> 0;

  /** How long a node computes on a piece of work. */
  WorkTime workNanos = (node, work) -> 10_000_000;

  /** The first breach of a rule. */
  String broken = "";

  /** The size of a message. */
  ToLongFunction<Object> bytes = message -> 0;

  long messages;
  long messagesBetweenSites;
  long tasksBetweenSites;
  long bytesBetweenSites;
  long lastSentNanos;
  long lastWorkNanos;

  /** One-way times. */
  interface LongMatrix {
    long between(int from, int to);
  }

  /** Decides about a message. */
  interface Loss {
    boolean next();
  }

  /** The time of a piece of work. */
  interface WorkTime {
    long of(int node, Work<Branch, Long> work);
  }

  private record Event(long atNanos, long number, Runnable action) {}

  JobNetwork(int[] trueSite, LongMatrix oneWayNanos) {
    this.trueSite = trueSite.clone();
    this.oneWayNanos = oneWayNanos;
    this.part = new int[trueSite.length];
    for (int node = 0; node < trueSite.length; node++) {
      nodes.add(new Node(node));
    }
  }

  static String name(int node) {
    return "m" + node;
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(1));
  }

  void at(long nanos, Runnable action) {
    numbers++;
    events.add(new Event(nanos, numbers, action));
  }

  /** Runs until nothing is left to do, a rule is broken, or the time is over. */
  void run(long untilNanos) {
    while (broken.isEmpty() && !events.isEmpty() && events.element().atNanos() <= untilNanos) {
      Event event = events.remove();
      nowNanos = Math.max(nowNanos, event.atNanos());
      event.action().run();
    }
  }

  /** Runs until a job has ended at its owner. */
  void runUntilEnded(int owner, JobId job) {
    while (broken.isEmpty() && !nodes.get(owner).outcomes.containsKey(job)) {
      run(events.element().atNanos());
    }
    if (!broken.isEmpty()) {
      throw new IllegalStateException(broken);
    }
  }

  void breaks(String rule) {
    if (broken.isEmpty()) {
      broken = rule + " at " + nowNanos / 1_000_000 + " ms";
    }
  }

  private void count(int from, int to, Object message) {
    messages++;
    lastSentNanos = nowNanos;
    if (trueSite[from] != trueSite[to]) {
      messagesBetweenSites++;
      bytesBetweenSites += bytes.applyAsLong(message);
      if (message instanceof Reply.Lent) {
        tasksBetweenSites++;
      }
    }
  }

  private boolean reaches(int from, int to) {
    return part[from] == part[to] && nodes.get(to).isRunning;
  }

  /** Tells each running member whom it can reach. */
  void tellMembers(IntToSite site) {
    for (Node node : nodes) {
      if (node.isRunning) {
        SortedMap<String, String> siteOf = new TreeMap<>();
        for (Node other : nodes) {
          // The agent of a program that crashed may still be there.
          if (part[node.number] == part[other.number] && other.hasAgent) {
            siteOf.put(name(other.number), site.of(other.number));
          }
        }
        node.scheduler().present(name(node.number), siteOf, nowNanos);
        node.work();
      }
    }
  }

  /** The site of a node, as members know it. */
  interface IntToSite {
    String of(int node);
  }

  /** A member: a scheduler with workers, until it crashes. */
  final class Node implements Effects<Long> {
    final int number;
    boolean isRunning;
    boolean hasAgent;
    private int workers;
    long incarnation;
    private int idle;
    private int life;
    private long tickAtNanos;
    private @Nullable Scheduler<Branch, Long> scheduler;
    final Map<JobId, Outcome<Long>> outcomes = new HashMap<>();
    long computedNanos;
    long solvedHere;
    private final Map<Boolean, Integer> stealsUnderWay = new HashMap<>();

    private Node(int number) {
      this.number = number;
    }

    Scheduler<Branch, Long> scheduler() {
      if (scheduler == null) {
        throw new IllegalStateException(name(number) + " was never started");
      }
      return scheduler;
    }

    void start(long newIncarnation, int newWorkers) {
      isRunning = true;
      hasAgent = true;
      life++;
      incarnation = newIncarnation;
      workers = newWorkers;
      idle = newWorkers;
      tickAtNanos = Long.MAX_VALUE;
      stealsUnderWay.clear();
      scheduler = new Scheduler<>(newIncarnation, workers, this);
    }

    void crash(boolean withAgent) {
      isRunning = false;
      hasAgent = !withAgent;
      life++;
    }

    JobId runJob(Branch task) {
      JobId job = scheduler().run(task, nowNanos);
      work();
      return job;
    }

    /** Gives work to idle workers, and sees to the next tick. */
    void work() {
      int thisLife = life;
      while (idle > 0 && isRunning) {
        Work<Branch, Long> next = scheduler().next(nowNanos);
        if (next == null) {
          break;
        }
        idle--;
        lastWorkNanos = nowNanos;
        long nanos = workNanos.of(number, next);
        computedNanos += nanos;
        at(nowNanos + nanos, () -> whileAlive(thisLife, () -> done(next)));
      }
      long tick = Math.max(nowNanos + 1, scheduler().nextTickNanos());
      if (isRunning && scheduler().nextTickNanos() != Long.MAX_VALUE && tick < tickAtNanos) {
        tickAtNanos = tick;
        at(tick, () -> whileAlive(thisLife, () -> tick(tick)));
      }
    }

    private void tick(long atNanos) {
      if (tickAtNanos == atNanos) {
        tickAtNanos = Long.MAX_VALUE;
        scheduler().tick(nowNanos);
      }
    }

    private void whileAlive(int thisLife, Runnable action) {
      if (life == thisLife && isRunning) {
        action.run();
        work();
      }
    }

    private void done(Work<Branch, Long> work) {
      idle++;
      Branch task = work.task();
      List<Long> results = work.results();
      if (results != null) {
        scheduler().solved(work, task.combine(results), nowNanos);
      } else if (task.isSmall(work.best().value())) {
        solvedHere++;
        long result = task.solve();
        if (task.isSearch() && result != BestValue.NONE) {
          scheduler().offer(work.job(), result, nowNanos);
        }
        scheduler().solved(work, result, nowNanos);
      } else {
        scheduler().divided(work, task.divide(), nowNanos);
      }
    }

    @Override
    public void announce(Announcement announcement) {
      for (Node other : nodes) {
        if (other != this && reaches(number, other.number)) {
          count(number, other.number, announcement);
          int otherLife = other.life;
          if (!loss.next()) {
            at(
                nowNanos + oneWayNanos.between(number, other.number) + lateNanos.getAsLong(),
                () ->
                    other.whileAlive(
                        otherLife,
                        () -> other.scheduler().announced(name(number), announcement, nowNanos)));
          }
        }
      }
    }

    @Override
    public void request(String member, Request<Long> request) {
      int to = number(member);
      int thisLife = life;
      count(number, to, request);
      boolean isSteal = request instanceof Request.Steal;
      boolean isBetweenSites = trueSite[number] != trueSite[to];
      if (isSteal && stealsUnderWay.merge(isBetweenSites, 1, Integer::sum) > maxSteals) {
        breaks("too many steals are under way");
      }
      boolean[] isAnswered = new boolean[1];
      boolean hasReply = !(request instanceof Request.Join);
      if (hasReply) {
        at(nowNanos + TIMEOUT_NANOS, () -> answered(thisLife, member, request, null, isAnswered));
      }
      if (!reaches(number, to) || loss.next()) {
        return;
      }
      Node other = nodes.get(to);
      int otherLife = other.life;
      long delay = oneWayNanos.between(number, to);
      at(
          nowNanos + delay + lateNanos.getAsLong(),
          () ->
              other.whileAlive(
                  otherLife,
                  () -> {
                    Reply<Branch> reply = other.scheduler().answer(name(number), request, nowNanos);
                    if (hasReply && reaches(to, number)) {
                      count(to, number, reply);
                      if (!loss.next()) {
                        at(
                            nowNanos + delay + lateNanos.getAsLong(),
                            () -> answered(thisLife, member, request, reply, isAnswered));
                      }
                    }
                  }));
    }

    private void answered(
        int thisLife,
        String member,
        Request<Long> request,
        @Nullable Reply<Branch> reply,
        boolean[] isAnswered) {
      if (isAnswered[0]) {
        return;
      }
      isAnswered[0] = true;
      whileAlive(
          thisLife,
          () -> {
            if (request instanceof Request.Steal) {
              stealsUnderWay.merge(trueSite[number] != trueSite[number(member)], -1, Integer::sum);
            }
            scheduler().answered(member, request, reply, nowNanos);
          });
    }

    @Override
    public void complete(JobId job, Outcome<Long> outcome) {
      if (outcomes.put(job, outcome) != null) {
        breaks("a job ended twice");
      }
    }

    @Override
    public void wakeWorkers() {
      // All are asked after each event.
    }
  }

  /** Steals in one site, or between sites, that a member may have under way. */
  int maxSteals = 1;
}
