package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.testkit.local.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A {@code treecast agent}, and its admin pages. For one thread. */
final class AgentProcess implements AutoCloseable {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  /** An answer takes a young process tens of milliseconds of a processor. */
  private static final Duration QUESTIONS = Duration.ofMillis(500);

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();

  private final String id;
  private final String admin;
  private final TreecastProcess process;

  private AgentProcess(String id, String admin, TreecastProcess process) {
    this.id = id;
    this.admin = admin;
    this.process = process;
  }

  /** The id and addresses of an agent. */
  record Place(String id, String listen, String admin) {}

  /** Returns places with free ports of this machine, which stay free while an agent restarts. */
  static List<Place> places(String... ids) throws IOException {
    Iterator<Integer> ports;
    try {
      ports = FreePorts.find(2 * ids.length).iterator();
    } catch (ConfigException e) {
      throw new IOException(e);
    }
    return Arrays.stream(ids)
        .map(id -> new Place(id, "127.0.0.1:" + ports.next(), "127.0.0.1:" + ports.next()))
        .toList();
  }

  /** Starts an agent at a place; {@code seeds} may be down and may include the agent itself. */
  static AgentProcess start(Path directory, Place place, List<Place> seeds, String... moreFlags)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("agent", "--id", place.id()));
    arguments.addAll(List.of("--listen", place.listen(), "--admin", place.admin()));
    arguments.addAll(
        List.of("--seeds", String.join(",", seeds.stream().map(Place::listen).toList())));
    arguments.addAll(List.of(moreFlags));
    return new AgentProcess(place.id(), place.admin(), TreecastProcess.start(directory, arguments));
  }

  /** Waits until the agent is ready, with a tree of a number of members. */
  void awaitTreeOf(int members) {
    awaitTreeOf(members, List.of(this));
  }

  /** Waits until all agents are ready with such a tree; fails at once if one of them ends. */
  static void awaitTreeOf(int members, List<AgentProcess> all) {
    await()
        .atMost(TreecastProcess.LIMIT)
        .pollInterval(QUESTIONS)
        .ignoreExceptionsInstanceOf(IOException.class)
        .failFast(
            "one of the agents has ended",
            () -> assertThat(all).allSatisfy(agent -> assertThat(agent.process.isAlive()).isTrue()))
        .untilAsserted(
            () -> {
              for (AgentProcess agent : all) {
                HttpResponse<String> page = agent.page("/readyz");
                assertThat(page.statusCode()).as("%s of %s", page.body(), all).isEqualTo(200);
                assertThat(agent.tree().get("tree")).as(all.toString()).hasSize(members - 1);
              }
            });
  }

  /** Waits until the agent answers. */
  void awaitUp() {
    await()
        .atMost(TreecastProcess.LIMIT)
        .pollInterval(QUESTIONS)
        .ignoreExceptionsInstanceOf(IOException.class)
        .failFast(this + " has ended", () -> !process.isAlive())
        .until(() -> page("/healthz").statusCode() == 200);
  }

  /** Returns its page {@code /tree.json}. */
  JsonNode tree() throws IOException, InterruptedException {
    return JsonMapper.shared().readTree(page("/tree.json").body());
  }

  /** Sends a signal, for example {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    process.signal(name);
  }

  private HttpResponse<String> page(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + admin + path)).timeout(ANSWER_LIMIT).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends SIGTERM and waits for the end. */
  TreecastProcess.Ended terminate() throws InterruptedException {
    process.terminate();
    return process.awaitEnd();
  }

  TreecastProcess.Ended awaitEnd() throws InterruptedException {
    return process.awaitEnd();
  }

  @Override
  public void close() {
    process.close();
  }

  /** Returns the agent with its output, for failures. */
  @Override
  public String toString() {
    return "agent " + id + ", which printed: " + process.out() + process.err();
  }
}
