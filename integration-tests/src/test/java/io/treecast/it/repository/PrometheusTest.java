package io.treecast.it.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.local.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prometheus itself scrapes an agent and evaluates the rules. Needs Debian's package. */
@Timeout(300)
class PrometheusTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Path ALERTS = Path.of("docs/alerts.yml");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private Path directory;

  @BeforeAll
  static void requirePrometheus() {
    assumeTrue(
        Stream.of("prometheus", "promtool")
            .allMatch(name -> Files.isExecutable(Path.of("/usr/bin", name))),
        "Prometheus is not installed: apt-get install prometheus");
  }

  /** Runs a tool to its end, and returns its output. */
  private String promtool(int exitCode, Path input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
    command.addAll(List.of(arguments));
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
    return text;
  }

  private static final Path NOTHING = Path.of("/dev/null");

  private void copyAlerts() throws IOException {
    Files.writeString(directory.resolve("alerts.yml"), Repository.text(ALERTS));
  }

  @Test
  void the_rules_are_valid_and_fire_when_they_should() throws Exception {
    copyAlerts();
    try (var test =
        Objects.requireNonNull(
            PrometheusTest.class.getResourceAsStream("/prometheus/alerts.test.yml"))) {
      Files.copy(test, directory.resolve("alerts.test.yml"));
    }

    assertThat(promtool(0, NOTHING, "check", "rules", "alerts.yml"))
        .contains("SUCCESS: " + AlertsTest.rules().size() + " rules found");
    assertThat(promtool(0, NOTHING, "test", "rules", "alerts.test.yml")).contains("SUCCESS");
  }

  private static Agent agent(String id, List<String> seeds) throws Exception {
    HostPort anyPort = new HostPort("127.0.0.1", 0);
    return Agent.start(
        AgentConfig.discovered(NodeId.of(id), anyPort, seeds).with(Setting.ADMIN, anyPort),
        AgentOptions.standard());
  }

  @Test
  void the_metrics_are_named_as_promtool_wants() throws Exception {
    try (Agent neighbour = agent("h2", List.of());
        Agent agent = agent("h1", List.of(neighbour.address().toString()));
        Treecast client = Treecast.connect(agent.address().toString())) {
      // On a busy machine, the first tree takes longer than a subscription waits for it.
      assertThat(agent.ready()).succeedsWithin(PATIENCE);
      try (EventIterator<Message> messages = client.blocking().subscribe()) {
        client.blocking().broadcast("x".getBytes(UTF_8));
        assertThat(messages.next().text()).isEqualTo("x");
      }
      String metrics = "http://" + agent.adminAddress() + "/metrics";
      await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> get(metrics).contains("peer=\"h2\""));
      String page = get(metrics);
      assertThat(page).contains("treecast_broadcast_delivery_seconds_bucket");
      Path scraped = Files.writeString(directory.resolve("metrics"), page);

      assertThat(promtool(0, scraped, "check", "metrics")).isEmpty();
    }
  }

  @Test
  @SuppressWarnings("try") // The agent ends in the middle of the test.
  void prometheus_scrapes_an_agent_and_evaluates_the_rules() throws Exception {
    copyAlerts();
    int port = FreePorts.find(1).get(0);
    String prometheus = "http://127.0.0.1:" + port;
    try (Agent agent = agent("h1", List.of())) {
      Files.writeString(
          directory.resolve("prometheus.yml"),
          """
          global: {scrape_interval: 1s, evaluation_interval: 1s}
          rule_files: [alerts.yml]
          scrape_configs:
            - job_name: prices
              static_configs: [{targets: ["%s"]}]
          """
              .formatted(agent.adminAddress()));
      promtool(0, NOTHING, "check", "config", "prometheus.yml");
      Process process = startPrometheus(port);
      try {
        await()
            .atMost(PATIENCE)
            .ignoreExceptionsInstanceOf(IOException.class)
            .untilAsserted(
                () ->
                    assertThat(value(prometheus, "treecast_ready{job=\"prices\",node=\"h1\"}"))
                        .isEqualTo("1"));
        await()
            .atMost(PATIENCE)
            .ignoreExceptionsInstanceOf(IOException.class)
            .untilAsserted(
                () -> {
                  assertThat(rules(prometheus)).hasSameSizeAs(AlertsTest.rules());
                  assertThat(rules(prometheus))
                      .allSatisfy(
                          rule -> {
                            assertThat(rule.get("health").asString()).isEqualTo("ok");
                            assertThat(rule.get("state").asString()).isEqualTo("inactive");
                          });
                });

        agent.close();
        await()
            .atMost(PATIENCE)
            .ignoreExceptionsInstanceOf(IOException.class)
            .untilAsserted(
                () ->
                    assertThat(rules(prometheus))
                        .filteredOn(rule -> !rule.get("state").asString().equals("inactive"))
                        .extracting(rule -> rule.get("name").asString())
                        .containsExactly("TreecastAgentDown"));
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private Process startPrometheus(int port) throws IOException {
    return new ProcessBuilder(
            "/usr/bin/prometheus",
            "--config.file=prometheus.yml",
            "--storage.tsdb.path=data",
            "--web.listen-address=127.0.0.1:" + port)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private static String get(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10)).build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) { // Prometheus is still starting.
      throw new IOException(url + " answered " + answer.statusCode());
    }
    return answer.body();
  }

  private static String value(String prometheus, String query)
      throws IOException, InterruptedException {
    JsonNode answer =
        JsonMapper.shared()
            .readTree(get(prometheus + "/api/v1/query?query=" + URLEncoder.encode(query, UTF_8)));
    return answer.at("/data/result/0/value/1").asString("");
  }

  private static List<JsonNode> rules(String prometheus) throws IOException, InterruptedException {
    List<JsonNode> rules = new ArrayList<>();
    JsonMapper.shared()
        .readTree(get(prometheus + "/api/v1/rules"))
        .at("/data/groups/0/rules")
        .forEach(rules::add);
    return rules;
  }
}
