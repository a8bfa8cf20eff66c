package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.Group;
import io.treecast.client.GroupView;
import io.treecast.client.LongReduction;
import io.treecast.client.NumberVector;
import io.treecast.client.RetryToken;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.client.VectorReduction;
import io.treecast.ghs.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Groups of real agents, as applications join them. */
@Execution(ExecutionMode.CONCURRENT)
class GroupCallTest {
  private final LinkEmulation emulation = new LinkEmulation((from, to) -> 0, 1);
  private final TestAgents agents = new TestAgents().withEmulation(emulation);
  private final List<Agent> four = new ArrayList<>();
  private final List<Treecast> clients = new ArrayList<>();

  @BeforeEach
  void start() {
    four.add(agents.start("h1"));
    String seed = four.get(0).address().toString();
    for (String id : List.of("h2", "h3", "h4")) {
      four.add(agents.start(id, seed));
    }
    four.forEach(agent -> clients.add(agent.client()));
    awaitTree(4, four);
  }

  private static void awaitTree(int members, List<Agent> of) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(of)
                    .allSatisfy(
                        agent -> {
                          assertThat(TestAgents.memberCount(agent)).isEqualTo(members);
                          assertThat(TestAgents.snapshot(agent).carriesBroadcasts()).isTrue();
                        }));
  }

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
    emulation.close();
  }

  private Group join(int agent, String path) throws Exception {
    Group group = clients.get(agent).groups().join(path);
    assertThat(get(group.joined()).members()).contains("h" + (agent + 1));
    return group;
  }

  private List<Group> joinAll(String path, int... those) throws Exception {
    List<Group> groups = new ArrayList<>();
    for (int agent : those) {
      groups.add(join(agent, path));
    }
    groups.forEach(group -> awaitMembers(group, those.length));
    return groups;
  }

  private static void awaitMembers(Group group, int members) {
    await()
        .atMost(PATIENCE)
        .until(() -> Objects.requireNonNull(group.view()).members().size() == members);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), SECONDS);
  }

  private static CollectiveOptions patient() {
    return CollectiveOptions.defaults().withWait(PATIENCE);
  }

  private static CompletableFuture<CollectiveResult<long[]>> sum(
      Group group, String name, long number) {
    return group.collectives().allReduce(name, LongReduction.SUM, new long[] {number}, patient());
  }

  @Test
  void all_members_see_the_same_view_with_their_ranks() throws Exception {
    List<Group> groups = joinAll("trainers", 1, 3);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              GroupView first = Objects.requireNonNull(groups.get(0).view());
              GroupView second = Objects.requireNonNull(groups.get(1).view());
              assertThat(first.members()).containsExactly("h2", "h4");
              assertThat(second.members()).isEqualTo(first.members());
              assertThat(second.number()).isEqualTo(first.number());
              assertThat(second.treeVersion()).isEqualTo(first.treeVersion());
              assertThat(first.rank()).isZero();
              assertThat(second.rank()).isEqualTo(1);
            });
  }

  @Test
  void watchers_see_who_comes_and_goes_and_groups_are_listed() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    Subscription watch =
        clients
            .get(0)
            .groups()
            .watch("t", (view, joined, left) -> seen.add("+" + joined + " -" + left));
    get(watch.ready());
    Group west = join(1, "t/west");
    await().atMost(PATIENCE).until(() -> seen.contains("+[h2] -[]"));
    Group east = join(2, "t/east");
    await().atMost(PATIENCE).until(() -> seen.contains("+[h3] -[]"));

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(clients.get(3).groups().list()))
                    .isEqualTo(Map.of("t", 2, "t/west", 1, "t/east", 1)));
    west.leave();
    get(west.done());
    await().atMost(PATIENCE).until(() -> seen.contains("+[] -[h2]"));
    assertThat(seen).containsSubsequence("+[] -[]", "+[h2] -[]", "+[h3] -[]", "+[] -[h2]");
    awaitMembers(east, 1);
    assertThat(Objects.requireNonNull(east.view()).members()).containsExactly("h3");
  }

  @Test
  void a_message_to_the_whole_reaches_its_parts_and_contexts_are_apart() throws Exception {
    Group west = join(1, "t/west");
    Group whole = join(2, "t");
    List<String> atWest = new CopyOnWriteArrayList<>();
    List<String> inContext = new CopyOnWriteArrayList<>();
    get(west.subscribe(message -> atWest.add(message.text())).ready());
    get(west.context("lib").subscribe(message -> inContext.add(message.text())).ready());

    get(whole.context("lib").broadcast("c".getBytes(UTF_8)));
    get(whole.broadcast("w".getBytes(UTF_8)));
    get(west.broadcast("p".getBytes(UTF_8)));

    await().atMost(PATIENCE).until(() -> atWest.size() == 2 && inContext.size() == 1);
    assertThat(atWest).containsExactlyInAnyOrder("w", "p");
    assertThat(inContext).containsExactly("c");
  }

  @Test
  void disjoint_groups_and_contexts_combine_at_once_under_one_name() throws Exception {
    List<Group> one = joinAll("one", 0, 1);
    List<Group> two = joinAll("two", 2, 3);

    var results =
        List.of(
            sum(one.get(0), "r", 1),
            sum(two.get(0), "r", 10),
            sum(one.get(0).context("lib"), "r", 100),
            sum(one.get(1), "r", 2),
            sum(two.get(1), "r", 20),
            sum(one.get(1).context("lib"), "r", 200));

    List<Long> sums = new ArrayList<>();
    for (var result : results) {
      sums.add(get(result).value()[0]);
    }
    assertThat(sums).containsExactly(3L, 30L, 300L, 3L, 30L, 300L);
    assertThat(get(results.get(1)).contributors()).containsExactly("h3", "h4");
  }

  @Test
  void large_vectors_are_combined_in_a_group() throws Exception {
    List<Group> groups = joinAll("g", 0, 2);
    long[] ones = new long[100_000];
    Arrays.fill(ones, 1);
    List<CompletableFuture<CollectiveResult<NumberVector>>> results = new ArrayList<>();
    for (Group group : groups) {
      results.add(
          group
              .collectives()
              .allReduce("v", VectorReduction.SUM, NumberVector.of(ones), null, patient()));
    }

    for (var result : results) {
      assertThat(get(result).contributors()).containsExactly("h1", "h3");
      assertThat(get(result).value().longs().get(99_999)).isEqualTo(2);
    }
  }

  @Test
  void when_a_member_is_killed_the_others_combine_without_it() throws Exception {
    List<Group> groups = joinAll("g", 0, 1, 3);
    var first = sum(groups.get(0), "r", 1);

    four.get(3).crash();
    var second = sum(groups.get(1), "r", 2);

    assertThat(get(first).value()).containsExactly(3);
    assertThat(get(second).contributors()).containsExactly("h1", "h2");
    awaitMembers(groups.get(0), 2);
  }

  @Test
  void members_that_call_with_different_views_repeat_with_the_latest() throws Exception {
    List<Group> groups = joinAll("g", 0, 1);
    var first = sum(groups.get(0), "r", 1);
    Group third = join(2, "g");
    awaitMembers(groups.get(1), 3);

    var second = sum(groups.get(1), "r", 2);
    var last = sum(third, "r", 4);

    assertThat(get(first).value()).containsExactly(7);
    assertThat(get(second).value()).containsExactly(7);
    assertThat(get(last).contributors()).isEqualTo(Set.of("h1", "h2", "h3"));
  }

  @Test
  void an_operation_waits_for_a_view_of_the_minimum() throws Exception {
    Group first = join(0, "g");
    var result =
        first
            .collectives()
            .allReduce("r", LongReduction.SUM, new long[] {1}, patient().withMinimum(2));
    Group second = join(1, "g");
    awaitMembers(second, 2);

    var other =
        second
            .collectives()
            .allReduce("r", LongReduction.SUM, new long[] {2}, patient().withMinimum(2));

    assertThat(get(result).value()).containsExactly(3);
    assertThat(get(other).value()).containsExactly(3);
  }

  @Test
  void in_a_partition_each_part_has_its_views_and_after_it_all_are_in_one() throws Exception {
    List<Group> groups = joinAll("g", 0, 3);
    for (String other : List.of("h1", "h2", "h3")) {
      emulation.cut(NodeId.of("h4"), NodeId.of(other));
    }
    awaitMembers(groups.get(0), 1);
    awaitMembers(groups.get(1), 1);
    assertThat(Objects.requireNonNull(groups.get(1).view()).members()).containsExactly("h4");

    emulation.healAll();
    awaitMembers(groups.get(0), 2);
    awaitMembers(groups.get(1), 2);
  }

  @Test
  void what_a_group_cannot_do_is_refused() throws Exception {
    Group group = join(0, "g");
    var groups = clients.get(0).groups();
    assertThatThrownBy(() -> groups.join("a//b")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> group.context("")).isInstanceOf(IllegalArgumentException.class);
    for (CollectiveOptions options :
        List.of(patient().among(Set.of("h1")), patient().withRetryToken(RetryToken.create()))) {
      assertThatThrownBy(() -> group.collectives().barrier("b", options))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> group.collectives().barrier("b".repeat(190)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> get(group.collectives().gather("g", "h2", new byte[0], patient())))
        .extracting(Throwable::getCause)
        .asInstanceOf(InstanceOfAssertFactories.type(TreecastException.class))
        .extracting(TreecastException::reason)
        .isEqualTo(Reason.REFUSED);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(
            () ->
                get(
                    group
                        .collectives()
                        .barrier("b", patient().withMinimum(2).withWait(Duration.ofMillis(200)))))
        .extracting(Throwable::getCause)
        .asInstanceOf(InstanceOfAssertFactories.type(TreecastException.class))
        .extracting(TreecastException::reason)
        .isEqualTo(Reason.MEMBERS_MISSING);
  }

  @Test
  void the_blocking_calls_wait_for_the_view() {
    try (Group group = clients.get(1).blocking().join("g")) {
      assertThat(Objects.requireNonNull(group.view()).members()).containsExactly("h2");
      assertThat(group.blockingCollectives().barrier("b").contributors()).containsExactly("h2");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(clients.get(0).blocking().listGroups()).isEqualTo(Map.of("g", 1)));
    }
  }
}
