package io.treecast.jobs.schedule;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.SimAgent;
import io.treecast.testkit.sim.SimCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Members with one worker each, whose messages are broadcasts of simulated agents on the topics of
 * jobs. Time passes in steps of a millisecond.
 */
final class JobsOnAgents {
  private static final long MILLI = 1_000_000;
  private static final long TIMEOUT_NANOS = 5_000 * MILLI;
  private static final long WORK_NANOS = 5 * MILLI;
  private static final String TOPIC = "jobs/sum";

  final SimCluster cluster;
  private final IntFunction<String> siteOf;
  private final Map<Integer, Node> nodes = new TreeMap<>();
  private final List<Sent> underWay = new ArrayList<>();

  /** A broadcast to so many members, and the lives that have handled it. */
  private record Sent(
      MessageId id,
      String from,
      Object message,
      int receivers,
      long sentNanos,
      Set<Incarnation> handled) {
    boolean isOver(long nowNanos) {
      return handled.size() == receivers || nowNanos - sentNanos > 2 * TIMEOUT_NANOS;
    }
  }

  /** A request as it is broadcast. */
  private record Asked(long number, Request<Long> request) {}

  /** Its reply. */
  private record Answered(long number, Reply<Branch> reply) {}

  /** A request without a reply. */
  private record Pending(String member, Request<Long> request, long untilNanos) {}

  JobsOnAgents(Topology topology, long seed, IntFunction<String> siteOf) {
    this.cluster = new SimCluster(topology, seed);
    this.siteOf = siteOf;
  }

  /** Starts the members, when all agents have one tree; returns whether they have. */
  boolean start() {
    if (!cluster.runUntilReady(60_000)) {
      return false;
    }
    for (SimAgent agent : cluster.agents()) {
      cluster.subscribe(agent.node(), TOPIC);
      cluster.subscribe(agent.node(), TOPIC + "/" + agent.node());
      nodes.put(agent.node(), new Node(agent));
    }
    return true;
  }

  Node node(int number) {
    return nodes.computeIfAbsent(
        number,
        missing -> {
          throw new IllegalArgumentException("no member " + missing);
        });
  }

  /** The agent of a member crashes, and its program with it. */
  void crash(int number) {
    cluster.crash(number);
    nodes.remove(number);
  }

  /** Returns whether the condition came true in that time. */
  boolean runUntil(BooleanSupplier condition, long millis) {
    for (long passed = 0; passed < millis && !condition.getAsBoolean(); passed++) {
      cluster.runUntil(() -> false, 1);
      deliver();
      List.copyOf(nodes.values()).forEach(Node::step);
    }
    return condition.getAsBoolean();
  }

  private void deliver() {
    for (Sent sent : List.copyOf(underWay)) {
      for (Incarnation incarnation : cluster.deliveries().deliveredNanos(sent.id()).keySet()) {
        Node node = nodes.get(incarnation.node());
        if (sent.handled().add(incarnation) && node != null) {
          node.received(sent.from(), sent.message());
        }
      }
    }
    underWay.removeIf(sent -> sent.isOver(cluster.nowNanos()));
  }

  /** A member: a scheduler at an agent. */
  final class Node implements Effects<Long> {
    private final SimAgent agent;
    private final String name;
    private final Scheduler<Branch, Long> scheduler;
    private final Map<Long, Pending> pending = new HashMap<>();
    final Map<JobId, Outcome<Long>> outcomes = new HashMap<>();
    private @Nullable CommittedTree tree;
    private @Nullable Work<Branch, Long> work;
    private long workDoneNanos;
    private long requests;

    private Node(SimAgent agent) {
      this.agent = agent;
      this.name = Integer.toString(agent.node());
      this.scheduler = new Scheduler<>(agent.node() + 1, 1, this);
    }

    JobId run(Branch task) {
      return scheduler.run(task, cluster.nowNanos());
    }

    Counts counts() {
      return scheduler.counts();
    }

    boolean isAtRest() {
      return scheduler.isAtRest();
    }

    private void step() {
      long now = cluster.nowNanos();
      CommittedTree present = agent.treeStatus().tree();
      if (present != null && !Objects.equals(present, tree)) {
        tree = present;
        SortedMap<String, String> sites = new TreeMap<>();
        present
            .members()
            .forEach(id -> sites.put(id.toString(), siteOf.apply(Integer.parseInt(id.toString()))));
        scheduler.present(name, sites, now);
      }
      for (Map.Entry<Long, Pending> each : Map.copyOf(pending).entrySet()) {
        if (each.getValue().untilNanos() <= now) {
          answered(each.getKey(), null);
        }
      }
      if (scheduler.nextTickNanos() <= now) {
        scheduler.tick(now);
      }
      Work<Branch, Long> done = work;
      if (done != null && workDoneNanos <= now) {
        work = null;
        finish(done, now);
      }
      if (work == null) {
        work = scheduler.next(now);
        workDoneNanos = now + WORK_NANOS;
      }
    }

    private void finish(Work<Branch, Long> done, long now) {
      Branch task = done.task();
      List<Long> results = done.results();
      if (results != null) {
        scheduler.solved(done, task.combine(results), now);
      } else if (task.isSmall(done.best().value())) {
        scheduler.solved(done, task.solve(), now);
      } else {
        scheduler.divided(done, task.divide(), now);
      }
    }

    @SuppressWarnings("unchecked") // Nodes broadcast nothing else.
    private void received(String from, Object message) {
      long now = cluster.nowNanos();
      if (message instanceof Announcement announcement && !from.equals(name)) {
        scheduler.announced(from, announcement, now);
      } else if (message instanceof Asked asked) {
        Reply<Branch> reply = scheduler.answer(from, asked.request(), now);
        if (!(asked.request() instanceof Request.Join)) {
          broadcast(TOPIC + "/" + from, new Answered(asked.number(), reply));
        }
      } else if (message instanceof Answered answer) {
        answered(answer.number(), answer.reply());
      }
    }

    private void answered(long number, @Nullable Reply<Branch> reply) {
      Pending request = pending.remove(number);
      if (request != null) {
        scheduler.answered(request.member(), request.request(), reply, cluster.nowNanos());
      }
    }

    /** A member without a tree sends nothing, and its requests end at their time. */
    private void broadcast(String topic, Object message) {
      if (agent.treeStatus().ready()) {
        MessageId id = cluster.broadcast(agent.node(), topic, ByteBuffer.allocate(50));
        int receivers = topic.equals(TOPIC) ? nodes.size() : 1;
        underWay.add(new Sent(id, name, message, receivers, cluster.nowNanos(), new HashSet<>()));
      }
    }

    @Override
    public void announce(Announcement announcement) {
      broadcast(TOPIC, announcement);
    }

    @Override
    public void request(String member, Request<Long> request) {
      requests++;
      if (!(request instanceof Request.Join)) {
        pending.put(requests, new Pending(member, request, cluster.nowNanos() + TIMEOUT_NANOS));
      }
      broadcast(TOPIC + "/" + member, new Asked(requests, request));
    }

    @Override
    public void complete(JobId job, Outcome<Long> outcome) {
      if (outcomes.put(job, outcome) != null) {
        throw new IllegalStateException("a job ended twice");
      }
    }

    @Override
    public void wakeWorkers() {
      // All are asked in each step.
    }
  }
}
