package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real connections: accepted and refused peers, identities, and explanations. */
class ConnectionsTest {
  private static final MethodDescriptor.Marshaller<byte[]> NO_BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          return new byte[0];
        }
      };
  private static final MethodDescriptor<byte[], byte[]> NO_SUCH_METHOD =
      MethodDescriptor.newBuilder(NO_BYTES, NO_BYTES)
          .setType(MethodType.UNARY)
          .setFullMethodName("none/None")
          .build();

  @TempDir static Path shared;
  private static TestAuthority authority;
  private static Path agent;
  private static Path application;

  private final List<Server> servers = new ArrayList<>();
  private final List<TlsFiles> opened = new ArrayList<>();

  @BeforeAll
  static void issue() throws Exception {
    authority = new TestAuthority();
    agent = authority.agent("h1", shared.resolve("h1"));
    application = authority.application(shared.resolve("application"));
  }

  @AfterEach
  void close() {
    servers.forEach(Server::shutdownNow);
    opened.forEach(TlsFiles::close);
  }

  private TlsFiles files(Path directory) throws TlsFilesException {
    TlsFiles files = TlsFiles.ofApplication(directory, problem -> {});
    opened.add(files);
    return files;
  }

  private int serve(TlsFiles files) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, files.asAgent())
            .addTransportFilter(files.admission())
            .build()
            .start();
    servers.add(server);
    return server.getPort();
  }

  /** Returns the status of a call of a method that no server has. */
  private static Status call(int port, ChannelCredentials credentials) {
    ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, credentials).build();
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          NO_SUCH_METHOD,
          CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES),
          new byte[0]);
      throw new AssertionError("there is such a method");
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    } finally {
      channel.shutdownNow();
    }
  }

  private static void assertConnected(Status status) {
    assertThat(status.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  private static void assertRefused(Status status, String why) {
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(TlsFailure.text(status.getCause())).startsWith(why);
  }

  @Test
  void agents_and_applications_connect_to_agents() throws Exception {
    int port = serve(files(agent));

    assertConnected(call(port, files(agent).toAgent()));
    assertConnected(call(port, files(application).toAgent()));
  }

  @Test
  void an_application_is_not_taken_for_an_agent() throws Exception {
    int port = serve(files(application));

    assertRefused(
        call(port, files(application).toAgent()),
        "the other end's certificate does not identify an agent: it names no URI treecast:node:ID");
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "1, true", "0, false"})
  void a_certified_peer_may_certify_others_only_if_its_certificate_permits_it(
      int pathLength, boolean mayCertify, @TempDir Path directory) throws Exception {
    TestAuthority first = new TestAuthority(new CertificateTerms.Constraints(true, pathLength));
    Path direct = first.agent("h1", directory.resolve("direct"));
    Path inTurn = first.issueInTurn(directory.resolve("turn"), CertificateTerms.ofAgent("h1"));

    Status toDirect = call(serve(files(direct)), files(inTurn).toAgent());
    Status toInTurn = call(serve(files(inTurn)), files(direct).toAgent());

    if (mayCertify) {
      assertConnected(toDirect);
      assertConnected(toInTurn);
    } else {
      assertThat(toDirect.getCode()).isNotEqualTo(Status.Code.UNIMPLEMENTED);
      assertRefused(
          toInTurn, "the other end's certificate was issued by one that may not issue any");
    }
  }

  @Test
  void a_peer_without_a_certificate_is_refused() throws Exception {
    int port = serve(files(agent));

    Status status = call(port, InsecureChannelCredentials.create());

    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void another_authority_replaces_the_first_while_an_agent_runs() throws Exception {
    Path other = new TestAuthority().agent("h1", shared.resolve("other"));
    Path present = Files.createDirectory(shared.resolve("present"));
    copy(agent, present);
    TlsFiles files = files(present);
    int port = serve(files);
    assertRefused(
        call(port, files(other).toAgent()),
        "the other end's certificate is not of an authority in ca.crt");
    ChannelCredentials former = files(agent).toAgent();
    assertConnected(call(port, former));

    copy(other, present);
    files.look(Instant.now());

    assertConnected(call(port, files(other).toAgent()));
    assertRefused(call(port, former), "the other end's certificate is not of an authority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_resumed_session_is_checked_against_the_current_files(String protocol) throws Exception {
    Path others = Files.createDirectory(shared.resolve("others " + protocol));
    Path other = new TestAuthority().agent("h1", others.resolve("other"));
    Path present = Files.createDirectory(shared.resolve("present " + protocol));
    copy(agent, present);
    TlsFiles files = files(present);
    int port = serve(files);
    ResumingApplication former = new ResumingApplication(application, protocol);
    assertThat(former.isLetIn(port)).isTrue();
    assertThat(former.isLetIn(port)).isTrue();
    assertThat(former.hasResumed()).isTrue();

    copy(other, present);
    files.look(Instant.now());

    assertThat(former.isLetIn(port)).isFalse();
  }

  @Test
  void ends_with_revoked_certificates_are_refused_on_both_sides() throws Exception {
    Path revokedAgent = authority.agent("h2", shared.resolve("revoked agent"));
    Path revokedApplication = authority.application(shared.resolve("revoked application"));
    Path knowing = Files.createDirectory(shared.resolve("knowing"));
    copy(agent, knowing);
    Files.writeString(
        knowing.resolve(TlsFiles.REVOKED),
        authority.revocations(List.of(revokedAgent, revokedApplication)));
    int port = serve(files(knowing));

    assertConnected(call(port, files(application).toAgent()));
    assertRefused(
        call(port, files(revokedApplication).toAgent()),
        "the other end refuses this one's certificate");
    assertRefused(
        call(port, files(revokedAgent).toAgent()), "the other end refuses this one's certificate");
    assertRefused(
        call(serve(files(revokedAgent)), files(knowing).toAgent()),
        "the other end's certificate has been revoked, as crl.pem here says");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_revoked_end_is_not_let_in_with_a_session_of_before(String protocol) throws Exception {
    Path present = Files.createDirectory(shared.resolve("list " + protocol));
    copy(agent, present);
    TlsFiles files = files(present);
    int port = serve(files);
    Path revoked = authority.application(present.resolve("revoked"));
    ResumingApplication former = new ResumingApplication(revoked, protocol);
    assertThat(former.isLetIn(port)).isTrue();
    assertThat(former.isLetIn(port)).isTrue();
    assertThat(former.hasResumed()).isTrue();

    Files.writeString(present.resolve(TlsFiles.REVOKED), authority.revocations(List.of(revoked)));
    files.look(Instant.now());

    assertThat(former.isLetIn(port)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void calls_under_way_end_when_the_other_ends_certificate_is_revoked(boolean isServerKnowing)
      throws Exception {
    Path served = Files.createDirectory(shared.resolve("served " + isServerKnowing));
    Path calling = Files.createDirectory(shared.resolve("calling " + isServerKnowing));
    copy(authority.agent("h3", served.resolve("issued")), served);
    copy(authority.agent("h4", calling.resolve("issued")), calling);
    TlsFiles server = files(served);
    TlsFiles client = files(calling);
    EndlessService service = new EndlessService();
    servers.add(service.start(server));
    CompletableFuture<Status> ended = service.call(client);
    service.awaitCalls(1);

    Path knowing = isServerKnowing ? served : calling;
    Path unlike = authority.application(knowing.resolve("unlike"));
    revoke(knowing, 1, unlike);
    (isServerKnowing ? server : client).look(Instant.now());
    CompletableFuture<Status> second = service.call(client);
    service.awaitCalls(1);
    assertThat(ended).isNotDone();

    revoke(knowing, 2, unlike, isServerKnowing ? calling : served);
    (isServerKnowing ? server : client).look(Instant.now());

    assertThat(ended.get(1, TimeUnit.MINUTES).getCode())
        .isEqualTo(isServerKnowing ? Status.Code.UNAUTHENTICATED : Status.Code.CANCELLED);
    assertThat(second.get(1, TimeUnit.MINUTES).isOk()).isFalse();
    service.awaitCancelled(2);
  }

  private static void revoke(Path knowing, int second, Path... directories) throws Exception {
    Path list = knowing.resolve(TlsFiles.REVOKED);
    Files.writeString(list, authority.revocations(List.of(directories)));
    Files.setLastModifiedTime(list, FileTime.from(Instant.ofEpochSecond(second)));
  }

  private static void copy(Path from, Path to) throws Exception {
    for (String name : List.of(TlsFiles.CERTIFICATE, TlsFiles.KEY, TlsFiles.TRUSTED)) {
      Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      long seconds = from.endsWith("other") ? 2 : 1; // The two files must have different times.
      Files.setLastModifiedTime(to.resolve(name), FileTime.from(Instant.ofEpochSecond(seconds)));
    }
  }
}
