package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.ClusterTime;
import io.treecast.client.ClusterTime.Order;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The root's time as real agents tell it to applications. All run in one process, by one clock. */
@Execution(ExecutionMode.CONCURRENT)
class ReadClockTest {
  private static final Duration RTT = Duration.ofMillis(20);

  private final LinkEmulation emulation = new LinkEmulation((from, to) -> RTT.toNanos() / 2, 1);
  private final TestAgents agents = new TestAgents().withEmulation(emulation);
  private final List<Treecast> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
    emulation.close();
  }

  private Treecast client(Agent agent) {
    Treecast client = agent.client();
    clients.add(client);
    return client;
  }

  @Test
  void members_agree_on_the_time_of_the_root_within_their_bounds() {
    Agent one = agents.start(agents.config("h1", List.of()));
    Agent two = agents.start(agents.config("h2", List.of(one.address().toString())));
    List<Treecast> both = List.of(client(one), client(two));
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(TreecastException.class)
        .untilAsserted(
            () -> {
              assertThat(TestAgents.memberCount(one)).isEqualTo(2);
              AgentSnapshot snapshot = TestAgents.snapshot(one);
              long version = Objects.requireNonNull(snapshot.tree().tree()).version();
              assertThat(both)
                  .allSatisfy(
                      client -> {
                        ClusterTime time = client.blocking().clusterTime();
                        assertThat(time.treeVersion()).isEqualTo(version);
                        assertThat(time.error()).isLessThan(Duration.ofSeconds(1));
                      });
            });

    // A commit meanwhile begins another epoch.
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(TreecastException.class)
        .untilAsserted(() -> assertAgreement(both));
  }

  private static void assertAgreement(List<Treecast> both) {
    long instant = System.nanoTime();
    ClusterTime first = both.get(0).blocking().clusterTimeAt(instant);
    ClusterTime second = both.get(1).blocking().clusterTimeAt(instant);
    assertThat(first.order(second)).isEqualTo(Order.OVERLAPPING);
    assertThat(Math.max(first.errorNanos(), second.errorNanos()))
        .isGreaterThanOrEqualTo(RTT.toNanos() / 2);
    assertThat(Duration.between(first.instant(), Instant.now()).abs())
        .isLessThan(Duration.ofMinutes(1));

    long later = instant + 10 * first.errorNanos() + 10 * second.errorNanos();
    assertThat(first.order(both.get(1).blocking().clusterTimeAt(later))).isEqualTo(Order.BEFORE);
    assertThat(both.get(1).blocking().clusterTimeAt(later).order(first)).isEqualTo(Order.AFTER);
  }

  @Test
  void the_time_of_one_client_never_goes_back() {
    Treecast client = client(agents.start(agents.config("h1", List.of())));
    List<ClusterTime> times = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(CompletionException.class) // There is no tree yet.
        .until(
            () -> {
              times.add(client.clock().now().join());
              // Long enough for the client to ask again.
              return times.get(times.size() - 1).rootNanos() - times.get(0).rootNanos()
                  > 1_500_000_000L;
            });

    assertThat(times).isSortedAccordingTo((a, b) -> Long.compare(a.rootNanos(), b.rootNanos()));
    assertThat(times).allMatch(times.get(0)::isSameEpoch);
  }

  @Test
  void there_is_no_time_without_an_agent() {
    Treecast client = Treecast.builder("127.0.0.1:1").defaultWait(Duration.ofMillis(200)).connect();
    clients.add(client);

    assertThatExceptionOfType(TreecastException.class)
        .isThrownBy(() -> client.blocking().clusterTime())
        .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.AGENT_UNREACHABLE));
  }
}
