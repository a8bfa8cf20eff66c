package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.Setting;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.Claim;
import io.treecast.client.ClaimHolder;
import io.treecast.client.MemberClaims;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.ghs.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Claims as real agents grant them to applications. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class ClaimCallTest {
  private static final Duration LEASE = Duration.ofMillis(800);

  /**
   * Longer than a busy machine keeps a client from its next renewal: the client renews after a
   * quarter of it, and gives up an eighth before its end.
   */
  private static final Duration LONG_LEASE = Duration.ofSeconds(6);

  private static final ClaimLimits LIMITS = new ClaimLimits(LONG_LEASE.toNanos(), 10, 10);

  @TempDir private Path directory;

  private final LinkEmulation emulation = new LinkEmulation((from, to) -> 0, 1);
  private final TestAgents agents = new TestAgents().withEmulation(emulation);
  private final List<Treecast> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
    emulation.close();
  }

  private Agent start(String id, String... seeds) {
    AgentConfig config =
        agents
            .config(id, List.of(seeds))
            .with(Setting.CLAIMS, LIMITS)
            .with(Setting.SERIES, directory.resolve(id));
    return agents.start(config);
  }

  private List<Agent> startThree() {
    Agent first = start("h1");
    String seed = first.address().toString();
    List<Agent> three = List.of(first, start("h2", seed), start("h3", seed));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(three)
                    .allSatisfy(
                        agent -> {
                          assertThat(TestAgents.memberCount(agent)).isEqualTo(3);
                          assertThat(TestAgents.snapshot(agent).carriesBroadcasts()).isTrue();
                        }));
    return three;
  }

  private MemberClaims claims(Agent agent) {
    Treecast client = agent.client();
    clients.add(client);
    return client.claims().among("h1", "h2", "h3");
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), SECONDS);
  }

  private static void assertFails(CompletableFuture<?> future, Reason reason) {
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> get(future))
        .withCauseInstanceOf(TreecastException.class)
        .extracting(Throwable::getCause)
        .extracting(cause -> ((TreecastException) cause).reason())
        .isEqualTo(reason);
  }

  @Test
  void a_claim_passes_on_when_it_is_released_with_a_higher_fence() throws Exception {
    List<Agent> three = startThree();
    Claim first = get(claims(three.get(0)).acquire("leader", LONG_LEASE));
    MemberClaims others = claims(three.get(1));
    CompletableFuture<Claim> waits = others.acquire("leader", LONG_LEASE);

    assertFails(others.tryAcquire("leader", LONG_LEASE), Reason.CLAIM_HELD);
    ClaimHolder holder = get(claims(three.get(2)).holder("leader"));
    assertThat(holder.member()).isEqualTo("h1");
    assertThat(holder.fence()).isEqualTo(first.fence());
    assertThat(first.isHeld()).isTrue();
    assertThat(waits.isDone()).isFalse();

    get(first.release());
    assertThat(first.isHeld()).isFalse();
    assertThat(get(waits).fence()).isGreaterThan(first.fence());
  }

  @Test
  void a_claim_outlasts_its_lease_while_it_is_renewed() throws Exception {
    List<Agent> three = startThree();
    Claim held = get(claims(three.get(0)).acquire("leader", LONG_LEASE));
    List<Long> fences = new CopyOnWriteArrayList<>();
    var watch = claims(three.get(1)).watch("leader", holder -> fences.add(holder.fence()));
    await().atMost(PATIENCE).until(() -> !fences.isEmpty());
    assertFails(
        claims(three.get(1)).acquire("leader", LONG_LEASE, LONG_LEASE.plusSeconds(1)),
        Reason.CLAIM_HELD);
    watch.close();
    assertThat(held.isHeld()).isTrue();
    assertThat(fences).containsOnly(held.fence());
  }

  @Test
  void a_claim_passes_on_when_its_agent_is_killed() throws Exception {
    List<Agent> three = startThree();
    Claim first = get(claims(three.get(0)).acquire("leader", LEASE));
    CompletableFuture<Boolean> heldWhenTold = new CompletableFuture<>();
    first.onLost(() -> heldWhenTold.complete(first.isHeld()));
    CompletableFuture<Claim> waits = claims(three.get(1)).acquire("leader", LEASE);
    three.get(0).crash();
    assertThat(get(waits).fence()).isGreaterThan(first.fence());
    assertThat(get(heldWhenTold)).isFalse();
  }

  @Test
  void a_holder_whose_agent_stands_still_has_lost_the_claim_before_another_gets_it()
      throws Exception {
    List<Agent> three = startThree();
    Claim first = get(claims(three.get(0)).acquire("leader", LEASE));
    CompletableFuture<Claim> waits = claims(three.get(1)).acquire("leader", LONG_LEASE);
    CompletableFuture<Boolean> heldWhenGranted = waits.thenApply(claim -> first.isHeld());
    three.get(0).pause();
    assertThat(get(waits).fence()).isGreaterThan(first.fence());
    assertThat(get(heldWhenGranted)).isFalse();
    three.get(0).resume();
    assertThat(first.isHeld()).isFalse();
  }

  @Test
  void in_a_partition_only_the_part_with_a_majority_grants() throws Exception {
    List<Agent> three = startThree();
    MemberClaims alone = claims(three.get(0));
    Claim first = get(alone.acquire("leader", LEASE));
    CompletableFuture<Claim> waits = claims(three.get(1)).acquire("leader", LEASE);
    CompletableFuture<Boolean> heldWhenGranted = waits.thenApply(claim -> first.isHeld());
    emulation.cut(NodeId.of("h1"), NodeId.of("h2"));
    emulation.cut(NodeId.of("h1"), NodeId.of("h3"));
    assertThat(get(waits).fence()).isGreaterThan(first.fence());
    assertThat(get(heldWhenGranted)).isFalse();
    // A second may be too short for the agent to say so.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertFails(
                    alone.acquire("leader", LEASE, Duration.ofSeconds(1)), Reason.NO_MAJORITY));

    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(three.get(0)) == 1);
    assertThat(get(alone.advisory().acquire("leader", LONG_LEASE)).isHeld()).isTrue();
    emulation.healAll();
  }

  @Test
  void fences_rise_when_all_agents_restart() throws Exception {
    List<Agent> three = startThree();
    long before = get(claims(three.get(0)).acquire("leader", LEASE)).fence();
    three.forEach(Agent::crash);
    List<Agent> restarted = startThree();
    assertThat(get(claims(restarted.get(1)).acquire("leader", LEASE)).fence())
        .isGreaterThan(before);
  }

  @Test
  void a_lease_that_members_do_not_allow_is_refused() throws Exception {
    List<Agent> three = startThree();
    assertFails(
        claims(three.get(0)).tryAcquire("leader", LONG_LEASE.plusMillis(1)), Reason.REFUSED);
    assertFails(claims(three.get(0)).tryAcquire("", LEASE), Reason.REFUSED);
  }
}
