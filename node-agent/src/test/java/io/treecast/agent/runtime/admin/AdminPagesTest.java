package io.treecast.agent.runtime.admin;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.agent.runtime.status.BuildVersion;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.ExplainLinkRequest;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.GetStatusResponse;
import io.treecast.proto.v1.LinkState;
import io.treecast.proto.v1.ListLinksRequest;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages and calls of an agent for operators, over HTTP and gRPC. */
@Order(2)
class AdminPagesTest {
  /** Prometheus text format: a name, labels, a value. */
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^}]*})? (\\S+)");

  private final TestAgents agents = new TestAgents();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private HttpResponse<String> request(Agent agent, String method, String path, String... headers) {
    return TestAgents.inTime(() -> answer(agent, method, path, headers));
  }

  private HttpResponse<String> answer(Agent agent, String method, String path, String... headers) {
    HostPort admin = agent.adminAddress();
    assertThat(admin).isNotNull();
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://" + admin + path))
              .timeout(PATIENCE)
              .method(method, HttpRequest.BodyPublishers.noBody());
      return http.send(
          (headers.length == 0 ? request : request.headers(headers)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError("no page " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> get(Agent agent, String path) {
    return request(agent, "GET", path);
  }

  @Test
  void readiness_is_503_with_the_reason_until_there_is_a_tree_and_liveness_is_not_bothered() {
    Agent first = agents.startWaiting("h1");
    HttpResponse<String> notReady = get(first, "/readyz");
    assertThat(notReady.statusCode()).isEqualTo(503);
    assertThat(notReady.body()).contains("0 links");
    assertThat(get(first, "/healthz").statusCode()).isEqualTo(200);
    assertThat(get(first, "/healthz").body()).isEqualTo("ok\n");

    Agent second = agents.start("h2", first.address().toString());
    agents.silenceEnds();
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 2);
    assertThat(get(first, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(first, "/readyz").body()).isEqualTo("ready\n");

    second.close();
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 1);
    assertThat(get(first, "/readyz").statusCode()).as("it has a tree of its own").isEqualTo(200);
    assertThat(get(first, "/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void metrics_have_the_documented_names_and_parse() {
    List<Agent> cluster = agents.startReadyCluster(3);
    // The tree may change between the page and the snapshot.
    await().atMost(PATIENCE).untilAsserted(() -> assertMetrics(cluster.get(0)));

    var unused =
        TreecastServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)))
            .broadcast(io.treecast.proto.v1.BroadcastRequest.getDefaultInstance());
    assertThat(parse(get(cluster.get(0), "/metrics").body()))
        .containsEntry("treecast_broadcast_published_total{node=\"h1\"}", 1.0);
  }

  private void assertMetrics(Agent first) {
    HttpResponse<String> page = get(first, "/metrics");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/plain; version=0.0.4");
    Map<String, Double> samples = parse(page.body());
    assertThat(samples)
        .containsEntry("treecast_ready{node=\"h1\"}", 1.0)
        .containsEntry(
            "treecast_build_info{node=\"h1\",version=\"" + BuildVersion.version() + "\"}", 1.0)
        .containsEntry("treecast_links{node=\"h1\",state=\"suspended\"}", 0.0)
        .containsEntry("treecast_tree_edges{node=\"h1\"}", 2.0)
        .containsEntry("treecast_tree_absent_members{node=\"h1\"}", 0.0)
        .containsEntry("treecast_links{node=\"h1\",state=\"up\"}", 2.0)
        .containsEntry("treecast_links{node=\"h1\",state=\"dialing\"}", 0.0)
        .containsEntry("treecast_links{node=\"h1\",state=\"measuring\"}", 0.0)
        .containsEntry("treecast_protocol_dropped_total{node=\"h1\",reason=\"invalid_frame\"}", 0.0)
        .containsEntry(
            "treecast_protocol_dropped_total{node=\"h1\",reason=\"invalid_connection\"}", 0.0)
        .containsEntry(
            "treecast_protocol_dropped_total{node=\"h1\",reason=\"protocol_violation\"}", 0.0)
        .containsEntry("treecast_protocol_dropped_total{node=\"h1\",reason=\"duplicate_id\"}", 0.0)
        .containsKey("treecast_control_messages_total{node=\"h1\",type=\"Connect\"}")
        .containsKey("treecast_control_messages_total{node=\"h1\",type=\"Commit\"}")
        .containsEntry("treecast_broadcast_published_total{node=\"h1\"}", 0.0);
    assertThat(samples.get("treecast_tree_version{node=\"h1\"}"))
        .isPositive()
        .isEqualTo(versionAt(first));
    assertThat(
            samples.get(
                "treecast_tree_reconfigurations_total{cause=\"member-started\",node=\"h1\"}"))
        .isPositive();
    assertThat(samples)
        .containsKey("treecast_tree_reconfiguration_seconds_count{node=\"h1\"}")
        .containsEntry(
            "treecast_tree_reconfigurations_total{cause=\"tree-link-lost\",node=\"h1\"}", 0.0);
    assertThat(samples.get("treecast_tree_weight_seconds{node=\"h1\"}"))
        .isPositive()
        .isLessThan(60);

    assertThat(samples)
        .as("measured at the end with the lower id")
        .containsKey("treecast_link_rtt_seconds{node=\"h1\",peer=\"h2\"}")
        .doesNotContainKey("treecast_link_rtt_seconds{node=\"h2\",peer=\"h1\"}")
        .containsKey("treecast_link_weight_seconds{node=\"h2\",peer=\"h1\"}");
  }

  private static double versionAt(Agent agent) {
    CommittedTree tree = snapshot(agent).tree().tree();
    return tree == null ? 0 : (double) tree.version();
  }

  private static Map<String, Double> parse(String text) {
    Map<String, Double> samples = new TreeMap<>();
    for (String line : text.lines().toList()) {
      if (!line.startsWith("#")) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String labels = sample.group(2);
        samples.put(
            sample.group(1) + (labels == null ? "" : labels), Double.parseDouble(sample.group(3)));
      }
    }
    return samples;
  }

  @Test
  void the_tree_page_is_json() {
    Agent waiting = agents.startWaiting("x");
    JsonNode none = JsonMapper.shared().readTree(get(waiting, "/tree.json").body());
    assertThat(none.get("ready").asBoolean()).isFalse();
    assertThat(none.get("reason").asString()).contains("0 links");
    assertThat(none.has("tree")).isFalse();

    Agent second = agents.startReadyCluster(3).get(1);
    // The tree may change between the page and the snapshot.
    await().atMost(PATIENCE).untilAsserted(() -> assertTreePage(second));
  }

  private void assertTreePage(Agent second) {
    JsonNode tree = json(second, "/tree.json");
    assertThat(tree.get("node").asString()).isEqualTo("h2");
    assertThat(tree.get("ready").asBoolean()).isTrue();
    assertThat(tree.get("version").asDouble()).isEqualTo(versionAt(second));
    assertThat(tree.get("tree")).hasSize(2);
    double sum = 0;
    for (JsonNode edge : tree.get("tree")) {
      sum += edge.get("weightMillis").asDouble();
    }
    assertThat(tree.get("weightMillis").asDouble())
        .isCloseTo(sum, org.assertj.core.data.Offset.offset(1e-9));
  }

  @Test
  void the_tree_page_names_sites_and_members_that_are_not_in_the_tree() {
    Agent first = agents.withSite("east").start("h1");
    Agent second = agents.withSite("west").start("h2", first.address().toString());
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 2);
    JsonNode page = json(first, "/tree.json");
    assertThat(page.get("sites").get("h1").asString()).isEqualTo("east");
    assertThat(page.get("sites").get("h2").asString()).isEqualTo("west");
    assertThat(page.get("siteMillis").asDouble()).isEqualTo(3);
    assertThat(page.get("absent")).isEmpty();
    assertThat(page.get("measuresThroughput").asBoolean()).isFalse();
    assertThat(page.has("widestTree")).isFalse();

    second.crash();
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 1);
    JsonNode absent = json(first, "/tree.json").get("absent");
    assertThat(absent).hasSize(1);
    assertThat(absent.get(0).asString()).isEqualTo("h2");
  }

  @Test
  void the_tree_page_has_the_widest_tree_where_throughput_is_measured() {
    Agent first = agents.withThroughput(ThroughputPolicy.DEFAULT).startCluster(2).get(0);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(json(first, "/tree.json").at("/widestTree/tree")).hasSize(1));
    JsonNode widest = json(first, "/tree.json").get("widestTree");
    assertThat(widest.get("version").asLong()).isPositive();
    assertThat(widest.get("root").asString()).startsWith("h");
    JsonNode edge = widest.get("tree").get(0);
    assertThat(edge.get("a").asString()).isEqualTo("h1");
    assertThat(edge.get("b").asString()).isEqualTo("h2");
    assertThat(edge.get("throughputMbps").isNull() || edge.get("throughputMbps").asDouble() > 0)
        .isTrue();
    assertThat(edge.get("atLeast").isBoolean()).isTrue();
  }

  @Test
  void the_page_of_links_says_what_this_end_measures_and_what_it_cannot_know() {
    List<Agent> cluster = agents.startReadyCluster(2);
    JsonNode here = json(cluster.get(0), "/links.json").get("links").get(0);
    assertThat(here.get("peer").asString()).isEqualTo("h2");
    assertThat(here.get("state").asString()).isEqualTo("up");
    assertThat(here.get("treeEdge").asBoolean()).isTrue();
    assertThat(here.get("weightMillis").asDouble()).isPositive();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                json(cluster.get(0), "/links.json").at("/links/0/forecastMillis").asDouble(0) > 0);
    JsonNode there = json(cluster.get(1), "/links.json").get("links").get(0);
    assertThat(there.get("peer").asString()).isEqualTo("h1");
    assertThat(there.get("forecastMillis").isNull()).as("h1 measures").isTrue();
    assertThat(there.get("site").isNull()).isTrue();
  }

  @Test
  void the_page_of_the_history_has_the_latest_tree_first_and_what_led_to_it() {
    Agent first = agents.start("h1");
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 1);
    agents.start("h2", first.address().toString());
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 2);
    JsonNode history = json(first, "/history.json").get("history");
    JsonNode oldest = history.get(history.size() - 1);
    assertThat(oldest.get("versionBefore").asLong()).isZero();
    assertThat(oldest.get("edges").asInt()).isZero();
    assertThat(oldest.get("causes").get(0).asString()).isEqualTo("member-started");
    JsonNode joined = history.get(history.size() - 2);
    assertThat(joined.get("versionBefore").asLong()).isEqualTo(oldest.get("version").asLong());
    assertThat(joined.get("added").get(0).get("a").asString()).isEqualTo("h1");
    assertThat(joined.get("added").get(0).get("b").asString()).isEqualTo("h2");
    assertThat(joined.get("durationMillis").asDouble()).isPositive();
  }

  private JsonNode json(Agent agent, String path) {
    HttpResponse<String> page = get(agent, path);
    assertThat(page.statusCode()).as(path).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).hasValue("application/json");
    return JsonMapper.shared().readTree(page.body());
  }

  @Test
  void an_unchanged_page_is_not_sent_again() {
    Agent first = agents.start("h1");
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 1);
    for (String path : List.of("/", "/tree.json", "/links.json", "/history.json")) {
      HttpResponse<String> page = get(first, path);
      String tag = page.headers().firstValue("ETag").orElse("");
      HttpResponse<String> again = request(first, "GET", path, "If-None-Match", tag);
      assertThat(again.statusCode()).as(path).isEqualTo(304);
      assertThat(again.body()).as(path).isEmpty();
      assertThat(again.headers().firstValue("ETag")).as(path).hasValue(tag);
      for (String other : List.of("\"x\"", "W/\"x\"", "\"x\", \"y\"", "")) {
        assertThat(request(first, "GET", path, "If-None-Match", other).body())
            .as(path + " to " + other)
            .isEqualTo(page.body());
      }
    }
    assertThat(get(first, "/metrics").headers().firstValue("ETag")).isEmpty();

    String tag = get(first, "/tree.json").headers().firstValue("ETag").orElse("");
    agents.start("h2", first.address().toString());
    await().atMost(PATIENCE).until(() -> TestAgents.memberCount(first) == 2);
    HttpResponse<String> news = request(first, "GET", "/tree.json", "If-None-Match", tag);
    assertThat(news.statusCode()).isEqualTo(200);
    assertThat(news.headers().firstValue("ETag").orElse("")).isNotEqualTo(tag);
  }

  @Test
  void entity_tags_are_accepted_in_all_forms_of_http() {
    Agent lone = agents.start("h1");
    String tag = get(lone, "/").headers().firstValue("ETag").orElse("");
    for (String has :
        List.of("W/" + tag, "\"x\", " + tag, tag + " ,\"x\"", "\"x\",W/" + tag, "*")) {
      assertThat(request(lone, "GET", "/", "If-None-Match", has).statusCode())
          .as(has)
          .isEqualTo(304);
    }
    assertThat(
            request(lone, "GET", "/", "If-None-Match", "\"x\"", "If-None-Match", tag).statusCode())
        .as("two fields of this name")
        .isEqualTo(304);
  }

  @Test
  void other_pages_and_methods_are_refused() {
    Agent lone = agents.start("h1");
    for (String path :
        List.of("/live-page/", "/index.html", "/nothing", "/metricsx", "/healthz/x", "/..")) {
      HttpResponse<String> page = get(lone, path);
      assertThat(page.statusCode()).as(path).isEqualTo(404);
      assertThat(page.body())
          .as(path)
          .contains(
              " /, /metrics, /healthz, /readyz, /tree.json, /links.json, /activity.json,"
                  + " /history.json, /past-tree.json, /link.json, /series.json, /labels.json,"
                  + " /groups.json, /group.json\n");
    }
    for (String path : List.of("/", "/metrics", "/live-page/live.js")) {
      assertThat(request(lone, "POST", path).statusCode()).as(path).isEqualTo(405);
      assertThat(request(lone, "HEAD", path).statusCode()).as(path).isEqualTo(200);
      assertThat(request(lone, "HEAD", path).body()).as(path).isEmpty();
    }
  }

  @Test
  void grpc_health_follows_readiness() {
    Agent first = agents.startWaiting("h1");
    var health = HealthGrpc.newBlockingStub(agents.channel(first));
    for (String service : List.of("", TreecastServiceGrpc.SERVICE_NAME)) {
      HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
      assertThat(health.check(request).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }
    agents.silenceEnds();
    for (String service : List.of("", TreecastServiceGrpc.SERVICE_NAME)) {
      HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
      await()
          .atMost(PATIENCE)
          .until(() -> health.check(request).getStatus() == ServingStatus.SERVING);
    }
  }

  @Test
  void grpc_reflection_lists_the_services_and_describes_the_peer_service() {
    Agent lone = agents.start("h1");
    ServerReflectionResponse services =
        reflect(lone, ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThat(services.getListServicesResponse().getServiceList())
        .extracting(service -> service.getName())
        .contains(
            "treecast.v1.PeerService",
            "treecast.v1.TreecastService",
            "treecast.v1.AdminService",
            "grpc.health.v1.Health");
    ServerReflectionResponse file =
        reflect(
            lone,
            ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("treecast.v1.PeerService")
                .build());
    assertThat(file.getFileDescriptorResponse().getFileDescriptorProtoCount()).isPositive();
  }

  private ServerReflectionResponse reflect(Agent agent, ServerReflectionRequest request) {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(agents.channel(agent))
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse value) {
                    answer.complete(value);
                  }

                  @Override
                  public void onError(Throwable error) {
                    answer.completeExceptionally(error);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(request);
    requests.onCompleted();
    return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Test
  void the_admin_service_tells_status_and_links() {
    List<Agent> cluster = agents.startReadyCluster(3);
    var admin = AdminServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));
    GetStatusResponse status = admin.getStatus(GetStatusRequest.getDefaultInstance());
    assertThat(status.getTree().getReady()).isTrue();
    assertThat(status.getTree().getNotReadyReason()).isEmpty();
    assertThat(status.getMembersList())
        .extracting(member -> member.getNodeId())
        .containsExactlyInAnyOrder("h1", "h2", "h3");
    var links = admin.listLinks(ListLinksRequest.getDefaultInstance()).getLinksList();
    assertThat(links).extracting(link -> link.getPeer()).containsExactly("h2", "h3");
    assertThat(links)
        .allSatisfy(
            link -> {
              assertThat(link.getState()).isEqualTo(LinkState.LINK_STATE_UP);
              assertThat(link.getRttMinMicros()).as("h1 owns its links").isPositive();
              assertThat(link.getWeight().getCost()).isPositive();
              assertThat(link.getSession()).isEqualTo(1);
            });
    // The tree may change between the two questions.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        admin
                            .listLinks(ListLinksRequest.getDefaultInstance())
                            .getLinksList()
                            .stream()
                            .filter(link -> link.getTreeEdge())
                            .count())
                    .isEqualTo(
                        snapshot(cluster.get(0)).links().stream()
                            .filter(l -> l.treeEdge())
                            .count()));
  }

  @Test
  void the_admin_service_explains_a_link_and_refuses_an_unknown_one() {
    List<Agent> cluster = agents.startReadyCluster(2);
    var admin = AdminServiceGrpc.newBlockingStub(agents.channel(cluster.get(0)));
    var explanation = admin.explainLink(ExplainLinkRequest.newBuilder().setPeer("h2").build());
    assertThat(explanation.getLink().getTreeEdge()).isTrue();
    assertThat(explanation.getLink().getExpectation().getForecastMicros()).isPositive();
    assertThat(explanation.getDecision().getTurningPointMicros())
        .isGreaterThan(explanation.getLink().getWeight().getCost());
    assertThat(explanation.getWeightsList()).isNotEmpty();
    var byTheOther =
        AdminServiceGrpc.newBlockingStub(agents.channel(cluster.get(1)))
            .explainLink(ExplainLinkRequest.newBuilder().setPeer("h1").build());
    assertThat(byTheOther.hasDecision()).as("h1 decides").isFalse();
    assertThat(byTheOther.getHeaviestOnPath().getCost()).isPositive();
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> admin.explainLink(ExplainLinkRequest.newBuilder().setPeer("h9").build()))
        .withMessageContainingAll("NOT_FOUND", "h9");
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> admin.explainLink(ExplainLinkRequest.getDefaultInstance()))
        .withMessageStartingWith("INVALID_ARGUMENT: ");
  }
}
