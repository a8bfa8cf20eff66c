package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.permission.PermittedCalls;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Claim;
import io.treecast.client.Selector;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.AwaitConfirmationRequest;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.FaultServiceGrpc;
import io.treecast.proto.v1.FindUnwantedRequest;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.ListFaultsRequest;
import io.treecast.proto.v1.MessageId;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.tls.TestAuthority;
import io.treecast.tls.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real agents with permissions: each action needs a rule for the identity. */
@Order(2)
class PermittedAgentsTest {
  private static final String SHOP = "spiffe://test/shop";
  private static final String OTHER = "spiffe://test/other";

  /** Hashes are of {@code secret} and {@code other}. */
  private static final String TOKENS =
      """
      tokens:
        - name: ci
          sha256: 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b
      """;

  private static final String RULES =
      TOKENS
          + """
          rules:
            - identity: spiffe://test/shop
              may: [publish, subscribe, upload, takePart, claim, read, write, join]
              names: ["", "prices.*"]
            - identity: spiffe://test/shop
              may: [operate, administrate]
            - identity: spiffe://test/other
              may: [publish, subscribe, upload, takePart, claim, read, write, join]
              names: orders
            - identity: token:ci
              may: [publish, subscribe]
              names: builds
            - identity: token:ci
              may: administrate
          """;

  @TempDir static Path directory;
  private static TestAuthority authority;
  private static Path shop;
  private static Path other;

  private final TestAgents agents = new TestAgents();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Path file = Path.of("");

  @BeforeAll
  static void issue() throws IOException {
    authority = new TestAuthority();
    shop = authority.application(SHOP, directory.resolve("shop"));
    other = authority.application(OTHER, directory.resolve("other"));
    authority.agent("h1", directory.resolve("h1"));
    authority.agent("h2", directory.resolve("h2"));
  }

  @BeforeEach
  void write() throws IOException {
    file = Files.createTempFile(directory, "permissions", ".yaml");
    Files.writeString(file, RULES);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    agents.close();
  }

  private AgentConfig config(String id, String... seeds) {
    return agents
        .config(id, List.of(seeds))
        .with(Setting.TLS, directory.resolve(id))
        .with(Setting.PERMISSIONS, file);
  }

  private Agent started(AgentConfig config) {
    Agent agent = agents.start(config);
    await().atMost(TestAgents.PATIENCE).until(() -> TestAgents.memberCount(agent) == 1);
    return agent;
  }

  private Agent secured() {
    return started(config("h1"));
  }

  private Treecast client(Agent agent, Path certificate) {
    return kept(Treecast.builder(agent.address().toString()).tls(certificate).connect());
  }

  private Channel channel(Agent agent, Path certificate) throws Exception {
    TlsFiles files = kept(TlsFiles.ofApplication(certificate, problem -> {}));
    ManagedChannel channel =
        Grpc.newChannelBuilder(agent.address().toString(), files.toAgent()).build();
    opened.add(channel::shutdownNow);
    return channel;
  }

  private <T extends AutoCloseable> T kept(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  private static BroadcastOptions on(String topic) {
    return BroadcastOptions.defaults().withTopic(topic);
  }

  private static SubscribeOptions to(String... topics) {
    return SubscribeOptions.defaults().withTopics(topics);
  }

  /** The calls of the client library, each on one topic or operation. */
  enum NamedCall {
    publish {
      @Override
      void on(String name, Treecast client) {
        client.blocking().broadcast(new byte[1], PermittedAgentsTest.on(name));
      }
    },
    upload {
      @Override
      void on(String name, Treecast client) {
        client
            .blocking()
            .upload(new ByteArrayInputStream(new byte[1]), PermittedAgentsTest.on(name));
      }
    },
    subscribe {
      @Override
      void on(String name, Treecast client) {
        client.blocking().subscribe(to(name)).close();
      }
    },
    takePart {
      @Override
      void on(String name, Treecast client) {
        client.blocking().collectives().barrier(name);
      }
    },
    claim {
      @Override
      void on(String name, Treecast client) {
        var unused = client.blocking().holder(client.claims().among("h1"), name);
      }
    },
    join {
      @Override
      void on(String name, Treecast client) {
        client.blocking().join(name).leave();
      }
    },
    read {
      @Override
      void on(String name, Treecast client) {
        var unused = client.blocking().snapshot(client.values(name));
      }
    },
    write {
      @Override
      void on(String name, Treecast client) {
        client.blocking().put(client.values(name), "key", new byte[1]);
      }
    };

    abstract void on(String name, Treecast client);
  }

  @ParameterizedTest
  @EnumSource(NamedCall.class)
  void a_call_on_a_topic_or_operation_needs_a_rule_for_it(NamedCall call) {
    Agent agent = secured();

    assertThatCode(() -> call.on("prices.eu", client(agent, shop))).doesNotThrowAnyException();
    assertDenied(() -> call.on("orders", client(agent, shop)), SHOP, call.name(), "orders");
    assertDenied(() -> call.on("prices.eu", client(agent, other)), OTHER, call.name(), "prices.eu");
    assertThatCode(() -> call.on("orders", client(agent, other))).doesNotThrowAnyException();
  }

  private void assertDenied(ThrowingCallable call, String... parts) {
    assertThatExceptionOfType(TreecastException.class)
        .isThrownBy(call)
        .satisfies(denied -> assertThat(denied.reason()).isEqualTo(Reason.PERMISSION_DENIED))
        .withMessageContainingAll(parts)
        .withMessageContaining("{identity: \"" + parts[0] + "\", may: [" + parts[1] + "]");
  }

  @Test
  void a_subscription_needs_a_rule_for_each_of_its_topics() {
    Agent agent = secured();

    assertDenied(
        () -> client(agent, shop).blocking().subscribe(to("prices.eu", "orders")),
        SHOP,
        "subscribe",
        "orders");
  }

  @Test
  void a_client_may_publish_on_a_permitted_topic_after_a_refusal_on_another() {
    Treecast client = client(secured(), shop);

    assertDenied(
        () -> client.blocking().broadcast(new byte[1], on("orders")), SHOP, "publish", "orders");
    assertThatCode(() -> client.blocking().broadcast(new byte[1], on("prices.eu")))
        .doesNotThrowAnyException();
  }

  @Test
  void a_message_to_a_member_needs_a_rule_for_that_member() throws IOException {
    Files.writeString(
        file,
        """
        rules:
          - identity: spiffe://test/shop
            may: publish
            names: [to/h1, prices]
        """);
    Treecast client = client(secured(), shop);

    assertThatCode(() -> client.blocking().send("h1", new byte[1])).doesNotThrowAnyException();
    assertDenied(() -> client.blocking().send("h2", new byte[1]), SHOP, "publish", "to/h2");
    assertThatCode(() -> client.blocking().broadcast(new byte[1], on("to/h2/prices")))
        .doesNotThrowAnyException();
    assertDenied(
        () -> client.blocking().broadcast(new byte[1], on("to/h1/orders")),
        SHOP,
        "publish",
        "orders");
  }

  @Test
  void labels_need_rules_for_their_map_and_selections_for_the_tree() throws IOException {
    Files.writeString(
        file,
        """
        rules:
          - identity: spiffe://test/shop
            may: [read, write]
            names: treecast.labels
          - identity: spiffe://test/shop
            may: administrate
          - identity: spiffe://test/other
            may: read
            names: treecast.labels
        """);
    Agent agent = secured();
    Treecast permitted = client(agent, shop);
    permitted.members().label("gpu", "8").join();

    assertThat(permitted.members().select(Selector.parse("gpu>=4")).join()).hasSize(1);
    assertDenied(
        () -> joined(client(agent, other).members().label("gpu", "1")),
        OTHER,
        "write",
        "treecast.labels");
    assertDenied(() -> joined(client(agent, other).members().list()), OTHER, "administrate");
  }

  private static <T> T joined(CompletableFuture<T> future) throws Throwable {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @Test
  void single_broadcasts_and_their_confirmations_need_a_rule() throws Exception {
    Agent agent = secured();
    var ofShop = TreecastServiceGrpc.newBlockingStub(channel(agent, shop));
    var ofOther = TreecastServiceGrpc.newBlockingStub(channel(agent, other));
    BroadcastRequest request =
        BroadcastRequest.newBuilder().setWaitMillis(30_000).setConfirmMillis(30_000).build();

    MessageId sent = ofShop.broadcast(request).getMessageId();
    AwaitConfirmationRequest confirmation =
        AwaitConfirmationRequest.newBuilder().setMessageId(sent).build();

    assertThat(ofShop.awaitConfirmation(confirmation).getDeliveredCount()).isEqualTo(1);
    assertRefused(() -> ofOther.broadcast(request));
    assertRefused(() -> ofOther.awaitConfirmation(confirmation));
    FindUnwantedRequest topics = FindUnwantedRequest.newBuilder().addTopics("").build();
    assertThatCode(() -> ofShop.findUnwanted(topics)).doesNotThrowAnyException();
    assertRefused(() -> ofOther.findUnwanted(topics));
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(call)
        .satisfies(
            refused ->
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }

  @Test
  void the_agents_state_needs_a_rule() throws Exception {
    Agent agent = secured();
    GetStatusRequest request = GetStatusRequest.getDefaultInstance();

    assertThatCode(() -> AdminServiceGrpc.newBlockingStub(channel(agent, shop)).getStatus(request))
        .doesNotThrowAnyException();
    assertThat(client(agent, shop).blocking().watchTree().next()).isNotNull();
    assertThat(client(agent, shop).blocking().clusterTime()).isNotNull();
    Channel ofOther = channel(agent, other);
    assertRefused(() -> AdminServiceGrpc.newBlockingStub(ofOther).getStatus(request));
    assertDenied(() -> client(agent, other).blocking().watchTree().next(), OTHER, "administrate");
    assertDenied(() -> client(agent, other).blocking().clusterTime(), OTHER, "administrate");
  }

  @Test
  void faults_need_a_rule_and_the_setting() throws Exception {
    Agent agent = started(config("h1").with(Setting.ALLOW_FAULTS, true));
    ListFaultsRequest request = ListFaultsRequest.getDefaultInstance();

    assertThatCode(() -> FaultServiceGrpc.newBlockingStub(channel(agent, shop)).listFaults(request))
        .doesNotThrowAnyException();
    Channel ofOther = channel(agent, other);
    assertRefused(() -> FaultServiceGrpc.newBlockingStub(ofOther).listFaults(request));
  }

  @Test
  void agents_with_permissions_link() {
    Agent one = secured();
    Agent two = agents.start(config("h2", one.address().toString()));

    await().atMost(TestAgents.PATIENCE).until(() -> TestAgents.memberCount(two) == 2);
  }

  @Test
  void every_call_that_an_agent_serves_is_known_to_permissions() {
    assertThat(secured().services())
        .extracting(service -> service.getServiceDescriptor().getName())
        .contains("treecast.v1.TreecastService", "treecast.v1.AdminService");
    for (ServerServiceDefinition service : agents.start("h2").services()) {
      assertThat(service.getMethods())
          .extracting(method -> method.getMethodDescriptor().getFullMethodName())
          .allMatch(PermittedCalls::isKnown);
    }
    assertThat(PermittedCalls.isKnown("treecast.v1.AdminService/Unknown")).isFalse();
  }

  @Test
  void a_token_identifies_a_caller_on_this_machine() {
    agents.withPermissions(file);
    Agent agent = started(agents.config("h1", List.of()));
    String address = agent.address().toString();
    Treecast ci = kept(Treecast.builder(address).token("secret").connect());
    Treecast unknown = kept(Treecast.builder(address).token("guessed").connect());

    assertThatCode(() -> ci.blocking().broadcast(new byte[1], on("builds")))
        .doesNotThrowAnyException();
    assertDenied(
        () -> ci.blocking().broadcast(new byte[1], on("prices.eu")),
        "token:ci",
        "publish",
        "prices.eu");
    assertThatExceptionOfType(TreecastException.class)
        .isThrownBy(() -> unknown.blocking().broadcast(new byte[1], on("builds")))
        .satisfies(denied -> assertThat(denied.reason()).isEqualTo(Reason.PERMISSION_DENIED));
  }

  @Test
  void a_token_adds_to_the_identities_of_a_certificate() {
    Agent agent = secured();
    Treecast client =
        kept(Treecast.builder(agent.address().toString()).tls(other).token("secret").connect());

    assertThatCode(() -> client.blocking().broadcast(new byte[1], on("orders")))
        .doesNotThrowAnyException();
    assertThatCode(() -> client.blocking().broadcast(new byte[1], on("builds")))
        .doesNotThrowAnyException();
  }

  @Test
  void a_refusal_names_an_unknown_token_beside_a_certificate() {
    Agent agent = secured();
    Treecast guessing =
        kept(Treecast.builder(agent.address().toString()).tls(other).token("guessed").connect());

    assertDenied(
        () -> guessing.blocking().broadcast(new byte[1], on("builds")),
        OTHER,
        "publish",
        "builds",
        "token");
    assertThatExceptionOfType(TreecastException.class)
        .isThrownBy(() -> client(agent, other).blocking().broadcast(new byte[1], on("builds")))
        .satisfies(denied -> assertThat(denied).hasMessageNotContaining("token"));
  }

  @Test
  void a_certificate_that_names_a_token_does_not_pass_for_it() throws Exception {
    Path impostor = authority.application("token:ci", directory.resolve("impostor"));

    assertThatExceptionOfType(TreecastException.class)
        .isThrownBy(
            () -> client(secured(), impostor).blocking().broadcast(new byte[1], on("builds")))
        .satisfies(denied -> assertThat(denied.reason()).isEqualTo(Reason.PERMISSION_DENIED));
  }

  @Test
  void a_subscription_and_an_upload_end_when_their_permission_is_withdrawn() throws Exception {
    Agent agent = secured();
    Treecast client = client(agent, shop);
    Subscription subscription = client.subscribe(to("prices.eu"), message -> {});
    Subscription kept = client.subscribe(to("prices.us"), message -> {});
    Subscription watch = client.watchTree(view -> {});
    subscription.ready().get(1, TimeUnit.MINUTES);
    kept.ready().get(1, TimeUnit.MINUTES);
    watch.ready().get(1, TimeUnit.MINUTES);
    PipedOutputStream source = new PipedOutputStream();
    CompletableFuture<BroadcastResult> upload =
        client.upload(new PipedInputStream(source), on("prices.eu"));
    source.write(new byte[1 << 16]);
    source.flush();
    await().atMost(TestAgents.PATIENCE).until(() -> hasData(agent));

    reload(
        agent,
        """
        rules:
          - identity: spiffe://test/shop
            may: [subscribe, upload]
            names: prices.us
        """);

    assertEndedAsDenied(subscription.done());
    assertEndedAsDenied(watch.done());
    assertEndedAsDenied(upload);
    assertThat(kept.done()).isNotDone();
    assertDenied(
        () -> client.blocking().broadcast(new byte[1], on("prices.us")),
        SHOP,
        "publish",
        "prices.us");
    source.close();
  }

  @Test
  void whatever_a_call_holds_ends_when_its_permission_is_withdrawn() throws Exception {
    Duration lease = Duration.ofSeconds(2);
    // A new agent votes after the longest lease.
    ClaimLimits limits = new ClaimLimits(lease.toNanos(), 10, 10);
    Agent agent = started(config("h1").with(Setting.CLAIMS, limits));
    Treecast client = client(agent, shop);
    Claim claim = client.claims().among("h1").acquire("prices.eu", lease).get(1, TimeUnit.MINUTES);
    CompletableFuture<String> lost = new CompletableFuture<>();
    claim.onLost(() -> lost.complete(claim.name()));
    Subscription entry = client.values("prices.eu").putEphemeral("h1", new byte[1]);
    Subscription values = client.values("prices.eu").watch(present -> {});
    Subscription group = client.groups().join("prices.eu");
    for (Subscription each : List.of(entry, values, group)) {
      each.ready().get(1, TimeUnit.MINUTES);
    }

    reload(agent, "rules: []");

    assertThat(lost).succeedsWithin(TestAgents.PATIENCE);
    for (Subscription each : List.of(entry, values, group)) {
      assertEndedAsDenied(each.done());
    }
  }

  /** Returns whether a part of an upload has arrived. */
  private static boolean hasData(Agent agent) {
    var broadcast = TestAgents.snapshot(agent).broadcast();
    return broadcast.retainedBytes() + broadcast.waitingBytes() > 0;
  }

  private static void assertEndedAsDenied(CompletableFuture<?> call) {
    assertThat(call)
        .failsWithin(TestAgents.PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            TreecastException.class,
            denied -> assertThat(denied.reason()).isEqualTo(Reason.PERMISSION_DENIED));
  }

  private void reload(Agent agent, String rules) throws IOException {
    Files.writeString(file, rules);
    Objects.requireNonNull(agent.permissions()).look();
  }

  private double stale() {
    return agents.registry().get("treecast.permissions.stale").tag("node", "h1").gauge().value();
  }

  @Test
  void a_file_that_cannot_be_used_leaves_the_previous_rules_in_force() throws Exception {
    Agent agent = secured();
    Treecast client = client(agent, shop);
    Subscription subscription = client.subscribe(to("prices.eu"), message -> {});
    subscription.ready().get(1, TimeUnit.MINUTES);

    reload(agent, "rules:\n  - identity: shop\n");

    assertThat(stale()).isEqualTo(1);
    assertThatCode(() -> client.blocking().broadcast(new byte[1], on("prices.eu")))
        .doesNotThrowAnyException();
    assertThat(subscription.done()).isNotDone();

    Files.delete(file);
    Objects.requireNonNull(agent.permissions()).look();
    assertThat(stale()).isEqualTo(1);

    reload(agent, "rules: []");
    assertThat(stale()).isZero();
    assertDenied(
        () -> client.blocking().broadcast(new byte[1], on("prices.eu")),
        SHOP,
        "publish",
        "prices.eu");
    assertThat(
            agents
                .registry()
                .get("treecast.permissions.denied")
                .tag("action", "publish")
                .functionCounter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void an_agent_with_an_unusable_file_does_not_start() throws Exception {
    Files.writeString(file, "rules: x");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Agent.start(config("h1"), AgentOptions.standard()).close())
        .withMessageStartingWith("permissions: " + file + ", line 1: rules: 'x'");
  }

  @Test
  void permissions_in_plain_text_require_that_the_agent_serves_this_machine_alone() {
    AgentConfig beyond =
        TestAgents.listeningOn(
            agents.withPermissions(file).config("h1", List.of()),
            new HostPort("0.0.0.0", 0),
            TestAgents.ANY_PORT);

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(beyond::checked)
        .withMessageStartingWith("permissions: ");
  }

  @Test
  void pages_beyond_this_machine_need_tls_and_a_rule() throws Exception {
    Agent agent = started(config("h1").with(Setting.ADMIN, new HostPort("0.0.0.0", 0)));
    try (TlsFiles ofShop = TlsFiles.ofApplication(shop, problem -> {});
        TlsFiles ofOther = TlsFiles.ofApplication(other, problem -> {})) {
      assertThat(page(agent, ofShop.forPages(), "/metrics", "")).startsWith("HTTP/1.1 200 ");
      assertThat(page(agent, ofOther.forPages(), "/metrics", ""))
          .startsWith("HTTP/1.1 403 ")
          .contains(OTHER, "CN=certificate");
    }
    SSLContext anonymous = anonymous();
    assertThat(page(agent, anonymous, "/tree.json", "")).startsWith("HTTP/1.1 403 ");
    assertThat(page(agent, anonymous, "/tree.json", "Authorization: Bearer guessed\r\n"))
        .startsWith("HTTP/1.1 403 ");
    // An agent that is late in an answer of its loop says so instead.
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              String secret = "Authorization: Bearer secret\r\n";
              assertThat(page(agent, anonymous, "/tree.json", secret)).startsWith("HTTP/1.1 200 ");
              assertThat(page(agent, anonymous, "/healthz", "")).startsWith("HTTP/1.1 200 ");
              assertThat(page(agent, anonymous, "/readyz", "")).startsWith("HTTP/1.1 200 ");
            });
    assertThat(page(agent, anonymous, "/nothing", "")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void http_clients_beyond_this_machine_need_tls_and_a_rule_for_the_topic() throws Exception {
    Agent agent =
        started(
            config("h1").with(Setting.ADMIN, new HostPort("0.0.0.0", 0)).with(Setting.HTTP, true));
    try (TlsFiles ofShop = TlsFiles.ofApplication(shop, problem -> {});
        TlsFiles ofOther = TlsFiles.ofApplication(other, problem -> {})) {
      assertThat(published(agent, ofShop.forPages(), "prices.eu", "")).startsWith("HTTP/1.1 200 ");
      assertThat(published(agent, ofShop.forPages(), "orders", ""))
          .startsWith("HTTP/1.1 403 ")
          .contains("PERMISSION_DENIED", SHOP);
      assertThat(published(agent, ofOther.forPages(), "orders", "")).startsWith("HTTP/1.1 200 ");
      assertThat(page(agent, ofOther.forPages(), "/subscribe?topic=prices.eu", ""))
          .startsWith("HTTP/1.1 403 ");
    }
    SSLContext anonymous = anonymous();
    assertThat(published(agent, anonymous, "builds", "")).startsWith("HTTP/1.1 403 ");
    assertThat(published(agent, anonymous, "builds", "Authorization: Bearer secret\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  private static String published(Agent agent, SSLContext tls, String topic, String header)
      throws IOException {
    return answer(agent, tls, "POST /publish?topic=" + topic, "Content-Length: 0\r\n" + header);
  }

  @Test
  void an_http_subscription_ends_when_its_permission_is_withdrawn() throws Exception {
    agents.withPermissions(file).withHttp();
    Agent agent = started(agents.config("h1", List.of()));
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + agent.adminAddress() + "/subscribe?topic=builds"))
            .header("Authorization", "Bearer secret")
            .build();
    CompletableFuture<HttpResponse<String>> stream =
        HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    await()
        .atMost(TestAgents.PATIENCE)
        .until(() -> TestAgents.snapshot(agent).broadcast().subscribers() == 1);

    reload(agent, "rules: []");

    assertThat(stream)
        .succeedsWithin(TestAgents.PATIENCE)
        .satisfies(
            ended ->
                assertThat(ended.body())
                    .contains("event: end\ndata: {\"reason\":\"PERMISSION_DENIED\""));
  }

  private static String page(Agent agent, SSLContext tls, String path, String header)
      throws IOException {
    return answer(agent, tls, "GET " + path, header);
  }

  private static String answer(Agent agent, SSLContext tls, String request, String header)
      throws IOException {
    int port = Objects.requireNonNull(agent.adminAddress()).port();
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write((request + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header + "\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  /** Presents no certificate, and trusts every one. */
  private static SSLContext anonymous() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    X509TrustManager trusting =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String authType) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String authType) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    context.init(null, new TrustManager[] {trusting}, new SecureRandom());
    return context;
  }
}
