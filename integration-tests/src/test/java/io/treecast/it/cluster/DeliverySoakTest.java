package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.ghs.LinkWeight;
import io.treecast.it.cluster.ContinuousAudience.Stream;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.ReferenceNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The reference network as real agents, with its latencies, while four of them publish fifty
 * messages a second each for minutes, and weights change, links are cut, agents are killed, frozen
 * and restarted. No application may lose, get twice or out of order what any surviving member has.
 *
 * <p>A seed decides what happens when; what the agents make of it depends on the machine. The
 * summary on the standard output has the longest silences, which no assertion is about.
 */
@Tag("chaos")
class DeliverySoakTest {
  private static final List<Integer> ORIGINS = List.of(0, 5, 12, 23);
  private static final int PUBLISH_EVERY_MILLIS = 20;
  private static final int PAYLOAD_BYTES = 100;
  private static final Duration SETTLING = Duration.ofMinutes(3);
  private static final long SEED = Long.getLong("treecast.seed", 1);
  private static final long SECONDS = Long.getLong("treecast.soak.seconds", 300);
  private static final int MOST_DOWN = 6;

  private final Random random = new Random(SEED);
  private final List<Treecast> clients = new ArrayList<>();
  private final List<ContinuousAudience> audiences = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final ScheduledExecutorService publishers = Executors.newScheduledThreadPool(2);
  private LocalCluster cluster;

  @BeforeEach
  void start() throws ConfigException {
    cluster = LocalCluster.start(ReferenceNetwork.topology(), LocalCluster.Settings.DEFAULT);
    assertThat(cluster.runUntilReady(SETTLING.toMillis())).isTrue();
    List<Subscription> subscriptions = new ArrayList<>();
    for (int node = 0; node < cluster.topology().nodes(); node++) {
      Treecast client = Treecast.connect(cluster.agent(node).address().toString());
      ContinuousAudience audience = new ContinuousAudience(node);
      clients.add(client);
      audiences.add(audience);
      subscriptions.add(client.subscribe(audience));
    }
    subscriptions.forEach(subscription -> subscription.ready().join());
  }

  @AfterEach
  void stop() {
    publishers.shutdownNow();
    clients.forEach(Treecast::close);
    cluster.close();
  }

  @Test
  @Timeout(1_200)
  void nothingIsLostDoubledOrReordered() {
    for (int origin : ORIGINS) {
      var unused =
          publishers.scheduleAtFixedRate(
              () -> publish(origin), 0, PUBLISH_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
    during(SECONDS / 5, 2_000, this::changeAWeight);
    String whileWeightsChanged = longestSilence();
    during(SECONDS / 5, 20_000, this::cutATreeEdgeOrHeal);
    String whileEdgesWereCut = longestSilence();
    during(3 * SECONDS / 5, 2_000, this::anyFault);
    restoreAll();
    publishers.shutdown();
    assertThat(cluster.runUntilAtRest(SETTLING.toMillis())).as("%s", happened).isTrue();
    await().atMost(SETTLING).untilAsserted(this::assertAllHaveTheSame);

    System.out.printf(
        Locale.ROOT,
        "seed %d: %d broadcasts accepted, %d refused; %d deliveries, %d missed and named, %d interruptions;"
            + " longest silence of an origin at any member: %s while weights changed, %s while tree edges were cut;"
            + " %d faults%n",
        SEED,
        accepted.sum(),
        refused.sum(),
        audiences.stream().mapToLong(ContinuousAudience::delivered).sum(),
        audiences.stream().mapToLong(ContinuousAudience::missedMessages).sum(),
        audiences.stream().mapToLong(ContinuousAudience::interruptions).sum(),
        whileWeightsChanged,
        whileEdgesWereCut,
        happened.size());
  }

  private void publish(int origin) {
    var unused =
        clients
            .get(origin)
            .broadcast(new byte[PAYLOAD_BYTES], Duration.ofSeconds(5))
            .whenComplete((result, error) -> (error == null ? accepted : refused).increment());
  }

  /**
   * All have what anybody has; but of an origin that crashed, its own application may have got the
   * last message before any other agent did.
   */
  private void assertAllHaveTheSame() {
    Map<Stream, Long> furthest = new TreeMap<>();
    for (int node = 0; node < audiences.size(); node++) {
      for (Map.Entry<Stream, Long> last : audiences.get(node).last().entrySet()) {
        if (!isOfCrashed(last.getKey(), node)) {
          furthest.merge(last.getKey(), last.getValue(), Math::max);
        }
      }
    }
    for (int node = 0; node < audiences.size(); node++) {
      int self = node;
      ContinuousAudience audience = audiences.get(node);
      Map<Stream, Long> last = new TreeMap<>(audience.last());
      last.replaceAll(
          (id, number) ->
              isOfCrashed(id, self) ? Math.min(number, furthest.getOrDefault(id, 0L)) : number);
      last.values().removeIf(number -> number == 0);
      assertThat(audience.problems()).as("node %s; %s", node, happened).isEmpty();
      assertThat(last).as("node %s; %s", node, happened).isEqualTo(furthest);
    }
  }

  /** Whether an earlier start of this very node published the stream. */
  private boolean isOfCrashed(Stream stream, int node) {
    return stream.origin().equals(Integer.toString(node))
        && audiences.get(node).last().keySet().stream()
            .anyMatch(
                later ->
                    later.origin().equals(stream.origin())
                        && later.incarnation() > stream.incarnation());
  }

  private String longestSilence() {
    long longest = 0;
    for (ContinuousAudience audience : audiences) {
      longest = Math.max(longest, audience.takeLongestGapNanos());
    }
    return Math.round(longest / 1e6) + " ms";
  }

  // What happens.

  private void during(long seconds, int pauseMillis, Runnable action) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      action.run();
      long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofMinutes(1))
          .until(() -> System.nanoTime() >= next);
    }
  }

  private void changeAWeight() {
    int one = random.nextInt(audiences.size());
    int other = (one + 1 + random.nextInt(audiences.size() - 1)) % audiences.size();
    double millis = 2 + random.nextInt(300);
    happened.add("rtt " + one + "-" + other + " " + millis);
    cluster.links().rtt(one, other, millis);
  }

  private void cutATreeEdgeOrHeal() {
    CommittedTree tree = Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());
    cluster.links().heal();
    LinkWeight edge = tree.edges().get(random.nextInt(tree.edges().size()));
    happened.add("cut " + edge);
    cluster.links().cut(number(edge.low().toString()), number(edge.high().toString()));
  }

  private static int number(String node) {
    return Integer.parseInt(node);
  }

  private void anyFault() {
    int node = random.nextInt(audiences.size());
    int other = (node + 1 + random.nextInt(audiences.size() - 1)) % audiences.size();
    boolean runs = cluster.running().containsKey(node) && !cluster.paused().contains(node);
    int down = audiences.size() - cluster.running().size() + cluster.paused().size();
    int dice = random.nextInt(8);
    if (dice == 0) {
      changeAWeight();
    } else if (dice < 3) {
      happened.add("cut " + node + "-" + other);
      cluster.links().cut(node, other);
    } else if (dice == 3) {
      happened.add("heal");
      cluster.links().heal();
    } else if (dice == 4 && runs && down < MOST_DOWN) {
      happened.add("pause " + node);
      cluster.pause(node);
    } else if (dice == 5 && runs && down < MOST_DOWN) {
      happened.add("crash " + node);
      cluster.crash(node);
    } else if (down > 0) {
      restoreOne();
    }
  }

  private void restoreOne() {
    if (!cluster.paused().isEmpty()) {
      int node = cluster.paused().first();
      happened.add("resume " + node);
      cluster.resume(node);
      return;
    }
    for (int node = 0; node < audiences.size(); node++) {
      if (!cluster.running().containsKey(node)) {
        happened.add("restart " + node);
        cluster.restart(node);
        return;
      }
    }
  }

  private void restoreAll() {
    cluster.links().heal();
    while (!cluster.paused().isEmpty() || cluster.running().size() < audiences.size()) {
      restoreOne();
    }
  }
}
