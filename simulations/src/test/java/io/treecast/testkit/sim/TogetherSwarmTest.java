package io.treecast.testkit.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.Labels;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.clock.RootTime;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.values.Entry;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Labels, shared values, groups, the clock and messages to selected members, all at once, while
 * parts of the network are cut off and agents restart. At rest, the guarantees of all of them hold.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class TogetherSwarmTest {
  private static final long DEFAULT_SEEDS = 6;
  private static final int NODES = 7;
  private static final int STEPS = 30;
  private static final long MAX_READY_MILLIS = 600_000;

  /**
   * Time until views and times have settled, longer than the retention of entries of departed
   * members.
   */
  private static final long SETTLED_MILLIS = 60_000;

  private static final MapName LABELS = new MapName(Rule.LATEST, Labels.MAP);
  private static final MapName ROUTES = new MapName(Rule.LATEST, "routes");
  private static final GroupPath PART = new GroupPath("trainers/west");
  private static final GroupPath WHOLE = new GroupPath("trainers");

  @Test
  void labels_values_groups_clock_and_selections_hold_together_after_partitions_and_restarts() {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      Random random = new Random(seed);
      try (SimCluster cluster =
          new SimCluster(
              OverlaySwarmTest.complete(NODES, random), seed, random, SimSettings.DEFAULT)) {
        new Run(cluster, seed, random).run();
      }
    }
  }

  private static final class Run {
    private final SimCluster cluster;
    private final long seed;
    private final Random random;

    /** The label of each agent's application in its present incarnation. */
    private final Map<Integer, String> labels = new TreeMap<>();

    private final Set<Integer> joined = new TreeSet<>();

    /** The last write of each key, by number. */
    private final Map<String, Integer> written = new TreeMap<>();

    private int selected;
    private int writes;

    Run(SimCluster cluster, long seed, Random random) {
      this.cluster = cluster;
      this.seed = seed;
      this.random = random;
    }

    void run() {
      assertThat(cluster.runUntilReady(MAX_READY_MILLIS)).as("seed %d", seed).isTrue();
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(3) == 0) {
          breakSomething();
        } else {
          use(random.nextInt(NODES));
        }
        cluster.runUntil(() -> false, random.nextInt(3_000));
      }
      cluster.links().heal();
      assertThat(cluster.runUntilReady(MAX_READY_MILLIS)).as("seed %d", seed).isTrue();
      cluster.runUntil(() -> false, SETTLED_MILLIS);
      for (int node = 0; node < NODES; node++) {
        checkLabels(node);
        checkGroups(node);
        checkClock(node);
        checkValues(node);
      }
      assertThat(BroadcastVerdict.of(cluster).lost()).as("seed %d", seed).isEmpty();
      assertThat(BroadcastVerdict.of(cluster).duplicated()).isZero();
      assertThat(cluster.deliveries().broadcasts()).hasSizeGreaterThanOrEqualTo(selected);
    }

    private SimAgent agent(int node) {
      return cluster.agents().stream()
          .filter(each -> each.node() == node)
          .findFirst()
          .orElseThrow();
    }

    // Actions of applications.

    private void use(int node) {
      switch (random.nextInt(5)) {
        case 0 -> label(node);
        case 1 -> put(node);
        case 2 -> {
          if (joined.add(node)) {
            agent(node).group(groups -> assertThat(groups.join(PART)).isTrue());
          }
        }
        case 3 -> {
          if (joined.remove(node)) {
            agent(node).group(groups -> groups.leave(PART));
          }
        }
        default -> select(node);
      }
    }

    private void label(int node) {
      String value = "v" + ++writes;
      labels.put(node, value);
      var unused =
          agent(node)
              .values(
                  (values, now) -> {
                    values.release(node, now);
                    return values.hold(node, LABELS, node + "/fw", bytes(value), now);
                  });
    }

    private void put(int node) {
      String key = "k" + random.nextInt(3);
      written.put(key, ++writes);
      var unused =
          agent(node).values((values, now) -> values.put(ROUTES, key, bytes("v" + writes), now));
    }

    private static ByteBuffer bytes(String text) {
      return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private void select(int node) {
      if (!agent(node).treeStatus().ready()) {
        return;
      }
      TreeSet<NodeId> receivers = new TreeSet<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        receivers.add(SimSettings.id(random.nextInt(NODES)));
      }
      var unused = cluster.broadcast(node, Topic.to(receivers), bytes("to " + receivers), 0);
      selected++;
    }

    // Faults.

    private void breakSomething() {
      int node = random.nextInt(NODES);
      switch (random.nextInt(4)) {
        case 0 -> {
          for (int other = 0; other < NODES; other++) {
            if (other != node && random.nextInt(4) > 0) {
              cluster.links().cut(node, other);
            }
          }
        }
        case 1 -> cluster.links().heal();
        case 2 -> cluster.links().reset(node, (node + 1) % NODES);
        default -> {
          cluster.crash(node);
          labels.remove(node);
          joined.remove(node);
          cluster.restart(node);
        }
      }
    }

    // Guarantees at rest.

    private CommittedTree tree(int node) {
      CommittedTree tree = Objects.requireNonNull(agent(node).treeStatus().tree());
      assertThat(tree.members()).as("seed %d", seed).hasSize(NODES);
      return tree;
    }

    private void checkLabels(int node) {
      Map<String, String> seen = texts(node, LABELS);
      Map<String, String> expected = new TreeMap<>();
      labels.forEach((member, value) -> expected.put(member + "/fw", value));
      assertThat(seen).as("seed %d: labels at %d", seed, node).isEqualTo(expected);
    }

    /** Checks that each key has the same written value at all members. */
    private void checkValues(int node) {
      Map<String, String> seen = texts(node, ROUTES);
      assertThat(seen).as("seed %d: values at %d", seed, node).isEqualTo(texts(0, ROUTES));
      assertThat(written.keySet()).containsAll(seen.keySet());
    }

    private Map<String, String> texts(int node, MapName map) {
      Map<String, String> texts = new TreeMap<>();
      for (Entry entry : agent(node).values((values, now) -> values.read(map))) {
        texts.put(entry.key(), UTF_8.decode(entry.content().duplicate()).toString());
      }
      return texts;
    }

    private void checkGroups(int node) {
      Set<NodeId> members = new TreeSet<>();
      joined.forEach(member -> members.add(SimSettings.id(member)));
      for (GroupPath path : List.of(PART, WHOLE)) {
        if (joined.contains(node)) {
          GroupView view = Objects.requireNonNull(view(node, path));
          assertThat(view.members())
              .as("seed %d: view of %s at %d", seed, path, node)
              .isEqualTo(members);
          assertThat(view.id().epoch()).isEqualTo(TreeEpoch.of(tree(node)));
        }
      }
    }

    private @Nullable GroupView view(int node, GroupPath path) {
      List<GroupView> found = new ArrayList<>();
      agent(node)
          .group(
              groups -> {
                GroupView view = groups.view(path);
                if (view != null) {
                  found.add(view);
                }
              });
      return found.isEmpty() ? null : found.get(0);
    }

    /** Checks the root's time; the wall clock of each simulated machine is the virtual time. */
    private void checkClock(int node) {
      RootTime time = Objects.requireNonNull(agent(node).rootTime());
      assertThat(time.epoch())
          .as("seed %d: epoch at %d", seed, node)
          .isEqualTo(TreeEpoch.of(tree(node)));
      assertThat(Math.abs(time.rootNanos() - cluster.nowNanos()))
          .as("seed %d: time at %d: %s", seed, node, time)
          .isLessThanOrEqualTo(time.errorNanos());
    }
  }
}
