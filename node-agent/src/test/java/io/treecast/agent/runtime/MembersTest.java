package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.Labels;
import io.treecast.agent.config.Setting;
import io.treecast.client.Codec;
import io.treecast.client.Member;
import io.treecast.client.MemberHandler;
import io.treecast.client.Selector;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of real agents, their labels, and their selection. */
@Timeout(120)
class MembersTest {
  private final TestAgents agents = new TestAgents();
  private final List<Treecast> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    clients.forEach(Treecast::close);
    agents.close();
  }

  private Treecast client(Agent agent) {
    Treecast client = agent.client();
    clients.add(client);
    return client;
  }

  private Agent start(String id, String site, Map<String, String> labels, Agent... seeds) {
    List<String> addresses = new ArrayList<>();
    for (Agent seed : seeds) {
      addresses.add(seed.address().toString());
    }
    SortedMap<String, String> sorted = new TreeMap<>(labels);
    return agents.start(
        agents.config(id, addresses).with(Setting.SITE, site).with(Setting.LABELS, sorted));
  }

  private static List<Member> selected(Treecast client, String selector) {
    return client.members().select(Selector.parse(selector)).join();
  }

  private static void awaitSelected(Treecast client, String selector, String... ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(selected(client, selector)).extracting(Member::id).containsExactly(ids));
  }

  /** Notes the calls, as "+h1", "-h1" and "h1 gpu=8". */
  private static final class Recording implements MemberHandler {
    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void onJoined(Member member) {
      calls.add("+" + member.id());
    }

    @Override
    public void onLeft(Member member) {
      calls.add("-" + member.id());
    }

    @Override
    public void onChanged(Member before, Member after) {
      calls.add(after.id() + " " + after.labels().get("load"));
    }

    @Override
    public void onLive() {
      calls.add("live");
    }
  }

  @Test
  void members_are_selected_by_the_labels_and_sites_of_their_settings() {
    Agent first = start("h1", "east", Map.of("gpu", "8", "fw", "2.10"));
    Agent second = start("h2", "west", Map.of("fw", "2.9"), first);
    for (Agent agent : List.of(first, second)) {
      awaitSelected(client(agent), "fw", "h1", "h2");
    }
    Treecast client = client(second);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(selected(client, "gpu>=4, site=east"))
                    .containsExactly(
                        new Member("h1", Map.of("gpu", "8", "fw", "2.10", "site", "east"))));
    assertThat(selected(client, "fw<2.10")).extracting(Member::id).containsExactly("h2");
    assertThat(selected(client, "fw=3")).isEmpty();
    awaitSelected(client, "id=h2, site=west", "h2");
  }

  @Test
  void a_label_of_an_application_lasts_until_it_is_closed() {
    List<Agent> cluster = agents.startReadyCluster(2);
    Treecast elsewhere = client(cluster.get(0));
    Subscription label = client(cluster.get(1)).members().label("draining", "yes").join();
    awaitSelected(elsewhere, "draining", "h2");

    label.close();

    awaitSelected(elsewhere, "!draining", "h1", "h2");
  }

  @Test
  void a_label_goes_with_its_client_to_another_agent() {
    Agent first = start("h1", "east", Map.of());
    Agent second = start("h2", "west", Map.of(), first);
    Treecast elsewhere = client(second);
    awaitSelected(elsewhere, "site", "h1", "h2");
    Treecast moving = Treecast.connect(first.address().toString(), second.address().toString());
    clients.add(moving);
    Subscription label = moving.members().label("draining", "yes").join();
    awaitSelected(elsewhere, "draining", "h1");

    first.close();

    awaitSelected(elsewhere, "draining", "h2");
    label.close();
    label.done().join();
    awaitSelected(elsewhere, "!draining", "h2");
  }

  @Test
  void a_label_of_the_settings_returns_when_that_of_an_application_ends() {
    Agent agent = start("h1", "east", Map.of("draining", "no"));
    Treecast client = client(agent);
    Subscription label = client.members().label("draining", "yes").join();
    awaitSelected(client, "draining=yes", "h1");

    label.close();

    awaitSelected(client, "draining=no", "h1");
  }

  @Test
  void a_watch_reports_members_that_join_change_and_leave() {
    Agent first = start("h1", "east", Map.of());
    Recording recording = new Recording();
    Subscription watch = client(first).members().watch(Selector.parse("site=west"), recording);
    assertThat(watch.ready().join()).isEqualTo("h1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(recording.calls).containsExactly("live"));

    Agent second = start("h2", "west", Map.of(), first);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recording.calls).contains("+h2"));
    client(second).members().label("load", "7").join();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recording.calls).contains("h2 7"));
    second.close();

    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recording.calls).contains("-h2"));
    watch.close();
    watch.done().join();
    assertThat(recording.calls).startsWith("live", "+h2", "h2 7").endsWith("-h2");
  }

  @Test
  void the_labels_of_another_member_cannot_be_written() {
    Agent agent = start("h1", "east", Map.of());
    Treecast client = client(agent);

    for (String key : List.of("h2/gpu", "h1", "h1/site", "h1/a b", "/site", "/")) {
      assertThatThrownBy(
              () -> client.values(Labels.MAP, Codec.utf8()).putEphemeral(key, "8").ready().join())
          .as(key)
          .hasCauseInstanceOf(TreecastException.class);
    }
    assertThatThrownBy(
            () -> client.blocking().put(client.values(Labels.MAP), "h1/gpu", new byte[1]))
        .isInstanceOf(TreecastException.class);
    assertThat(selected(client, "id=h1"))
        .extracting(Member::labels)
        .containsExactly(new TreeMap<>(Map.of("site", "east")));
  }

  @Test
  void a_request_goes_to_the_members_that_a_selector_selects() {
    List<Agent> cluster = agents.startReadyCluster(3);
    for (Agent agent : cluster) {
      String id = TestAgents.snapshot(agent).self().id().toString();
      client(agent).requests().serve("name", request -> id.getBytes(UTF_8)).ready().join();
    }
    client(cluster.get(1)).members().label("gpu", "8").join();
    client(cluster.get(2)).members().label("gpu", "4").join();
    Treecast requester = client(cluster.get(0));
    awaitSelected(requester, "gpu", "h2", "h3");

    assertThat(
            requester
                .requests()
                .requestEach(Selector.parse("gpu>=8"), "name", new byte[0], PATIENCE)
                .join())
        .hasEntrySatisfying("h2", reply -> assertThat(reply.text()).isEqualTo("h2"))
        .hasSize(1);
    assertThat(
            requester
                .requests()
                .requestEach(Selector.parse("gpu>8"), "name", new byte[0], PATIENCE)
                .join())
        .isEmpty();
  }
}
