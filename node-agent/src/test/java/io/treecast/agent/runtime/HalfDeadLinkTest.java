package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.runtime.Forwarder.Direction;
import io.treecast.agent.runtime.Forwarder.Fate;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Codec;
import io.treecast.client.Group;
import io.treecast.client.GroupView;
import io.treecast.client.Member;
import io.treecast.client.Selector;
import io.treecast.client.Treecast;
import io.treecast.client.ValueEntry;
import io.treecast.client.Values;
import io.treecast.ghs.NodeId;
import io.treecast.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real agents between which a firewall lets one connection of a pair through. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class HalfDeadLinkTest {
  @TempDir private Path directory;

  /** The issuer of the certificates; null for plain text. */
  private @Nullable TestAuthority authority;

  private final TestAgents agents = new TestAgents();
  private final Forwarder firewall = new Forwarder();

  @AfterEach
  void closeAll() {
    agents.close();
    firewall.close();
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"RESET, true", "BLACK_HOLE, false"})
  void a_link_whose_data_connection_fails_otherwise_is_left_out_and_comes_back(
      Fate fate, boolean isSecured) throws IOException {
    a_link_whose_data_connection_fails_is_left_out_and_comes_back(fate, isSecured);
  }

  @ParameterizedTest
  @CsvSource({"RESET, false", "BLACK_HOLE, true"})
  void a_link_whose_data_connection_fails_is_left_out_and_comes_back(Fate fate, boolean isSecured)
      throws IOException {
    if (isSecured) {
      authority = new TestAuthority();
    }
    firewall.setFate(fate);
    Agent behind = startBehind();
    Agent dialer = startDialer();

    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(link(dialer, "h1").state()).isEqualTo(LinkState.NO_DATA);
              assertThat(link(behind, "h2").state()).isEqualTo(LinkState.NO_DATA);
              assertThat(TestAgents.memberCount(dialer)).isEqualTo(1);
              assertThat(TestAgents.memberCount(behind)).isEqualTo(1);
              assertThat(link(dialer, "h1").downReason()).contains("data stream");
            });

    firewall.setFate(null);
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(TestAgents.memberCount(dialer)).isEqualTo(2);
              assertThat(link(dialer, "h1").carriesData()).isTrue();
              assertThat(link(dialer, "h1").state()).isEqualTo(LinkState.UP);
            });
  }

  @Test
  void a_reset_data_connection_is_dialed_again_and_a_second_reset_leaves_the_link_out()
      throws IOException {
    startBehind();
    Agent dialer = startDialer();
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(dialer) == 2 && link(dialer, "h1").carriesData());

    int connections = firewall.connections();
    firewall.resetAllButFirst();
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> firewall.connections() > connections && link(dialer, "h1").carriesData());
    assertThat(TestAgents.snapshot(dialer).linksWithoutData()).isZero();

    // Two resets count together if they are close to each other.
    await()
        .atMost(TestAgents.PATIENCE)
        .until(
            () -> {
              if (link(dialer, "h1").carriesData()) {
                firewall.resetAllButFirst();
              }
              return link(dialer, "h1").state() == LinkState.NO_DATA;
            });
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.memberCount(dialer) == 2 && link(dialer, "h1").carriesData());
  }

  /**
   * Data of an edge vanishes in one direction, while there is a longer way: what all members hold
   * takes that way. Takes as long as an agent waits for data under way, half a minute.
   */
  @ParameterizedTest
  @Tag("nightly")
  @EnumSource
  void what_members_hold_goes_round_an_edge_that_loses_one_direction(Direction direction)
      throws Exception {
    try (LinkEmulation emulation =
        new LinkEmulation((from, to) -> isBetween(from, to, "h1", "h2") ? 0 : 5_000_000, 1)) {
      agents.withEmulation(emulation);
      Agent third = agents.start("h3");
      Agent behind = startBehind("h1", third.address().toString());
      await().atMost(TestAgents.PATIENCE).until(() -> TestAgents.memberCount(behind) == 2);
      Agent dialer = startDialer();
      try (Treecast here = behind.client();
          Treecast there = dialer.client();
          Treecast elsewhere = third.client();
          Group hereGroup = here.groups().join("g");
          Group thereGroup = there.groups().join("g")) {
        Queue<String> came = new ConcurrentLinkedQueue<>();
        here.subscribe(message -> came.add(message.text())).ready().get(60, TimeUnit.SECONDS);
        Values<String> hereValues = here.values("routes", Codec.utf8());
        Values<String> thereValues = there.values("routes", Codec.utf8());
        await()
            .atMost(TestAgents.PATIENCE)
            .untilAsserted(
                () -> {
                  assertThat(TestAgents.memberCount(third)).isEqualTo(3);
                  assertThat(TestAgents.memberCount(dialer)).isEqualTo(3);
                  assertThat(link(dialer, "h1").carriesData()).isTrue();
                  assertThat(members(hereGroup)).containsExactly("h1", "h2");
                });

        firewall.lose(direction);
        thereValues.put("k", "from h2").join();
        hereValues.put("l", "from h1").join();
        there.members().label("zone", "b").join();
        here.members().label("zone", "a").join();
        Group last = elsewhere.groups().join("g");
        there
            .broadcast("all".getBytes(UTF_8), BroadcastOptions.defaults())
            .get(60, TimeUnit.SECONDS);

        await()
            .atMost(TestAgents.PATIENCE.multipliedBy(2))
            .untilAsserted(
                () -> {
                  assertThat(link(dialer, "h1").state()).isEqualTo(LinkState.NO_DATA);
                  assertThat(hereValues.get("k").join()).map(ValueEntry::value).hasValue("from h2");
                  assertThat(thereValues.get("l").join())
                      .map(ValueEntry::value)
                      .hasValue("from h1");
                  for (Treecast client : List.of(here, there)) {
                    assertThat(client.members().select(Selector.parse("zone=a")).join())
                        .extracting(Member::id)
                        .containsExactly("h1");
                    assertThat(client.members().select(Selector.parse("zone=b")).join())
                        .extracting(Member::id)
                        .containsExactly("h2");
                  }
                  for (Group group : List.of(hereGroup, thereGroup, last)) {
                    assertThat(members(group)).containsExactly("h1", "h2", "h3");
                  }
                  assertThat(came).containsExactly("all");
                });
        there
            .broadcast("to a".getBytes(UTF_8), BroadcastOptions.to(Selector.parse("zone=a")))
            .get(60, TimeUnit.SECONDS);
        await()
            .atMost(TestAgents.PATIENCE)
            .untilAsserted(() -> assertThat(came).containsExactly("all", "to a"));
      }
    }
  }

  private static boolean isBetween(NodeId from, NodeId to, String one, String other) {
    return List.of(from.toString(), to.toString()).containsAll(List.of(one, other));
  }

  private static List<String> members(Group group) {
    GroupView view = group.view();
    return view == null ? List.of() : view.members();
  }

  /** The owner of the link, h1, dials its bulk probes, beside the control and data connection. */
  @ParameterizedTest
  @EnumSource(names = "RESET")
  @ResourceLock(MeasuredThroughputTest.ALL_BANDWIDTH)
  void a_link_whose_bulk_probes_fail_stays_in_the_tree_and_is_probed_again(Fate fate)
      throws IOException {
    bulkProbesFail(fate);
  }

  /** Takes half a minute: the timeout of each probe. */
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(names = "BLACK_HOLE")
  @ResourceLock(MeasuredThroughputTest.ALL_BANDWIDTH)
  void a_link_whose_bulk_probes_vanish_stays_in_the_tree_and_is_probed_again(Fate fate)
      throws IOException {
    bulkProbesFail(fate);
  }

  private void bulkProbesFail(Fate fate) throws IOException {
    agents.withThroughput(MeasuredThroughputTest.OFTEN);
    firewall.allow(2);
    firewall.setFate(fate);
    startBehind("h2");
    Agent owner = startDialer("h1");

    await().atMost(TestAgents.PATIENCE).until(() -> firewall.refused() >= 2);
    // The probes may begin before there is a tree.
    await().atMost(TestAgents.PATIENCE).until(() -> TestAgents.memberCount(owner) == 2);
    assertThat(link(owner, "h2").state()).isEqualTo(LinkState.UP);
    await().atMost(TestAgents.PATIENCE).until(() -> link(owner, "h2").carriesData());
    assertThat(link(owner, "h2").session()).isEqualTo(1);
    assertThat(TestAgents.snapshot(owner).linksWithoutData()).isZero();

    firewall.setFate(null);
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(() -> assertThat(link(owner, "h2").throughput()).isNotNull());
  }

  private Agent startBehind() throws IOException {
    return startBehind("h1");
  }

  private Agent startDialer() throws IOException {
    return startDialer("h2");
  }

  /** One that is reached by the firewall only. */
  private Agent startBehind(String id, String... seeds) throws IOException {
    AgentConfig config = secured(agents.config(id, List.of(seeds)));
    firewall.leadTo(config.listen());
    return agents.start(TestAgents.advertising(config, firewall.address()));
  }

  /** One that dials by the firewall, and that nobody can dial. */
  private Agent startDialer(String id) throws IOException {
    AgentConfig config = secured(agents.config(id, List.of(firewall.address().toString())));
    return agents.start(TestAgents.advertising(config, TestAgents.ANY_PORT.withPort(1)));
  }

  private AgentConfig secured(AgentConfig config) throws IOException {
    TestAuthority issuer = authority;
    String id = config.id().toString();
    return issuer == null
        ? config
        : config.with(Setting.TLS, issuer.agent(id, directory.resolve(id)));
  }

  private static LinkView link(Agent agent, String peer) {
    return TestAgents.snapshot(agent).links().stream()
        .filter(link -> link.peer().id().equals(NodeId.of(peer)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no link to " + peer + " yet"));
  }
}
