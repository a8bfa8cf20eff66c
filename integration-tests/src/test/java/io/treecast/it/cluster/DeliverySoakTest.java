package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The reference network of real agents with its latencies, for minutes. Four agents publish fifty
 * messages per second each, while weights change, links are cut, and agents are killed, frozen and
 * restarted. No application may lose, duplicate or reorder a message that a surviving member has.
 * During kills and freezes, two agents also upload payloads of some MiB ({@link
 * ContinuousUploads}).
 *
 * <p>An application also may not wait for a repair that its messages do not need. While only
 * weights change, the longest silence of an origin is the interval between publications plus the
 * time along the tree in use. After a cut it is the time until both ends have noticed, plus five
 * times the path. The present round trips determine the time of the path. Only the delay by
 * processors is estimated: {@link #PROCESSORS_MILLIS}.
 *
 * <p>A seed determines the faults and their times; the agents' reactions depend on the machine.
 */
@Tag("chaos")
class DeliverySoakTest {
  private static final List<Integer> ORIGINS = List.of(0, 5, 12, 23);
  private static final List<Integer> UPLOADERS = List.of(2, 17);
  private static final List<Integer> UPLOADS_TO = List.of(0, 9, 14, 22);
  private static final int PUBLISH_EVERY_MILLIS = 20;
  private static final int PAYLOAD_BYTES = 100;
  private static final Duration SETTLING = Duration.ofMinutes(3);
  private static final long SEED = Long.getLong("treecast.seed", 1);
  private static final long SECONDS = Long.getLong("treecast.soak.seconds", 300);
  private static final int MOST_DOWN = 6;
  private static final int FAULT_EVERY_MILLIS = 2_000;
  private static final int CUT_EVERY_MILLIS = 20_000;

  /**
   * The longest total wait of a message for processors on its path, less than the time of a repair.
   */
  private static final long PROCESSORS_MILLIS = 1_000;

  /** Limit of the time of a repair, in multiples of the longest path. */
  private static final int REPAIR_WAYS = 5;

  private final Random random = new Random(SEED);
  private final List<Treecast> clients = new ArrayList<>();
  private final List<ContinuousAudience> audiences = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** Time of the last publication, by origin. */
  private final Map<Integer, Long> publishedNanos = new ConcurrentHashMap<>();

  /** The longest time between two publications of an origin in this phase, nanoseconds. */
  private final LongAccumulator longestPause = new LongAccumulator(Math::max, 0);

  /** The longest path between two members along any tree in use in this phase. */
  private long longestWayNanos;

  private final ScheduledExecutorService publishers = Executors.newScheduledThreadPool(2);
  private LocalCluster cluster;

  @BeforeEach
  void start() throws ConfigException {
    cluster = LocalCluster.start(ReferenceNetwork.topology(), LocalCluster.Settings.DEFAULT);
    // Not runUntilReady, which subscribes applications and records each of their deliveries.
    assertThat(cluster.runUntilAtRest(SETTLING.toMillis())).isTrue();
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
  void nothing_is_lost_doubled_or_reordered() throws InterruptedException {
    for (int origin : ORIGINS) {
      var unused =
          publishers.scheduleAtFixedRate(
              () -> publish(origin), 0, PUBLISH_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
    during(SECONDS / 5, this::changeAWeightAndWatch);
    String whileWeightsChanged = checkedSilence("while weights changed", 0, 1);
    List<String> afterCuts = new ArrayList<>();
    during(SECONDS / 5, () -> afterCuts.add(silenceAfterACut()));
    cluster.links().heal();
    String uploaded;
    try (ContinuousUploads uploads = new ContinuousUploads(clients, UPLOADERS, UPLOADS_TO, SEED)) {
      during(3 * SECONDS / 5, () -> anyFaultAndPause(uploads));
      restoreAll(uploads);
      publishers.shutdown();
      assertThat(cluster.runUntilAtRest(SETTLING.toMillis())).as("%s", happened).isTrue();
      uploads.finish(SETTLING);
      await().atMost(SETTLING).untilAsserted(this::assertAllHaveTheSame);
      await().atMost(SETTLING).untilAsserted(() -> uploads.assertDelivered(happened));
      uploaded = uploads.toString();
    }
    assertThat(cluster.deliveries().totalCount()).as("what only takes memory").isZero();

    System.out.printf(
        Locale.ROOT,
        "seed %d: %d broadcasts accepted, %d refused; %d deliveries, %d missed and named, %d interruptions;"
            + " longest silence of an origin at any member: %s while weights changed, %s after cuts of tree edges;"
            + " %s; %d faults%n",
        SEED,
        accepted.sum(),
        refused.sum(),
        audiences.stream().mapToLong(ContinuousAudience::delivered).sum(),
        audiences.stream().mapToLong(ContinuousAudience::missedMessages).sum(),
        audiences.stream().mapToLong(ContinuousAudience::interruptions).sum(),
        whileWeightsChanged,
        afterCuts,
        uploaded,
        happened.size());
  }

  private void publish(int origin) {
    long now = System.nanoTime();
    Long before = publishedNanos.put(origin, now);
    longestPause.accumulate(before == null ? 0 : now - before);
    var unused =
        clients
            .get(origin)
            .broadcast(new byte[PAYLOAD_BYTES], Duration.ofSeconds(5))
            .whenComplete((result, error) -> (error == null ? accepted : refused).increment());
  }

  /**
   * Asserts that all applications have the same messages. Only the application of a crashed origin
   * may have received that origin's last message before any other agent.
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

  /** Returns whether an earlier incarnation of the node published the stream. */
  private boolean isOfCrashed(Stream stream, int node) {
    return stream.origin().equals(Integer.toString(node))
        && audiences.get(node).last().keySet().stream()
            .anyMatch(
                later ->
                    later.origin().equals(stream.origin())
                        && later.incarnation() > stream.incarnation());
  }

  /**
   * Ends the phase, and returns its longest silence after a check: at most the time to notice, a
   * number of paths along the tree, and the delays of publishers and processors.
   */
  private String checkedSilence(String when, long noticedNanos, int ways) {
    long silentNanos = 0;
    for (ContinuousAudience audience : audiences) {
      silentNanos = Math.max(silentNanos, audience.takeLongestGapNanos());
    }
    long pauseNanos = longestPause.getThenReset();
    long allowedNanos =
        noticedNanos
            + ways * longestWayNanos
            + pauseNanos
            + TimeUnit.MILLISECONDS.toNanos(PROCESSORS_MILLIS);
    String silence =
        "%d ms (noticed after %d, way of %d, publisher paused %d)"
            .formatted(
                millis(silentNanos),
                millis(noticedNanos),
                millis(longestWayNanos),
                millis(pauseNanos));
    assertThat(silentNanos)
        .as("silence %s: %s; %s", when, silence, happened)
        .isLessThanOrEqualTo(allowedNanos);
    longestWayNanos = 0;
    return silence;
  }

  private static long millis(long nanos) {
    return Math.round(nanos / 1e6);
  }

  // Repeats an action for a number of seconds.

  private static void during(long seconds, Runnable action) {
    BooleanSupplier isOver = after(TimeUnit.SECONDS.toMillis(seconds));
    while (!isOver.getAsBoolean()) {
      action.run();
    }
  }

  private static BooleanSupplier after(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    return () -> System.nanoTime() >= end;
  }

  private static void waitUntil(BooleanSupplier condition) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofMinutes(2))
        .until(condition::getAsBoolean);
  }

  /** Records the longest path of the trees until a condition holds, while all agents run. */
  private void watchTheTreeUntil(BooleanSupplier condition) {
    waitUntil(
        () -> {
          long way = TreeWays.longestNanos(treeInUse(), cluster.network());
          longestWayNanos = Math.max(longestWayNanos, way);
          return condition.getAsBoolean();
        });
  }

  private CommittedTree treeInUse() {
    return Objects.requireNonNull(cluster.agent(0).snapshot().join().tree().tree());
  }

  private void changeAWeightAndWatch() {
    changeAWeight();
    watchTheTreeUntil(after(FAULT_EVERY_MILLIS));
  }

  private void changeAWeight() {
    int one = random.nextInt(audiences.size());
    int other = (one + 1 + random.nextInt(audiences.size() - 1)) % audiences.size();
    double millis = 2 + random.nextInt(300);
    happened.add("rtt " + one + "-" + other + " " + millis);
    cluster.links().rtt(one, other, millis);
  }

  private String silenceAfterACut() {
    cluster.links().heal();
    CommittedTree tree = treeInUse();
    LinkWeight edge = tree.edges().get(random.nextInt(tree.edges().size()));
    happened.add("cut " + edge);
    long cutNanos = System.nanoTime();
    BooleanSupplier isOver = after(CUT_EVERY_MILLIS);
    cluster.links().cut(number(edge.low()), number(edge.high()));
    watchTheTreeUntil(
        () -> hasNoticed(edge.low(), edge.high()) && hasNoticed(edge.high(), edge.low()));
    long noticedNanos = System.nanoTime() - cutNanos;
    watchTheTreeUntil(isOver);
    return checkedSilence("after the cut of " + edge, noticedNanos, REPAIR_WAYS);
  }

  private boolean hasNoticed(NodeId end, NodeId other) {
    return cluster.agent(number(end)).snapshot().join().links().stream()
        .noneMatch(link -> link.peer().id().equals(other) && link.state() == LinkState.UP);
  }

  private static int number(NodeId node) {
    return Integer.parseInt(node.toString());
  }

  private void anyFaultAndPause(ContinuousUploads uploads) {
    anyFault(uploads);
    waitUntil(after(FAULT_EVERY_MILLIS));
  }

  private void anyFault(ContinuousUploads uploads) {
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
      uploads.disturbed(node);
      cluster.pause(node);
    } else if (dice == 5 && runs && down < MOST_DOWN) {
      happened.add("crash " + node);
      uploads.disturbed(node);
      cluster.crash(node);
    } else if (down > 0) {
      restoreOne(uploads);
    }
  }

  private void restoreOne(ContinuousUploads uploads) {
    if (!cluster.paused().isEmpty()) {
      int node = cluster.paused().first();
      happened.add("resume " + node);
      uploads.disturbed(node);
      cluster.resume(node);
      return;
    }
    for (int node = 0; node < audiences.size(); node++) {
      if (!cluster.running().containsKey(node)) {
        happened.add("restart " + node);
        uploads.disturbed(node);
        cluster.restart(node);
        return;
      }
    }
  }

  private void restoreAll(ContinuousUploads uploads) {
    cluster.links().heal();
    while (!cluster.paused().isEmpty() || cluster.running().size() < audiences.size()) {
      restoreOne(uploads);
    }
  }
}
