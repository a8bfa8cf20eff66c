package io.treecast.testkit.schedule;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.schedule.Schedule.Step;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random scenarios. A seed gives the same scenario on every machine. Each seed has its own mix and
 * rate of events, so that an event is rare with one seed and frequent with another. At the end no
 * link loses messages and no agent is paused, so that the cluster can come to rest; links may
 * remain cut, and agents crashed.
 */
public final class RandomScenarios {
  /** The kinds of random events, each with a weight in the mix of a seed. */
  private enum Kind {
    RTT,
    CUT,
    ONE_WAY,
    UP,
    LOSS,
    RESET,
    CRASH,
    RESTART,
    PAUSE,
    RESUME,
    PARTITION,
    HEAL,
    LEAVE,
    SUBSCRIBE,
    UNSUBSCRIBE,
    BROADCAST,
    RESTART_ALL
  }

  /** The weight of a restart of all nodes, relative to events of one node. */
  private static final double RESTART_ALL_WEIGHT = 0.15;

  private static final int LONGEST_RTT_MILLIS = 1_000;

  /** The topics beside the default topic. */
  private static final List<String> TOPICS = List.of("t", "u");

  private static final int MAX_PAYLOAD_BYTES = 150_000;
  private static final long[] MEAN_GAP_MILLIS = {30, 300, 2_000, 8_000};

  private final Random random;
  private final Topology topology;
  private final List<Step> steps = new ArrayList<>();
  private final Set<Integer> running = new TreeSet<>();
  private final Set<Integer> paused = new TreeSet<>();
  private final boolean ties;

  private RandomScenarios(Random random, Topology topology, boolean ties) {
    this.random = random;
    this.topology = topology;
    this.ties = ties;
    for (int node = 0; node < topology.nodes(); node++) {
      running.add(node);
    }
  }

  /**
   * Returns a scenario with a dense or sparse network, not always connected, and events, both up to
   * given sizes.
   */
  public static Scenario draw(long seed, int maxNodes, int maxEvents) {
    Random random = new Random(seed);
    boolean ties = random.nextBoolean();
    Topology topology = topology(random, 1 + random.nextInt(maxNodes), ties);
    return new RandomScenarios(random, topology, ties).draw(random.nextInt(maxEvents + 1));
  }

  /** Returns a scenario with a number of events on a given network. */
  public static Scenario draw(long seed, Topology topology, int events) {
    return new RandomScenarios(new Random(seed), topology, false).draw(events);
  }

  private static Topology topology(Random random, int nodes, boolean ties) {
    double density = random.nextInt(3) == 0 ? 1 : random.nextDouble();
    List<Link> links = new ArrayList<>();
    for (int one = 0; one < nodes; one++) {
      for (int other = 0; other < one; other++) {
        if (random.nextDouble() < density) {
          links.add(Link.between(one, other, rttMicros(random, ties)));
        }
      }
    }
    return Topology.of(nodes, links);
  }

  /**
   * Returns a random round trip: with ties one of three values, otherwise any over three orders of
   * magnitude.
   */
  private static long rttMicros(Random random, boolean ties) {
    if (ties) {
      return 1_000L * (1 + random.nextInt(3));
    }
    int most = random.nextBoolean() ? LONGEST_RTT_MILLIS : 3;
    return 1_000L * (1 + random.nextInt(most));
  }

  private Scenario draw(int events) {
    Map<Kind, Double> weights = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      weights.put(kind, random.nextInt(3) == 0 ? 0 : random.nextDouble());
    }
    weights.computeIfPresent(Kind.RESTART_ALL, (kind, weight) -> weight * RESTART_ALL_WEIGHT);
    // A run without broadcasts would test little.
    weights.put(Kind.BROADCAST, 0.5 + random.nextDouble());
    long meanGapMillis = MEAN_GAP_MILLIS[random.nextInt(MEAN_GAP_MILLIS.length)];
    long atMillis = 0;
    for (int i = 0; i < events; i++) {
      atMillis += Math.round(-Math.log(1 - random.nextDouble()) * meanGapMillis);
      draw(kind(weights), atMillis);
    }
    atMillis += 1_000;
    for (int node : new TreeSet<>(paused)) {
      add(atMillis, new ScheduleEvent.Resume(node));
    }
    if (random.nextBoolean()) {
      add(atMillis, new ScheduleEvent.Heal());
    } else {
      endLoss(atMillis);
    }
    return new Scenario(topology, new Schedule("drawn at random", steps));
  }

  private Kind kind(Map<Kind, Double> weights) {
    double at =
        random.nextDouble() * weights.values().stream().mapToDouble(Double::doubleValue).sum();
    for (Map.Entry<Kind, Double> weight : weights.entrySet()) {
      at -= weight.getValue();
      if (at < 0) {
        return weight.getKey();
      }
    }
    return Kind.BROADCAST;
  }

  private void draw(Kind kind, long atMillis) {
    switch (kind) {
      case RTT, CUT, ONE_WAY, UP, LOSS, RESET -> drawOfLink(kind, atMillis);
      case PARTITION -> drawPartition(atMillis);
      case HEAL -> add(atMillis, new ScheduleEvent.Heal());
      case RESTART_ALL -> restartAll(atMillis);
      case CRASH, RESTART, PAUSE, RESUME, LEAVE, SUBSCRIBE, UNSUBSCRIBE, BROADCAST ->
          drawOfNode(kind, atMillis);
    }
  }

  private void drawOfLink(Kind kind, long atMillis) {
    if (topology.links().isEmpty()) {
      return;
    }
    Link link = topology.links().get(random.nextInt(topology.links().size()));
    int one = random.nextBoolean() ? link.low() : link.high();
    int other = one == link.low() ? link.high() : link.low();
    add(
        atMillis,
        switch (kind) {
          case RTT ->
              new ScheduleEvent.Rtt(
                  one, other, BigDecimal.valueOf(rttMicros(random, ties) / 1_000));
          case CUT -> new ScheduleEvent.Down(one, other);
          case ONE_WAY -> new ScheduleEvent.OneWay(one, other);
          case UP -> new ScheduleEvent.Up(one, other);
          case LOSS ->
              new ScheduleEvent.Loss(one, other, BigDecimal.valueOf(5 + random.nextInt(25)));
          default -> new ScheduleEvent.Reset(one, other);
        });
  }

  /** Crashes all running nodes, then restarts them. */
  private void restartAll(long atMillis) {
    running.forEach(node -> add(atMillis, new ScheduleEvent.Crash(node)));
    running.forEach(node -> add(atMillis, new ScheduleEvent.Restart(node)));
    paused.clear();
  }

  private void drawPartition(long atMillis) {
    if (topology.nodes() < 2) {
      return;
    }
    List<Integer> nodes = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      nodes.add(node);
    }
    Collections.shuffle(nodes, random);
    int first = 1 + random.nextInt(nodes.size() - 1);
    add(
        atMillis,
        new ScheduleEvent.Partition(
            List.of(
                NodeGroup.of(nodes.subList(0, first)),
                NodeGroup.of(nodes.subList(first, nodes.size())))));
  }

  private void drawOfNode(Kind kind, long atMillis) {
    int node = random.nextInt(topology.nodes());
    boolean runs = running.contains(node);
    boolean isPaused = paused.contains(node);
    if (kind == Kind.CRASH && runs) {
      running.remove(node);
      paused.remove(node);
      add(atMillis, new ScheduleEvent.Crash(node));
    } else if (kind == Kind.LEAVE && runs && !isPaused) {
      running.remove(node);
      add(atMillis, new ScheduleEvent.Leave(node));
    } else if (kind == Kind.RESTART && !runs) {
      running.add(node);
      add(atMillis, new ScheduleEvent.Restart(node));
    } else if (kind == Kind.PAUSE && runs && !isPaused) {
      paused.add(node);
      add(atMillis, new ScheduleEvent.Pause(node));
    } else if (kind == Kind.RESUME && isPaused) {
      paused.remove(node);
      add(atMillis, new ScheduleEvent.Resume(node));
    } else if (kind == Kind.SUBSCRIBE) {
      add(atMillis, new ScheduleEvent.Subscribe(node, TOPICS.get(random.nextInt(TOPICS.size()))));
    } else if (kind == Kind.UNSUBSCRIBE) {
      add(atMillis, new ScheduleEvent.Unsubscribe(node, TOPICS.get(random.nextInt(TOPICS.size()))));
    } else if (kind == Kind.BROADCAST) {
      int bytes = random.nextInt(4) == 0 ? random.nextInt(MAX_PAYLOAD_BYTES) : random.nextInt(100);
      add(atMillis, new ScheduleEvent.Broadcast(node, bytes, topic()));
    }
  }

  private String topic() {
    return random.nextBoolean() ? Topic.DEFAULT : TOPICS.get(random.nextInt(TOPICS.size()));
  }

  private void endLoss(long atMillis) {
    Set<String> ended = new TreeSet<>();
    for (Step step : List.copyOf(steps)) {
      if (step.event() instanceof ScheduleEvent.Loss loss
          && ended.add(
              Math.min(loss.one(), loss.other()) + "-" + Math.max(loss.one(), loss.other()))) {
        add(atMillis, new ScheduleEvent.Loss(loss.one(), loss.other(), BigDecimal.ZERO));
      }
    }
  }

  private void add(long atMillis, ScheduleEvent event) {
    steps.add(new Step(atMillis, event, steps.size() + 1));
  }
}
