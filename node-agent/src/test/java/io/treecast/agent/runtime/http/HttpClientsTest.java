package io.treecast.agent.runtime.http;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static io.treecast.agent.runtime.TestAgents.snapshot;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real agents with clients that publish and subscribe over HTTP. */
class HttpClientsTest {
  /** Those of a whole chunk, so that messages have several. */
  private static final int CHUNK_BYTES = BroadcastLimits.defaults().chunkBytes();

  private final TestAgents agents = new TestAgents().withHttp();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    agents.close();
  }

  private <T extends AutoCloseable> T kept(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  private Agent started() {
    return agents.startReadyCluster(1).get(0);
  }

  private static HostPort admin(Agent agent) {
    return Objects.requireNonNull(agent.adminAddress());
  }

  private HttpRequest.Builder request(Agent agent, String path) {
    return HttpRequest.newBuilder(URI.create("http://" + admin(agent) + path));
  }

  private HttpResponse<String> answer(HttpRequest.Builder request) {
    return sent(request.timeout(PATIENCE), BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> sent(
      HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> publish(Agent agent, String path, BodyPublisher body) {
    return answer(request(agent, path).POST(body));
  }

  private static JsonNode json(HttpResponse<String> answer) {
    return JsonMapper.shared().readTree(answer.body());
  }

  private static void assertRefused(HttpResponse<String> answer, int status, String reason) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(json(answer).path("reason").asString()).isEqualTo(reason);
    assertThat(json(answer).path("text").asString()).isNotEmpty();
  }

  /** The lines of a stream of events, as they come. */
  private static final class Events {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Events(HttpResponse<Stream<String>> answer) {
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type"))
          .hasValue("text/event-stream; charset=utf-8");
      Thread reader =
          new Thread(
              () -> {
                try (Stream<String> body = answer.body()) {
                  body.forEach(lines::add);
                } catch (UncheckedIOException e) {
                  lines.add("broken");
                }
                lines.add("over");
              });
      reader.setDaemon(true);
      reader.start();
    }

    String line() throws InterruptedException {
      String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return Objects.requireNonNull(line, "no line has come");
    }

    /** Returns how the stream ends, keepalives aside. */
    String end() throws InterruptedException {
      String line = line();
      return line.isEmpty() || line.startsWith(":") ? end() : line;
    }

    /** Returns the lines of the next event, comments aside. */
    List<String> event() throws InterruptedException {
      List<String> event = new ArrayList<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (!line.startsWith(":")) {
          event.add(line);
        }
      }
      return event.isEmpty() ? event() : event;
    }
  }

  private Events subscribe(Agent agent, HttpRequest.Builder request) throws InterruptedException {
    Events events = new Events(sent(request, BodyHandlers.ofLines()));
    assertThat(events.event())
        .containsExactly("event: subscribed", "data: " + snapshot(agent).self().id());
    return events;
  }

  private Events subscribe(Agent agent, String path) throws InterruptedException {
    return subscribe(agent, request(agent, path));
  }

  private Treecast client(Agent agent) {
    return kept(agent.client());
  }

  private static int subscribers(Agent agent) {
    return snapshot(agent).broadcast().subscribers();
  }

  @Test
  void a_published_body_reaches_subscribers_under_the_name_in_the_answer() throws Exception {
    List<Agent> cluster = agents.startReadyCluster(2);
    BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    client(cluster.get(1))
        .subscribe(SubscribeOptions.defaults().withTopics("prices eu"), received::add)
        .ready()
        .get(1, TimeUnit.MINUTES);

    HttpResponse<String> answer =
        publish(
            cluster.get(0), "/publish?topic=prices%20eu", BodyPublishers.ofString("12.5 \u20ac"));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Message message = received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(message).isNotNull();
    assertThat(message.text()).isEqualTo("12.5 \u20ac");
    assertThat(message.messageId()).hasToString(json(answer).path("messageId").asString());
    assertThat(json(answer).path("treeVersion").asLong()).isPositive();
  }

  @Test
  void a_publisher_that_asks_before_it_sends_the_body_is_told_to_continue() {
    HttpResponse<String> answer =
        answer(
            request(started(), "/publish")
                .expectContinue(true)
                .POST(BodyPublishers.ofByteArray(new byte[100_000])));

    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @Test
  void text_comes_as_text_and_other_bytes_as_base64() throws Exception {
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe?topic=a&topic=b");
    Treecast client = client(agent);
    byte[] bytes = {(byte) 0xff, 0, 1};

    String first = publishedOn("a", "two\nlines\n".getBytes(UTF_8), client);
    String second = publishedOn("b", bytes, client);
    String third = publishedOn("a", new byte[0], client);
    String fourth = publishedOn("a", "no\rtext".getBytes(UTF_8), client);

    assertThat(events.event())
        .containsExactly("id: " + first, "event: text", "data: two", "data: lines", "data: ");
    assertThat(events.event()).containsExactly("id: " + second, "event: base64", "data: /wAB");
    assertThat(events.event()).containsExactly("id: " + third, "event: text", "data: ");
    assertThat(events.event())
        .containsExactly(
            "id: " + fourth,
            "event: base64",
            "data: " + Base64.getEncoder().encodeToString("no\rtext".getBytes(UTF_8)));
  }

  private static String publishedOn(String topic, byte[] payload, Treecast client) {
    return client
        .blocking()
        .broadcast(payload, BroadcastOptions.defaults().withTopic(topic))
        .messageId()
        .toString();
  }

  @Test
  void a_message_of_many_chunks_is_one_event() throws Exception {
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe");
    byte[] payload = new byte[3 * CHUNK_BYTES + 1];
    new Random(1).nextBytes(payload);

    String id = publishedOn("", payload, client(agent));

    assertThat(events.event())
        .containsExactly(
            "id: " + id, "event: base64", "data: " + Base64.getEncoder().encodeToString(payload));
  }

  @Test
  void an_upload_that_is_larger_than_a_whole_message_counts_as_missed() throws Exception {
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe");
    Treecast client = client(agent);
    int bytes = BroadcastLimits.defaults().payloadBytes() + 1;

    String id =
        client
            .blocking()
            .upload(new ByteArrayInputStream(new byte[bytes]), BroadcastOptions.defaults())
            .messageId()
            .toString();
    String next = publishedOn("", new byte[] {'x'}, client);

    List<String> event = events.event();
    assertThat(event).first().isEqualTo("event: missed");
    assertThat(JsonMapper.shared().readTree(event.get(1).substring("data: ".length())))
        .isEqualTo(
            JsonMapper.shared()
                .createObjectNode()
                .put("first", id)
                .put("last", id)
                .put("reason", "TOO_LARGE"));
    assertThat(events.event()).containsExactly("id: " + next, "event: text", "data: x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?topic=a%00b", "?topics=a", "?topic=a&other=b", "?topic=%zz", "?topic=\u00e4"})
  void a_request_with_an_invalid_topic_or_parameter_is_refused(String query) throws Exception {
    Agent agent = started();

    for (String head : List.of("POST /publish", "GET /subscribe")) {
      String answer = raw(agent, head + query, "Content-Length: 1", "x");
      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"INVALID_REQUEST\"");
    }
  }

  @Test
  void a_message_with_two_topics_is_refused() {
    assertRefused(
        publish(started(), "/publish?topic=a&topic=b", BodyPublishers.ofString("x")),
        400,
        "INVALID_REQUEST");
  }

  @ParameterizedTest
  @CsvSource({"GET, /publish", "PUT, /publish", "POST, /subscribe", "HEAD, /subscribe"})
  void another_method_is_refused(String method, String path) {
    assertThat(
            answer(request(started(), path).method(method, BodyPublishers.noBody())).statusCode())
        .isEqualTo(405);
  }

  private static String raw(Agent agent, String head, String header, String body)
      throws IOException {
    HostPort admin = admin(agent);
    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(
              (head + " HTTP/1.1\r\nHost: " + admin + "\r\n" + header + "\r\n\r\n" + body)
                  .getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  void a_body_beyond_the_limit_is_refused_before_it_has_come() throws Exception {
    Agent agent = started();
    HostPort admin = admin(agent);
    long tooLarge = BroadcastLimits.defaults().payloadBytes() + 1L;

    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /publish HTTP/1.1\r\nHost: "
                      + admin
                      + "\r\nContent-Length: "
                      + tooLarge
                      + "\r\n\r\n")
                  .getBytes(US_ASCII));
      String head = new String(socket.getInputStream().readNBytes(13), US_ASCII);
      assertThat(head).isEqualTo("HTTP/1.1 413 ");
    }
    assertRefused(
        publish(agent, "/publish", BodyPublishers.ofByteArray(new byte[(int) tooLarge])),
        413,
        "PAYLOAD_TOO_LARGE");
    assertThat(snapshot(agent).broadcast().publishedMessages()).isZero();
  }

  @Test
  void a_body_without_a_length_is_refused() {
    InputStream body = new ByteArrayInputStream(new byte[10]);

    assertRefused(
        publish(started(), "/publish", BodyPublishers.ofInputStream(() -> body)),
        411,
        "INVALID_REQUEST");
  }

  @Test
  void a_body_that_ends_early_is_not_published() throws Exception {
    Agent agent = started();
    HostPort admin = admin(agent);

    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /publish HTTP/1.1\r\nHost: " + admin + "\r\nContent-Length: 10\r\n\r\nfive.")
                  .getBytes(US_ASCII));
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
    assertThat(snapshot(agent).broadcast().publishedMessages()).isZero();
  }

  @Test
  void an_agent_without_the_setting_refuses_clients_and_names_it() {
    try (TestAgents others = new TestAgents()) {
      Agent agent = others.start("h9");

      for (HttpRequest.Builder each :
          List.of(
              request(agent, "/publish").POST(BodyPublishers.ofString("x")),
              request(agent, "/subscribe?topic=a"))) {
        HttpResponse<String> answer = answer(each);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("http: true", "--http");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Origin, http://attacker.example",
    "Origin, null",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-origin"
  })
  void a_request_of_a_browser_is_refused(String name, String value) {
    Agent agent = started();

    assertRefused(
        answer(request(agent, "/publish").header(name, value).POST(BodyPublishers.ofString("x"))),
        403,
        "PERMISSION_DENIED");
    assertRefused(
        answer(request(agent, "/subscribe").header(name, value)), 403, "PERMISSION_DENIED");
    assertThat(snapshot(agent).broadcast().publishedMessages()).isZero();
  }

  @Test
  void a_request_for_another_host_is_refused() throws Exception {
    Agent agent = started();
    HostPort admin = admin(agent);

    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(
              "POST /publish HTTP/1.1\r\nHost: attacker.example\r\nContent-Length: 0\r\n\r\n"
                  .getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 421 ");
    }
    assertThat(snapshot(agent).broadcast().publishedMessages()).isZero();
  }

  /** Hashes are of {@code secret}. */
  private static final String RULES =
      """
      tokens:
        - name: ci
          sha256: 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b
      rules:
        - identity: token:ci
          may: [publish, subscribe]
          names: builds
      """;

  @Test
  void a_caller_needs_permissions_for_the_topic() throws Exception {
    agents.withPermissions(Files.writeString(directory.resolve("permissions.yaml"), RULES));
    Agent agent = started();
    String[] token = {"Authorization", "Bearer secret"};
    Events events = subscribe(agent, request(agent, "/subscribe?topic=builds").headers(token));

    HttpResponse<String> allowed =
        answer(
            request(agent, "/publish?topic=builds")
                .headers(token)
                .POST(BodyPublishers.ofString("green")));

    assertThat(allowed.statusCode()).as(allowed.body()).isEqualTo(200);
    assertThat(events.event()).contains("event: text", "data: green");
    for (HttpRequest.Builder each :
        List.of(
            request(agent, "/publish?topic=builds").POST(BodyPublishers.ofString("x")),
            request(agent, "/publish?topic=b").headers(token).POST(BodyPublishers.ofString("x")),
            request(agent, "/subscribe?topic=builds"),
            request(agent, "/subscribe?topic=builds&topic=b").headers(token))) {
      assertRefused(answer(each), 403, "PERMISSION_DENIED");
    }
  }

  @Test
  void a_body_without_room_beside_other_bodies_is_refused() throws Exception {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(3_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(2)
            .topics(10)
            .origins(10)
            .build());
    Agent agent = started();
    HostPort admin = admin(agent);

    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /publish HTTP/1.1\r\nHost: "
                      + admin
                      + "\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n")
                  .getBytes(US_ASCII));
      String head = new String(socket.getInputStream().readNBytes(13), US_ASCII);
      assertThat(head).isEqualTo("HTTP/1.1 100 ");

      assertRefused(
          publish(agent, "/publish", BodyPublishers.ofByteArray(new byte[2_000])), 503, "NO_ROOM");
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                publish(agent, "/publish", BodyPublishers.ofByteArray(new byte[2_000])).statusCode()
                    == 200);
  }

  @Test
  void subscriptions_beyond_the_limit_are_refused() throws Exception {
    agents.withLimits(
        BroadcastLimits.builder()
            .chunkBytes(1_000)
            .payloadBytes(2_000)
            .publishBufferBytes(3_000)
            .logBytes(1 << 20)
            .edgeWindowBytes(10_000)
            .subscriberWindowBytes(10_000)
            .subscribers(2)
            .topics(10)
            .origins(10)
            .build());
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe");

    assertRefused(answer(request(agent, "/subscribe")), 503, "NO_ROOM");
    publishedOn("", new byte[] {'x'}, client(agent));
    assertThat(events.event()).contains("data: x");
  }

  @Test
  void a_client_that_leaves_ends_its_subscription() throws Exception {
    Agent agent = started();
    HostPort admin = admin(agent);

    try (Socket socket = new Socket(admin.host(), admin.port())) {
      socket
          .getOutputStream()
          .write(("GET /subscribe HTTP/1.1\r\nHost: " + admin + "\r\n\r\n").getBytes(US_ASCII));
      await().atMost(PATIENCE).until(() -> subscribers(agent) == 1);
    }

    await().atMost(PATIENCE).until(() -> subscribers(agent) == 0);
  }

  @Test
  void a_client_that_does_not_read_delays_no_publisher_and_is_disconnected() throws Exception {
    agents.withLimits(BroadcastLimits.defaults().withSlowSubscriberMillis(500));
    Agent agent = started();
    HostPort admin = admin(agent);
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(1 << 12);
      socket.connect(admin.toSocketAddress());
      socket
          .getOutputStream()
          .write(("GET /subscribe HTTP/1.1\r\nHost: " + admin + "\r\n\r\n").getBytes(US_ASCII));
      await().atMost(PATIENCE).until(() -> subscribers(agent) == 1);
      Treecast publisher = client(agent);

      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                publishedOn("", new byte[1 << 20], publisher);
                return subscribers(agent) == 0;
              });
    }
    assertThat(snapshot(agent).broadcast().fallenBehind()).isZero();
  }

  @Test
  void the_end_of_the_agent_ends_streams_with_its_reason() throws Exception {
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe");

    agent.close();

    List<String> end = events.event();
    assertThat(end).first().isEqualTo("event: end");
    assertThat(end.get(1)).contains("\"SHUTTING_DOWN\"");
    assertThat(events.end()).isEqualTo("over");
  }

  @Test
  void the_crash_of_the_agent_breaks_streams() throws Exception {
    Agent agent = started();
    Events events = subscribe(agent, "/subscribe");

    agent.crash();

    assertThat(events.end()).isEqualTo("broken");
  }

  @Test
  void the_end_of_the_agent_leaves_a_waiting_publisher_without_an_answer() {
    Agent agent = agents.startWaiting("h8");
    CompletableFuture<HttpResponse<String>> waiting =
        http.sendAsync(
            request(agent, "/publish").POST(BodyPublishers.ofString("x")).build(),
            BodyHandlers.ofString());
    await().atMost(PATIENCE).until(() -> snapshot(agent).publishing().waiting() == 1);

    agent.close();

    assertThat(waiting)
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IOException.class);
  }
}
