package io.treecast.testkit.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Schedule.Step;
import io.treecast.testkit.schedule.ScheduleEvent;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped change sets have the published results at the published thresholds. */
@Order(2)
class PublishedSetsTest {
  private static final long MOST_BUILD_MESSAGES = 270;

  /** The published mean number of messages of the build. */
  private static final long PUBLISHED_BUILD_MESSAGES = 815;

  /** The published mean number of messages of the build and the four changes of set E. */
  private static final long PUBLISHED_MESSAGES_OF_E = 7_123;

  /** Limit of the time in which the ends of a new edge attach a data stream. */
  private static final long MOST_ATTACH_MILLIS = 1_000;

  /** Additional broadcasts after each change, one per second. */
  private static final int MORE_BROADCASTS = 20;

  private static Path file(String set) {
    return Path.of("../schedules/set-" + set + ".txt");
  }

  private static Topology network(Schedule schedule) {
    return ReferenceNetwork.named(Objects.requireNonNull(schedule.network()));
  }

  private static ScheduleReport run(Schedule schedule) throws IOException {
    return ScheduleRunner.run(cluster(schedule), schedule);
  }

  private static SimCluster cluster(Schedule schedule) throws IOException {
    Topology network = network(schedule);
    Topology start = schedule.checkedFor(network).startOn(network);
    return SimCluster.judging(start, 1, schedule.thresholds()::applyTo);
  }

  /** Returns the schedule with broadcasts in the two minutes after each change. */
  private static Schedule withBroadcastsDuringChanges(Schedule schedule) {
    List<Step> steps = new ArrayList<>(schedule.steps());
    schedule.steps().stream()
        .filter(step -> step.event() instanceof ScheduleEvent.Rtt)
        .map(Step::atMillis)
        .distinct()
        .forEach(
            atMillis -> {
              for (int i = 0; i < MORE_BROADCASTS; i++) {
                ScheduleEvent event = new ScheduleEvent.Broadcast(ReferenceNetwork.SOURCE, 24, "");
                steps.add(new Step(atMillis + 1_000L * i, event, 0));
              }
            });
    steps.sort(Comparator.comparingLong(Step::atMillis));
    return new Schedule(
        schedule.name(), schedule.network(), schedule.thresholds(), schedule.start(), steps);
  }

  private static long replaced(ScheduleReport report) {
    return report.events().stream().mapToLong(event -> event.removed().size()).sum();
  }

  @Test
  void each_shipped_set_is_named_in_these_tests() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../schedules"))) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
          .containsExactly(
              "set-A.txt",
              "set-B.txt",
              "set-C1.txt",
              "set-C3.txt",
              "set-C4.txt",
              "set-D1.txt",
              "set-D3.txt",
              "set-D4.txt",
              "set-E.txt",
              "set-F.txt",
              "set-G.txt",
              "set-H-back.txt",
              "set-H.txt",
              "set-I-failures.txt",
              "set-I-recoveries.txt",
              "set-I.txt");
    }
  }

  /** As below; most are smaller versions of sets below, or the same changes one by one. */
  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({
    "A, 2",
    "B, 3",
    "C1, 1",
    "C3, 3",
    "D1, 1",
    "D3, 3",
    "D4, 4",
    "E, 4",
    "F, 3",
    "G, 3",
    "H, 3",
    "H-back, 3",
    "I-failures, 4",
    "I-recoveries, 4",
  })
  void each_other_set_replaces_the_published_edges_and_ends_minimal_with_all_delivered_in_time(
      String set, long edgesReplaced) throws IOException {
    each_set_replaces_the_published_edges_and_ends_minimal_with_all_delivered_in_time(
        set, edgesReplaced);
  }

  /** The published numbers; for set I, those that its values imply. */
  @ParameterizedTest
  @CsvSource({"C4, 4", "I, 7"})
  void each_set_replaces_the_published_edges_and_ends_minimal_with_all_delivered_in_time(
      String set, long edgesReplaced) throws IOException {
    Schedule schedule = withBroadcastsDuringChanges(ScheduleFile.read(file(set)));
    SimCluster cluster = cluster(schedule);
    ScheduleReport report = ScheduleRunner.run(cluster, schedule);

    assertEachVersionIsAnotherTree(cluster);
    assertThat(report.atRest()).isTrue();
    assertThat(report.trees().problems()).isEmpty();
    assertThat(report.trees().minimal()).isTrue();
    assertThat(report.trees().components()).allMatch(part -> part.minimalOnNetwork());
    assertThat(report.broadcasts().lost()).isEmpty();
    assertThat(report.broadcasts().duplicated()).isZero();
    assertThat(report.events()).allMatch(event -> event.skipped() == null);
    assertThat(replaced(report)).isEqualTo(edgesReplaced);
    assertThat(report.buildTraffic().count())
        .isBetween(1L, MOST_BUILD_MESSAGES)
        .isLessThan(PUBLISHED_BUILD_MESSAGES);
    assertThat(report.traffic().count()).isLessThan(PUBLISHED_MESSAGES_OF_E);
    assertNoBroadcastWaitsForRepair(schedule, report);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource("G, 50, 2")
  void with_another_higher_threshold_a_change_less_counts(
      String set, int percent, long edgesReplaced) throws IOException {
    with_a_higher_threshold_a_change_less_counts(set, percent, edgesReplaced);
  }

  @ParameterizedTest
  @CsvSource("F, 70, 2")
  void with_a_higher_threshold_a_change_less_counts(String set, int percent, long edgesReplaced)
      throws IOException {
    Thresholds threshold = new Thresholds(BigDecimal.valueOf(percent), null, null, null);

    assertThat(replaced(run(ScheduleFile.read(file(set)).with(threshold))))
        .isEqualTo(edgesReplaced);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"G, 0", "G, 10", "G, 50"})
  void each_version_of_the_tree_has_other_edges_or_weights_than_the_one_before(
      String set, int percent) throws IOException {
    Thresholds threshold = new Thresholds(BigDecimal.valueOf(percent), null, null, null);
    Schedule schedule = ScheduleFile.read(file(set)).with(threshold);
    SimCluster cluster = cluster(schedule);
    ScheduleRunner.run(cluster, schedule);

    assertEachVersionIsAnotherTree(cluster);
  }

  /** Asserts that each version of the tree has other edges or weights than the one before. */
  private static void assertEachVersionIsAnotherTree(SimCluster cluster) {
    SortedMap<Long, List<String>> edgesOfVersions = new TreeMap<>();
    for (ClusterHistory.Commit commit : cluster.history().commitsSince(0)) {
      edgesOfVersions.put(
          commit.tree().version(),
          commit.tree().edges().stream().map(LinkWeight::toString).toList());
    }
    List<List<String>> edges = List.copyOf(edgesOfVersions.values());
    assertThat(edges).hasSizeGreaterThan(1);
    for (int i = 1; i < edges.size(); i++) {
      assertThat(edges.get(i)).isNotEqualTo(edges.get(i - 1));
    }
  }

  @ParameterizedTest
  @CsvSource({"A, 4", "B, 4", "B, 8", "C4, 8", "D4, 16", "E, 4", "G, 1", "I, 1000"})
  void another_number_of_broadcasts_keeps_the_changes_and_their_place(String set, int count)
      throws IOException {
    Schedule shipped = ScheduleFile.read(file(set));
    Schedule other = shipped.withBroadcasts(count);

    assertThat(shipped.withBroadcasts((int) broadcasts(shipped)).steps())
        .extracting(Step::event)
        .containsExactlyElementsOf(shipped.steps().stream().map(Step::event).toList());
    assertThat(broadcasts(other)).isEqualTo(count);
    assertThat(changes(other)).isEqualTo(changes(shipped));
    assertThat(other.steps().stream().map(Step::atMillis).toList()).isSorted();
    assertThat((double) broadcastsBeforeLastChange(other) / count)
        .isCloseTo(
            (double) broadcastsBeforeLastChange(shipped) / broadcasts(shipped),
            org.assertj.core.data.Offset.offset(0.5 / count + 1e-9));
  }

  private static long broadcasts(Schedule schedule) {
    return (long) schedule.steps().size() - changes(schedule).size();
  }

  private static List<ScheduleEvent> changes(Schedule schedule) {
    return schedule.steps().stream()
        .map(Step::event)
        .filter(ScheduleEvent.Rtt.class::isInstance)
        .toList();
  }

  private static long broadcastsBeforeLastChange(Schedule schedule) {
    List<ScheduleEvent> changes = changes(schedule);
    ScheduleEvent last = changes.get(changes.size() - 1);
    return schedule.steps().stream()
        .map(Step::event)
        .takeWhile(event -> !event.equals(last))
        .filter(ScheduleEvent.Broadcast.class::isInstance)
        .count();
  }

  /**
   * Asserts that no broadcast takes longer than along the tree before the change, or after the
   * commit along the new tree.
   */
  private static void assertNoBroadcastWaitsForRepair(Schedule schedule, ScheduleReport report)
      throws IOException {
    Topology network = schedule.startOn(network(schedule));
    SortedSet<LinkWeight> before = new TreeSet<>();
    SortedSet<LinkWeight> after = new TreeSet<>(edges(report.built().get(0)));
    double changedMillis = 0;
    double committedMillis = 0;
    for (int i = 0; i < report.events().size(); i++) {
      EventReport event = report.events().get(i);
      if (schedule.steps().get(i).event() instanceof ScheduleEvent.Rtt rtt) {
        network = with(network, rtt);
        before = new TreeSet<>(after);
        after.removeIf(edge -> isAmong(event.removed(), edge));
        after.addAll(event.added());
        Double first = event.firstCommitMillis();
        Double last = event.lastCommitMillis();
        changedMillis = event.atMillis() + (first == null ? 0 : first);
        committedMillis = event.atMillis() + (last == null ? 0 : last + MOST_ATTACH_MILLIS);
      } else if (schedule.steps().get(i).event() instanceof ScheduleEvent.Broadcast broadcast) {
        double mostMillis = 0;
        if (event.atMillis() < committedMillis) {
          mostMillis = lastMillis(network, before, broadcast.node());
        }
        if (event.atMillis() >= changedMillis) {
          mostMillis = Math.max(mostMillis, lastMillis(network, after, broadcast.node()));
        }
        assertThat(event.deliveredMillis())
            .as("%s at %s", event.event(), event.at())
            .isPositive()
            .isLessThanOrEqualTo(mostMillis);
      }
    }
  }

  private static List<LinkWeight> edges(AgentSnapshot agent) {
    return Objects.requireNonNull(agent.tree().tree()).edges();
  }

  private static boolean isAmong(List<LinkWeight> edges, LinkWeight edge) {
    return edges.stream()
        .anyMatch(other -> other.low().equals(edge.low()) && other.high().equals(edge.high()));
  }

  private static double lastMillis(Topology network, Collection<LinkWeight> tree, int source) {
    List<Topology.Link> links =
        tree.stream()
            .map(e -> Topology.Link.between(number(e.low()), number(e.high()), e.cost()))
            .toList();
    BroadcastShape shape = BroadcastShape.alongTree(network.nodes(), links, source);
    assertThat(shape.reachedCount()).isEqualTo(network.nodes());
    return new BroadcastTimes(network).lastNanos(shape) / 1e6;
  }

  private static int number(NodeId node) {
    return Integer.parseInt(node.toString());
  }

  private static Topology with(Topology network, ScheduleEvent.Rtt rtt) {
    Topology.Link changed =
        Topology.Link.between(
            rtt.one(), rtt.other(), rtt.millis().movePointRight(3).longValueExact());
    return Topology.of(
        network.nodes(),
        network.links().stream()
            .map(
                link ->
                    link.low() == changed.low() && link.high() == changed.high() ? changed : link)
            .toList());
  }
}
