package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.HostPort;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks an agent over HTTP and does not go on. */
class UnfinishedRequestsTest {
  /** Long before an orchestrator gives an agent up. */
  private static final Duration WITHIN = Duration.ofSeconds(5);

  private final TestAgents agents = new TestAgents();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private void assertHealthy(Agent agent) throws IOException, InterruptedException {
    HttpRequest health =
        HttpRequest.newBuilder(URI.create("http://" + agent.adminAddress() + "/healthz"))
            .timeout(WITHIN)
            .build();
    assertThat(http.send(health, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void who_asks_and_does_not_go_on_keeps_nobody_else_from_an_answer() throws Exception {
    Agent lone = agents.start("h1");
    List<Socket> stalled = unfinishedRequests(lone, 40);
    try {
      assertHealthy(lone);
      assertThat(stalled).allSatisfy(UnfinishedRequestsTest::assertHungUp);
    } finally {
      closeSockets(stalled);
    }
    assertThat(System.getProperties().stringPropertyNames())
        .as("which are those of the whole process")
        .noneMatch(name -> name.startsWith("sun.net.httpserver."));
  }

  @Test
  void of_more_requests_than_there_are_threads_for_none_is_left_waiting() throws Exception {
    Agent lone = agents.start("h1");
    List<Socket> stalled = unfinishedRequests(lone, 200);
    try {
      assertThat(stalled).allSatisfy(UnfinishedRequestsTest::assertHungUp);
      await().atMost(PATIENCE).untilAsserted(() -> assertHealthy(lone));
    } finally {
      closeSockets(stalled);
    }
  }

  private static List<Socket> unfinishedRequests(Agent agent, int count) throws IOException {
    HostPort admin = Objects.requireNonNull(agent.adminAddress());
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(admin.host(), admin.port());
      sockets.add(socket);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
    }
    return sockets;
  }

  private static void assertHungUp(Socket socket) throws IOException {
    try {
      assertThat(socket.getInputStream().read()).as("the agent hangs up").isNegative();
    } catch (SocketException reset) {
      // So it ends where the agent has not read all that was sent.
    }
  }

  private static void closeSockets(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
