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
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections to the admin port that ask in part, or do not read their answers. */
class UnfinishedRequestsTest {
  /** Before an orchestrator gives an agent up. */
  private static final int CONNECTIONS = 150;

  private static final String HALF_A_REQUEST = "GET / HT";
  private static final String REQUEST =
      "GET /live-page/live.css HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final TestAgents agents = new TestAgents();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final ExecutorService senders = Executors.newCachedThreadPool();
  private final CountDownLatch sent = new CountDownLatch(CONNECTIONS);
  private volatile boolean isClosing;

  @AfterEach
  void closeAll() throws Exception {
    isClosing = true;
    senders.shutdown();
    for (Socket socket : sockets) {
      socket.close();
    }
    agents.close();
    assertThat(senders.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void assertAnswers(Agent agent, String path) throws IOException, InterruptedException {
    HttpRequest health =
        HttpRequest.newBuilder(URI.create("http://" + agent.adminAddress() + path))
            .timeout(PATIENCE)
            .build();
    assertThat(http.send(health, HttpResponse.BodyHandlers.ofString()).statusCode())
        .as(path)
        .isEqualTo(200);
  }

  private void connectAndSend(String content, Agent agent, int times) throws IOException {
    HostPort admin = Objects.requireNonNull(agent.adminAddress());
    for (int i = 0; i < times; i++) {
      Socket socket = new Socket(admin.host(), admin.port());
      sockets.add(socket);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(content.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Opens connections that send this repeatedly, and reconnect when the agent hangs up. */
  private void keepSending(String content, boolean isRepeated, Agent agent) {
    HostPort admin = Objects.requireNonNull(agent.adminAddress());
    byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < CONNECTIONS; i++) {
      senders.execute(
          () -> {
            while (!isClosing) {
              try (Socket socket = new Socket(admin.host(), admin.port())) {
                sockets.add(socket);
                sent.countDown();
                do {
                  socket.getOutputStream().write(bytes);
                } while (isRepeated);
                socket.getInputStream().read();
              } catch (IOException hungUp) {
                // The next one takes its place.
              }
            }
          });
    }
  }

  @Test
  void hundreds_of_half_requests_keep_nobody_from_an_answer() throws Exception {
    Agent lone = agents.startReadyCluster(1).get(0);
    keepSending(HALF_A_REQUEST, false, lone);
    assertAnswersWhileTheyAreOpen(lone);
  }

  @Test
  void clients_that_do_not_read_keep_nobody_from_an_answer() throws Exception {
    Agent lone = agents.startReadyCluster(1).get(0);
    keepSending(REQUEST.repeat(100), true, lone);
    assertAnswersWhileTheyAreOpen(lone);
  }

  private void assertAnswersWhileTheyAreOpen(Agent agent) throws Exception {
    assertThat(sent.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertAnswers(agent, "/healthz");
    // An agent that is late in the answer is not ready.
    await().atMost(PATIENCE).untilAsserted(() -> assertAnswers(agent, "/readyz"));
  }

  @Test
  void the_agent_hangs_up_on_half_requests() throws Exception {
    Agent lone = agents.startReadyCluster(1).get(0);
    connectAndSend("", lone, 2);
    connectAndSend(HALF_A_REQUEST, lone, 2);
    for (Socket socket : sockets) {
      try {
        assertThat(socket.getInputStream().read()).isNegative();
      } catch (SocketException reset) {
        // This is also an end.
      }
    }
  }
}
