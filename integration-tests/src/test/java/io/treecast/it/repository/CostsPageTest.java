package io.treecast.it.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.claim.ClaimKey;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.SimAgent;
import io.treecast.testkit.sim.SimCluster;
import io.treecast.testkit.sim.network.DataTraffic;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The table of costs is that of simulated agents on the reference network. */
@Order(2)
class CostsPageTest {
  private static final Path COSTS = Path.of("docs/costs.md");
  private static final int MEMBERS = 24;
  private static final int USER = 12;
  private static final List<Integer> SOME = List.of(4, 5, 17, 20);
  private static final ByteBuffer PAYLOAD = ByteBuffer.allocate(100);
  private static final String CLOCK = "TimeOfRoot";

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
  private final List<String> rows = new ArrayList<>();

  private SimAgent agent(int node) {
    return cluster.agents().stream().filter(each -> each.node() == node).findFirst().orElseThrow();
  }

  private SortedMap<String, DataTraffic> pass(long millis) {
    SortedMap<String, DataTraffic> before = cluster.dataTraffic();
    assertThat(cluster.runUntil(() -> false, millis)).isFalse();
    SortedMap<String, DataTraffic> passed = new TreeMap<>();
    cluster
        .dataTraffic()
        .forEach(
            (type, all) -> {
              DataTraffic since = all.since(before.getOrDefault(type, DataTraffic.NONE));
              if (since.messages() > 0) {
                passed.put(type, since);
              }
            });
    return passed;
  }

  private void measure(String operation, Runnable event) {
    SortedMap<String, DataTraffic> idle = pass(10_000);
    assertThat(idle.keySet()).as("messages before %s", operation).containsExactly(CLOCK);
    SortedMap<String, DataTraffic> before = cluster.dataTraffic();
    event.run();
    pass(20_000);
    DataTraffic cost = DataTraffic.NONE;
    for (var each : cluster.dataTraffic().entrySet()) {
      if (!each.getKey().equals(CLOCK)) {
        cost =
            cost.plus(each.getValue().since(before.getOrDefault(each.getKey(), DataTraffic.NONE)));
      }
    }
    row(operation, cost);
  }

  private void row(String operation, DataTraffic cost) {
    rows.add(
        "| "
            + operation
            + " | "
            + String.format("%,d", cost.messages())
            + " | "
            + String.format("%,d", cost.bytes())
            + " |");
  }

  private void broadcast(int source, String topic, int receivers) {
    MessageId message = cluster.broadcast(source, topic, PAYLOAD, 0);
    assertThat(cluster.runUntil(() -> cluster.deliveries().count(message) == receivers, 10_000))
        .isTrue();
  }

  private void reply(List<Integer> members) {
    members.forEach(member -> broadcast(member, "reply", 1));
  }

  private void barrier() {
    Operation barrier = new Operation("barrier", Kind.BARRIER, null, null, new TreeSet<>());
    IntStream.range(0, MEMBERS)
        .forEach(node -> cluster.collectives().takePart(node, barrier, Value.NOTHING, 60_000));
  }

  private void acquire() {
    ClaimKey key =
        ClaimKey.of("nightly", List.of(0, 12, 20).stream().map(SimSettings::id).toList(), false);
    agent(USER)
        .claim(
            (claims, now) ->
                claims.acquire(1, key, TimeUnit.SECONDS.toNanos(60), true, 1_000_000_000L, now));
    assertThat(cluster.runUntil(() -> agent(USER).isHeld(1), 10_000)).isTrue();
  }

  @Test
  void the_page_has_the_costs_that_simulated_agents_have() {
    assertThat(cluster.runUntilAtRest(120_000)).isTrue();
    pass(60_000);
    SortedMap<String, DataTraffic> tenSeconds = pass(10_000);
    assertThat(tenSeconds).containsOnlyKeys(CLOCK);

    broadcasts();
    requests();
    GroupPath group = new GroupPath("trainers");
    measure("join of the first member of a group", () -> agent(3).group(g -> g.join(group)));
    measure("join of a second member", () -> agent(USER).group(g -> g.join(group)));
    measure("leave of the second member", () -> agent(USER).group(g -> g.leave(group)));
    MapName routes = new MapName(Rule.LATEST, "routes");
    measure(
        "put of a value of 100 bytes",
        () -> agent(USER).values((values, now) -> values.put(routes, "eu", PAYLOAD, now)));
    MapName labels = new MapName(Rule.LATEST, "treecast.labels");
    ByteBuffer yes = ByteBuffer.wrap("yes".getBytes(UTF_8));
    measure(
        "change of a label",
        () -> agent(USER).values((values, now) -> values.hold(1, labels, "12 draining", yes, now)));
    MapName best = new MapName(Rule.LEAST, "incumbent");
    measure(
        "offer of a better value",
        () -> agent(USER).values((values, now) -> values.offer(best, 5, yes, now)));
    measure(
        "offer of one that is not better",
        () -> agent(3).values((values, now) -> values.offer(best, 6, yes, now)));
    measure("claim among three members in three sites: acquire", this::acquire);
    measure("its renewal", () -> agent(USER).claim((claims, now) -> claims.renew(1, 1, now)));
    measure("its release", () -> agent(USER).claim((claims, now) -> claims.release(1, now)));
    measure("barrier of all members", this::barrier);
    row("clock, in 10 s", tenSeconds.getOrDefault(CLOCK, DataTraffic.NONE));

    assertThat(Repository.text(COSTS).lines().filter(line -> line.matches("\\| .*\\d \\|")))
        .containsExactlyElementsOf(rows);
  }

  private void broadcasts() {
    measure("broadcast to all members", () -> broadcast(USER, Topic.DEFAULT, MEMBERS));
    measure(
        "broadcast that all members confirm",
        () -> cluster.broadcast(USER, Topic.DEFAULT, PAYLOAD, 30_000));
    String selection = Topic.to(SOME.stream().map(SimSettings::id).toList());
    measure("message to four selected members", () -> broadcast(USER, selection, SOME.size()));
    measure(
        "message to them that they confirm",
        () -> cluster.broadcast(USER, selection, PAYLOAD, 30_000));
  }

  private void requests() {
    List<Integer> all = IntStream.range(0, MEMBERS).boxed().toList();
    all.forEach(node -> cluster.subscribe(node, "request"));
    cluster.subscribe(20, "request/20");
    measure("subscription to a topic", () -> cluster.subscribe(USER, "reply"));
    measure(
        "request to one member, and its reply",
        () -> {
          broadcast(USER, "request/20", 1);
          reply(List.of(20));
        });
    String selection = Topic.to(SOME.stream().map(SimSettings::id).toList()) + "/request";
    measure(
        "request to four members, and their replies",
        () -> {
          broadcast(USER, selection, SOME.size());
          reply(SOME);
        });
    measure(
        "request to all members, and their replies",
        () -> {
          broadcast(USER, "request", MEMBERS);
          reply(all);
        });
  }
}
