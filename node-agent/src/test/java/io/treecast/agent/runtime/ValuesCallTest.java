package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.Setting;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.Best;
import io.treecast.client.BestOffer;
import io.treecast.client.Codec;
import io.treecast.client.EntryHandler;
import io.treecast.client.LastValue;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.client.ValueEntry;
import io.treecast.client.Values;
import io.treecast.client.ValuesSize;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Shared values as real agents give them to applications. */
@Execution(ExecutionMode.CONCURRENT)
class ValuesCallTest {
  private static final ValuesLimits LIMITS =
      new ValuesLimits(ValuesLimits.MIN_BYTES, ValuesLimits.MIN_BYTES, SECONDS.toNanos(60), 1);

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
    return agents.start(agents.config(id, List.of(seeds)).with(Setting.VALUES, LIMITS));
  }

  private List<Agent> startTwo() {
    Agent first = start("h1");
    return List.of(first, start("h2", first.address().toString()));
  }

  private Treecast client(Agent agent) {
    Treecast client = agent.client();
    clients.add(client);
    return client;
  }

  private Values<String> routes(Agent agent) {
    return client(agent).values("routes", Codec.utf8());
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), SECONDS);
  }

  private static void awaitValue(Values<String> values, String key, String value) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(get(values.get(key)).map(ValueEntry::value)).contains(value));
  }

  private static void awaitNone(Values<String> values, String key) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(get(values.get(key))).isEmpty());
  }

  private static final class Seen implements EntryHandler<String> {
    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEntry(ValueEntry<String> entry) {
      events.add(entry.key() + "=" + entry.value());
    }

    @Override
    public void onRemoved(String key) {
      events.add("-" + key);
    }

    @Override
    public void onLive() {
      events.add("live");
    }
  }

  @Test
  void a_put_reaches_other_agents_also_one_that_comes_later_and_a_delete_does() throws Exception {
    Agent first = start("h1");
    get(routes(first).put("eu", "h7"));
    Agent second = start("h2", first.address().toString());
    Values<String> there = routes(second);
    awaitValue(there, "eu", "h7");
    assertThat(get(there.snapshot())).containsOnlyKeys("eu");
    assertThat(get(there.get("eu")).orElseThrow().origin()).isEqualTo("h1");
    assertThat(get(there.delete("eu"))).isTrue();
    assertThat(get(there.delete("eu"))).isFalse();
    awaitNone(routes(first), "eu");
  }

  @Test
  void a_watch_has_the_present_entries_first_and_then_each_change() throws Exception {
    Values<String> routes = routes(start("h1"));
    get(routes.put("eu", "h7"));
    Seen seen = new Seen();
    Subscription watch = routes.watch(seen);
    await().atMost(PATIENCE).until(() -> seen.events.size() == 2);
    get(routes.put("us", "h8"));
    await().atMost(PATIENCE).until(() -> seen.events.size() == 3);
    get(routes.delete("eu"));
    await().atMost(PATIENCE).until(() -> seen.events.size() == 4);
    assertThat(seen.events).containsExactly("eu=h7", "live", "us=h8", "-eu");
    watch.close();
    get(watch.done());
  }

  @Test
  void an_ephemeral_entry_ends_with_its_handle_with_its_client_and_with_its_agent()
      throws Exception {
    List<Agent> two = startTwo();
    Values<String> here = routes(two.get(0));
    Values<String> there = routes(two.get(1));
    Subscription held = there.putEphemeral("by-handle", "x");
    get(held.ready());
    Treecast closing = two.get(1).client();
    get(closing.values("routes", Codec.utf8()).putEphemeral("by-client", "x").ready());
    get(there.putEphemeral("by-agent", "x").ready());
    for (String key : List.of("by-handle", "by-client", "by-agent")) {
      awaitValue(here, key, "x");
    }
    held.close();
    awaitNone(here, "by-handle");
    closing.close();
    awaitNone(here, "by-client");
    awaitValue(here, "by-agent", "x");
    two.get(1).crash();
    awaitNone(here, "by-agent");
  }

  @Test
  void an_ephemeral_entry_of_two_applications_is_of_the_later_one_and_ends_with_it()
      throws Exception {
    List<Agent> two = startTwo();
    Values<String> here = routes(two.get(0));
    Values<String> there = routes(two.get(1));
    Values<String> besides = routes(two.get(1));
    Subscription first = here.putEphemeral("k", "first");
    awaitValue(there, "k", "first");
    Subscription second = there.putEphemeral("k", "second");
    awaitValue(here, "k", "second");
    Subscription third = besides.putEphemeral("k", "third");
    awaitValue(here, "k", "third");

    first.close();
    second.close();
    get(first.done());
    get(second.done());
    get(here.put("behind first", "x"));
    get(there.put("behind second", "x"));
    awaitValue(there, "behind first", "x");
    awaitValue(here, "behind second", "x");
    assertThat(get(here.get("k")).map(ValueEntry::value)).contains("third");
    assertThat(get(there.get("k")).map(ValueEntry::value)).contains("third");

    Subscription fourth = here.putEphemeral("k", "fourth");
    awaitValue(there, "k", "fourth");
    fourth.close();
    awaitNone(there, "k");
    assertThat(third.done()).isNotDone();
  }

  @Test
  void parts_of_a_partition_write_alone_and_agree_on_the_later_write_afterwards() throws Exception {
    List<Agent> two = startTwo();
    Values<String> here = routes(two.get(0));
    Values<String> there = routes(two.get(1));
    get(here.put("eu", "before"));
    awaitValue(there, "eu", "before");
    emulation.cut(NodeId.of("h1"), NodeId.of("h2"));
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(two.get(0)) == 1);
    get(here.put("eu", "earlier"));
    get(there.put("eu", "later"));
    assertThat(get(here.get("eu")).map(ValueEntry::value)).contains("earlier");
    emulation.healAll();
    awaitValue(here, "eu", "later");
    awaitValue(there, "eu", "later");
  }

  @Test
  void the_best_offer_remains() throws Exception {
    List<Agent> two = startTwo();
    var here = client(two.get(0)).best("incumbent", Best.MIN, Codec.utf8());
    var there = client(two.get(1)).best("incumbent", Best.MIN, Codec.utf8());
    List<Double> seen = new CopyOnWriteArrayList<>();
    there.watch(offer -> seen.add(offer.number()));
    assertThat(get(here.offer(3, "a"))).isTrue();
    await().atMost(PATIENCE).until(() -> seen.contains(3.0));
    assertThat(get(there.offer(3, "b"))).isFalse();
    assertThat(get(there.offer(2, "c"))).isTrue();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(get(here.get())).contains(new BestOffer<>(2, "c", "h2")));
  }

  @Test
  void a_late_subscriber_has_the_last_value_and_then_the_next() throws Exception {
    LastValue<String> level = client(start("h1")).lastValue("level", Codec.utf8());
    get(level.publish("INFO"));
    get(level.publish("DEBUG"));
    List<String> seen = new CopyOnWriteArrayList<>();
    level.subscribe(seen::add);
    await().atMost(PATIENCE).until(() -> seen.size() == 1);
    get(level.publish("WARN"));
    await().atMost(PATIENCE).until(() -> seen.size() == 2);
    assertThat(seen).containsExactly("DEBUG", "WARN");
    assertThat(get(level.get())).contains("WARN");
  }

  @Test
  void a_value_without_space_and_one_that_is_too_large_are_refused() throws Exception {
    Treecast client = client(start("h1"));
    Values<byte[]> files = client.values("files");
    for (int i = 0; i < 4; i++) {
      get(files.put("f" + i, new byte[60_000]));
    }
    assertFails(files.put("f4", new byte[60_000]), Reason.BUFFER_FULL);
    assertFails(files.put("f4", new byte[70_000]), Reason.REFUSED);
    assertFails(files.put("\u0007", "x".getBytes(UTF_8)), Reason.REFUSED);
    assertThat(get(client.listValues()))
        .extracting(ValuesSize::name, ValuesSize::entries)
        .containsExactly(tuple("files", 4));
  }

  private static void assertFails(CompletableFuture<?> future, Reason reason) {
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> get(future))
        .withCauseInstanceOf(TreecastException.class)
        .extracting(Throwable::getCause)
        .extracting(cause -> ((TreecastException) cause).reason())
        .isEqualTo(reason);
  }
}
