package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.it.command.AgentProcess.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Agent processes with faults from a seed: kills, freezes, restarts and cuts. At most half of the
 * agents are down at a time. For one thread.
 */
final class ChaoticCluster implements AutoCloseable {
  private static final int MAX_PAUSE_MILLIS = 3_000;

  private enum Action {
    KILL,
    FREEZE,
    RESTORE,
    CUT,
    HEAL
  }

  private final Path directory;
  private final List<Place> places;
  private final long seed;
  private final Random random;
  private final SortedMap<Integer, AgentProcess> running = new TreeMap<>();
  private final SortedSet<Integer> frozen = new TreeSet<>();
  private final List<String> happened = new ArrayList<>();

  /** Starts an agent at each place. */
  ChaoticCluster(Path directory, List<Place> places, long seed) throws IOException {
    this.directory = directory;
    this.places = places;
    this.seed = seed;
    this.random = new Random(seed);
    for (int agent = 0; agent < places.size(); agent++) {
      start(agent);
    }
  }

  private void start(int agent) throws IOException {
    running.put(agent, AgentProcess.start(directory, places.get(agent), places, "--allow-faults"));
  }

  /** Injects one fault after another for a time. */
  void run(Duration time) throws Exception {
    long endNanos = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < endNanos) {
      act();
      long nextNanos = System.nanoTime() + 1_000_000L * random.nextInt(MAX_PAUSE_MILLIS);
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofMinutes(1))
          .until(() -> System.nanoTime() >= nextNanos);
    }
  }

  private void act() throws Exception {
    int agent = random.nextInt(places.size());
    int other = (agent + 1 + random.nextInt(places.size() - 1)) % places.size();
    Action action = Action.values()[random.nextInt(Action.values().length)];
    AgentProcess process = running.get(agent);
    boolean isUp = process != null && !frozen.contains(agent);
    boolean mayFall = running.size() - frozen.size() > (places.size() + 1) / 2;
    switch (action) {
      case KILL -> {
        if (isUp && mayFall) {
          note("kill", agent);
          kill(agent);
        }
      }
      case FREEZE -> {
        if (isUp && mayFall) {
          note("freeze", agent);
          up(agent).signal("STOP");
          frozen.add(agent);
        }
      }
      case RESTORE -> restore(agent);
      case CUT -> {
        if (isUp) {
          note("cut", agent, other);
          // The other end may be down, and then does not receive the command.
          fault("cut", places.get(agent).id() + "-" + places.get(other).id(), agent);
        }
      }
      case HEAL -> {
        if (isUp) {
          note("heal", agent);
          heal(agent);
        }
      }
    }
  }

  private AgentProcess up(int agent) {
    return Objects.requireNonNull(running.get(agent), () -> places.get(agent).id() + " is down");
  }

  private void kill(int agent) {
    AgentProcess process = running.remove(agent);
    if (process != null) {
      process.close();
    }
  }

  private void restore(int agent) throws Exception {
    AgentProcess process = running.get(agent);
    if (process == null) {
      note("restart", agent);
      start(agent);
    } else if (frozen.remove(agent)) {
      note("thaw", agent);
      process.signal("CONT");
    }
  }

  private void fault(String what, String link, int agent) throws Exception {
    var unused =
        TreecastProcess.run(
            directory, List.of("fault", what, link, "--agent", places.get(agent).listen()));
  }

  private void heal(int agent) throws Exception {
    var unused =
        TreecastProcess.run(
            directory, List.of("fault", "heal", "--agent", places.get(agent).listen()));
  }

  private void note(String action, int... agents) {
    List<String> ids = new ArrayList<>();
    for (int agent : agents) {
      ids.add(places.get(agent).id());
    }
    happened.add(action + " " + String.join("-", ids));
  }

  /** Resumes, restarts and heals all agents and links. */
  void restoreAll() throws Exception {
    for (int agent = 0; agent < places.size(); agent++) {
      restore(agent);
    }
    assertThat(happened).as("what has happened").isNotEmpty();
    for (int agent = 0; agent < places.size(); agent++) {
      up(agent).awaitUp();
    }
    heal(0);
  }

  /** Waits until all agents have the same tree of all of them. */
  void awaitTreeOfAll(Duration limit) {
    await()
        .atMost(limit)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              JsonNode first = tree(0);
              assertThat(first).as("%s", this).hasSize(places.size() - 1);
              for (int agent = 1; agent < places.size(); agent++) {
                assertThat(tree(agent)).as("%s", this).isEqualTo(first);
              }
            });
  }

  private JsonNode tree(int agent) throws IOException, InterruptedException {
    AgentProcess process = up(agent);
    JsonNode edges = process.tree().get("tree");
    assertThat(edges).as("the tree of %s", process).isNotNull();
    return edges;
  }

  @Override
  public void close() {
    running.values().forEach(AgentProcess::close);
  }

  /** Returns the cluster with its faults, for failures. */
  @Override
  public String toString() {
    return "seed " + seed + ": " + String.join(", ", happened) + "; " + running.values();
  }
}
