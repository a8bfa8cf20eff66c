package io.treecast.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.Setting;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import io.treecast.tls.Reload;
import io.treecast.tls.TestAuthority;
import io.treecast.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real agents that talk TLS: who has a certificate is let in, and as nobody else. */
class SecuredAgentsTest {
  @TempDir static Path directory;
  private static TestAuthority authority;
  private static Path application;

  private final TestAgents agents = new TestAgents();

  @BeforeAll
  static void issue() throws IOException {
    authority = new TestAuthority();
    application = authority.application(directory.resolve("application"));
  }

  @AfterEach
  void close() {
    agents.close();
  }

  private AgentConfig secured(String id, String... seeds) throws IOException {
    return agents.config(id, List.of(seeds)).with(Setting.TLS, certificateOf(id));
  }

  private static Path certificateOf(String id) throws IOException {
    return authority.agent(id, directory.resolve(id));
  }

  private static void awaitTreeOf(int members, Agent... all) {
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> {
              for (Agent agent : all) {
                assertThat(TestAgents.memberCount(agent)).isEqualTo(members);
                assertThat(TestAgents.snapshot(agent).carriesBroadcasts()).isTrue();
              }
            });
  }

  @Test
  void they_build_a_tree_and_carry_broadcasts() throws Exception {
    Agent one = agents.start(secured("h1"));
    Agent two = agents.start(secured("h2", one.address().toString()));
    awaitTreeOf(2, one, two);

    try (Treecast publisher =
            Treecast.builder(one.address().toString()).tls(application).connect();
        Treecast subscriber =
            Treecast.builder(two.address().toString()).tls(application).connect()) {
      EventIterator<Message> messages = subscriber.blocking().subscribe();
      publisher.blocking().broadcast("hello".getBytes(UTF_8));

      assertThat(new String(messages.next().payload(), UTF_8)).isEqualTo("hello");
    }
    assertThat(agents.registry().get("treecast.certificate.expires").tag("node", "h1").timeGauge())
        .satisfies(
            gauge ->
                assertThat(gauge.value(TimeUnit.SECONDS))
                    .isGreaterThan(System.currentTimeMillis() / 1_000.0));
  }

  @Test
  void links_of_a_member_end_when_its_certificate_is_revoked() throws Exception {
    // The one that dials it, and the one that it dials.
    Agent one = agents.start(secured("h1"));
    Agent revoked = agents.start(secured("h2", one.address().toString()));
    Agent three = agents.start(secured("h3", revoked.address().toString()));
    awaitTreeOf(3, one, revoked, three);

    revoke(authority.revocations(List.of(directory.resolve("h2"))), one, three);

    awaitTreeOf(2, one, three);
    awaitTreeOf(1, revoked);
    for (Agent agent : List.of(one, three)) {
      assertThat(TestAgents.snapshot(agent).links())
          .filteredOn(link -> link.peer().id().equals(NodeId.of("h2")))
          .noneMatch(link -> link.state() == LinkState.UP);
    }
  }

  @Test
  void a_subscription_ends_when_the_applications_certificate_is_revoked() throws Exception {
    Agent agent = agents.start(secured("h1"));
    awaitTreeOf(1, agent);
    Path revoked = authority.application(directory.resolve("revoked"));
    try (Treecast subscriber = Treecast.builder(agent.address().toString()).tls(revoked).connect();
        Treecast publisher =
            Treecast.builder(agent.address().toString()).tls(application).connect()) {
      Subscription subscription = subscriber.subscribe(message -> {});
      subscription.ready().get(1, TimeUnit.MINUTES);

      revoke(authority.revocations(List.of(revoked)), agent);

      assertThat(subscription.done())
          .failsWithin(TestAgents.PATIENCE)
          .withThrowableThat()
          .withMessageContaining("revoked");
      publisher.blocking().broadcast("others go on".getBytes(UTF_8));
    }
  }

  private static void revoke(String lists, Agent... knowing) throws IOException {
    for (Agent agent : knowing) {
      TlsFiles files = Objects.requireNonNull(agent.security().files());
      String id = TestAgents.snapshot(agent).self().id().toString();
      Files.writeString(directory.resolve(id).resolve(TlsFiles.REVOKED), lists);
      Reload.now(files);
    }
  }

  @Test
  void an_application_without_a_trusted_certificate_is_refused() throws Exception {
    Agent agent = agents.start(secured("h1"));
    awaitTreeOf(1, agent);
    Path stranger = new TestAuthority().application(directory.resolve("stranger"));

    Path misled = authority.application(directory.resolve("misled"));
    for (String file : List.of(TlsFiles.CERTIFICATE, TlsFiles.KEY)) {
      Files.copy(stranger.resolve(file), misled.resolve(file), REPLACE_EXISTING);
    }

    String address = agent.address().toString();
    assertUnreachable(Treecast.builder(address).connect(), "does the agent want TLS?");
    assertUnreachable(
        Treecast.builder(address).tls(stranger).connect(),
        "the other end's certificate is not of an authority in ca.crt");
    assertUnreachable(
        Treecast.builder(address).tls(misled).connect(),
        "the other end refuses this one's certificate");
  }

  @Test
  void an_application_talks_to_agents_alone() throws Exception {
    Agent plain = agents.start("h1");
    awaitTreeOf(1, plain);

    assertUnreachable(
        Treecast.builder(plain.address().toString()).tls(application).connect(),
        "the other end talks plain text, and this one TLS");
  }

  private static void assertUnreachable(Treecast client, String why) {
    try (client) {
      // The handshake may take longer.
      await()
          .atMost(TestAgents.PATIENCE)
          .untilAsserted(
              () ->
                  assertThatExceptionOfType(TreecastException.class)
                      .isThrownBy(
                          () -> client.blocking().broadcast(new byte[1], Duration.ofSeconds(2)))
                      .withMessageStartingWith("AGENT_UNREACHABLE: ")
                      .withMessageContaining(why));
    }
  }

  @Test
  void an_agent_needs_a_certificate_of_its_own() throws Exception {
    AgentConfig config = agents.config("h1", List.of()).with(Setting.TLS, certificateOf("h2"));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Agent.start(config, AgentOptions.standard()).close())
        .withMessageStartingWith("tls: ")
        .withMessageContainingAll(" h2,", " h1;");
  }

  @Test
  void an_agent_is_not_let_in_as_another_one() throws Exception {
    Agent agent = agents.start(secured("h1"));
    awaitTreeOf(1, agent);

    assertThat(helloOf("h3", certificateOf("h2"), agent)).contains("h3", "h2");
    assertThat(helloOf("h3", application, agent)).contains("h3").doesNotContain("h2");
    assertThat(helloOf("h3", application, agent)).isNotEmpty();
    awaitOtherCertificates(3);
    assertThat(agents.notices())
        .filteredOn(notice -> notice.kind() == Notice.Kind.OTHER_CERTIFICATE)
        .filteredOn(notice -> notice.severity().needsAttention())
        .extracting(Notice::text)
        .as("each once")
        .satisfiesExactly(
            text -> assertThat(text).contains(" 127.0.0.1:", "h3", "h2"),
            text -> assertThat(text).contains(" 127.0.0.1:", "h3").doesNotContain("h2"));
    assertThat(TestAgents.snapshot(agent).links()).isEmpty();
  }

  @Test
  void an_agent_does_not_join_the_control_stream_of_another_one() throws Exception {
    Agent agent = agents.start(secured("h1"));
    awaitTreeOf(1, agent);

    assertThat(
            firstOf(
                new PeerMessage.JoinPath(NodeId.of("h3"), 1, 1, "fast"),
                certificateOf("h2"),
                agent))
        .contains("h3", "h2");
    awaitOtherCertificates(1);
  }

  private void awaitOtherCertificates(int count) {
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(
            () -> assertThat(agents.dropped("h1", "other_certificate")).isEqualTo(count));
  }

  private static String helloOf(String id, Path certificate, Agent agent) throws Exception {
    return firstOf(new PeerMessage.Hello(NodeId.of(id), 1, "there:1"), certificate, agent);
  }

  /**
   * Returns why the agent ends a control stream on which somebody with a certificate says who it
   * is.
   */
  private static String firstOf(PeerMessage first, Path certificate, Agent agent) throws Exception {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    try (TlsFiles files = TlsFiles.ofApplication(certificate, problem -> {})) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(agent.address().toString(), files.toAgent()).build();
      try {
        StreamObserver<ControlRequest> requests =
            PeerServiceGrpc.newStub(channel)
                .control(
                    new StreamObserver<>() {
                      @Override
                      public void onNext(ControlResponse response) {}

                      @Override
                      public void onError(Throwable error) {
                        ended.complete(error);
                      }

                      @Override
                      public void onCompleted() {
                        ended.complete(new AssertionError("it ended well"));
                      }
                    });
        requests.onNext(
            ControlRequest.newBuilder().setFrame(new PeerCodec().encode(first)).build());
        Throwable error = ended.get(TestAgents.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return String.valueOf(Status.fromThrowable(error).getDescription());
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void a_dialed_agent_must_be_the_one_of_its_certificate() throws Exception {
    try (TlsFiles files = TlsFiles.ofAgent(certificateOf("h2"), "h2", problem -> {})) {
      Server impostor =
          Grpc.newServerBuilderForPort(0, files.asAgent())
              .addService(new SaysMembersBeforeItsName("h3"))
              .build()
              .start();
      try {
        Agent agent = agents.start(secured("h1", "127.0.0.1:" + impostor.getPort()));

        await()
            .atMost(TestAgents.PATIENCE)
            .untilAsserted(
                () -> assertThat(agents.dropped("h1", "other_certificate")).isPositive());
        assertThat(TestAgents.snapshot(agent).links()).isEmpty();
      } finally {
        impostor.shutdownNow();
      }
    }
  }

  /** An agent that has no room for a link may tell of other agents before it says who it is. */
  private static final class SaysMembersBeforeItsName extends PeerServiceGrpc.PeerServiceImplBase {
    private final PeerCodec codec = new PeerCodec();
    private final String name;

    SaysMembersBeforeItsName(String name) {
      this.name = name;
    }

    @Override
    public StreamObserver<ControlRequest> control(StreamObserver<ControlResponse> responses) {
      say(responses, new PeerMessage.Members(List.of(), List.of(), 0));
      say(responses, new PeerMessage.Hello(NodeId.of(name), 1, "127.0.0.1:1"));
      return new StreamObserver<>() {
        @Override
        public void onNext(ControlRequest request) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {
          responses.onCompleted();
        }
      };
    }

    private void say(StreamObserver<ControlResponse> responses, PeerMessage message) {
      responses.onNext(ControlResponse.newBuilder().setFrame(codec.encode(message)).build());
    }
  }

  @Test
  void an_agent_in_plain_text_does_not_join() throws Exception {
    Agent secured = agents.start(secured("h1"));
    awaitTreeOf(1, secured);

    Agent plain = agents.start("h2", secured.address().toString());
    await()
        .atMost(TestAgents.PATIENCE)
        .untilAsserted(() -> assertThat(TestAgents.memberCount(plain)).isEqualTo(1));

    AgentSnapshot snapshot = TestAgents.snapshot(secured);
    assertThat(snapshot.links()).isEmpty();
  }
}
