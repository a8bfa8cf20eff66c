package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call before and after the certificate of its other end is revoked. */
class RevocableCallsTest {
  private static final MethodDescriptor<String, String> METHOD =
      MethodDescriptor.newBuilder(new Text(), new Text())
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("a/B")
          .build();

  @TempDir static Path shared;
  private static PemFiles nothingRevoked;
  private static PemFiles allRevoked;
  private static Attributes secured;

  private PemFiles files;
  private final RevocableCalls calls = new RevocableCalls(() -> files);

  /** The events of the connection and of the application, in order. */
  private final List<String> carried = new ArrayList<>();

  /** The listener of the last call. */
  private ClientCall.Listener<String> caller = new ClientCall.Listener<>() {};

  @BeforeAll
  static void issue() throws Exception {
    TestAuthority authority = new TestAuthority();
    Path agent = authority.agent("h1", shared.resolve("h1"));
    Certificate[] chain = PemFiles.read(agent).chain().toArray(new Certificate[0]);
    nothingRevoked = PemFiles.read(agent);
    Files.writeString(agent.resolve(TlsFiles.REVOKED), authority.revocations(List.of(agent)));
    allRevoked = PemFiles.read(agent);
    SSLSession session =
        (SSLSession)
            Proxy.newProxyInstance(
                SSLSession.class.getClassLoader(),
                new Class<?>[] {SSLSession.class},
                (proxy, method, args) ->
                    method.getName().equals("getPeerCertificates") ? chain : null);
    secured = Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_SSL_SESSION, session).build();
  }

  @BeforeEach
  void revokeNothing() {
    files = nothingRevoked;
  }

  private ClientCall<String, String> made(Attributes attributes) {
    return calls.interceptCall(
        METHOD,
        CallOptions.DEFAULT,
        new Channel() {
          @Override
          public String authority() {
            return "authority";
          }

          @Override
          @SuppressWarnings("unchecked") // There is one method.
          public <Q, R> ClientCall<Q, R> newCall(
              MethodDescriptor<Q, R> method, CallOptions options) {
            return (ClientCall<Q, R>) new Made(attributes);
          }
        });
  }

  private ServerCall.Listener<String> accepted(List<ServerCall<String, String>> started) {
    return calls.interceptCall(
        new Accepted(),
        new Metadata(),
        (call, headers) -> {
          started.add(call);
          return new ServerCall.Listener<>() {
            @Override
            public void onComplete() {
              carried.add("complete");
            }

            @Override
            public void onCancel() {
              carried.add("cancel");
            }
          };
        });
  }

  @Test
  void calls_continue_while_no_certificate_is_revoked() {
    ClientCall<String, String> made = made(secured);
    made.start(new ClientCall.Listener<>() {}, new Metadata());
    made.sendMessage("question");
    made.halfClose();
    List<ServerCall<String, String>> started = new ArrayList<>();
    ServerCall.Listener<String> listener = accepted(started);
    ServerCall<String, String> accepted = started.get(0);
    accepted.sendHeaders(new Metadata());
    accepted.sendMessage("answer");

    assertThat(calls.endRevoked()).isZero();
    assertThat(accepted.isCancelled()).isFalse();

    accepted.close(Status.OK, new Metadata());
    listener.onComplete();
    made.cancel("enough", null);

    assertThat(carried)
        .containsExactly(
            "start", "question", "half-close", "headers", "answer", "OK", "complete", "enough");
  }

  @Test
  void a_call_that_was_made_carries_nothing_more_once_the_other_end_is_revoked() {
    ClientCall<String, String> made = made(secured);
    made.start(new ClientCall.Listener<>() {}, new Metadata());
    files = allRevoked;

    assertThat(calls.endRevoked()).isOne();
    made.sendMessage("question");
    made.halfClose();
    made.cancel("enough", null);

    assertThat(carried).hasSize(2).startsWith("start").last().asString().contains("revoked");
    assertThat(calls.endRevoked()).isZero();
  }

  @Test
  void a_call_that_was_accepted_carries_nothing_more_and_is_cancelled_to_the_service() {
    List<ServerCall<String, String>> started = new ArrayList<>();
    ServerCall.Listener<String> listener = accepted(started);
    ServerCall<String, String> accepted = started.get(0);
    files = allRevoked;

    assertThat(calls.endRevoked()).isOne();
    accepted.sendHeaders(new Metadata());
    accepted.sendMessage("answer");
    accepted.close(Status.OK, new Metadata());
    listener.onComplete();

    assertThat(accepted.isCancelled()).isTrue();
    assertThat(carried).containsExactly("UNAUTHENTICATED", "cancel");
  }

  @Test
  void a_call_from_a_revoked_end_never_reaches_the_service() {
    files = allRevoked;
    List<ServerCall<String, String>> started = new ArrayList<>();

    ServerCall.Listener<String> unused = accepted(started);

    assertThat(started).isEmpty();
    assertThat(carried).containsExactly("UNAUTHENTICATED");
  }

  @Test
  void a_call_that_is_not_connected_yet_is_left_to_its_handshake() {
    ClientCall<String, String> made = made(Attributes.EMPTY);
    made.start(new ClientCall.Listener<>() {}, new Metadata());
    files = allRevoked;

    assertThat(calls.endRevoked()).isZero();
    made.sendMessage("question");

    assertThat(carried).containsExactly("start", "question");
  }

  @Test
  void a_call_that_was_not_connected_when_the_list_arrived_ends_at_its_first_answer() {
    ClientCall<String, String> made = made(secured);
    made.start(
        new ClientCall.Listener<>() {
          @Override
          public void onHeaders(Metadata answer) {
            carried.add("headers");
          }
        },
        new Metadata());
    caller.onHeaders(new Metadata());
    files = allRevoked;
    caller.onHeaders(new Metadata());

    assertThat(carried)
        .hasSize(3)
        .startsWith("start", "headers")
        .last()
        .asString()
        .contains("revoked");
    assertThat(calls.endRevoked()).isZero();
  }

  @Test
  void a_call_that_has_ended_is_forgotten() {
    ClientCall<String, String> made = made(secured);
    made.start(new ClientCall.Listener<>() {}, new Metadata());
    caller.onClose(Status.OK, new Metadata());
    List<ServerCall<String, String>> started = new ArrayList<>();
    accepted(started).onCancel();
    files = allRevoked;

    assertThat(calls.endRevoked()).isZero();
  }

  /** A call whose connection is only recorded. */
  private final class Made extends ClientCall<String, String> {
    private final Attributes attributes;

    Made(Attributes attributes) {
      this.attributes = attributes;
    }

    @Override
    public void start(ClientCall.Listener<String> listener, Metadata headers) {
      caller = listener;
      carried.add("start");
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      carried.add(String.valueOf(message));
    }

    @Override
    public void halfClose() {
      carried.add("half-close");
    }

    @Override
    public void sendMessage(String message) {
      carried.add(message);
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }
  }

  /** An accepted call whose connection is only recorded. */
  private final class Accepted extends ServerCall<String, String> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {
      carried.add("headers");
    }

    @Override
    public void sendMessage(String message) {
      carried.add(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      carried.add(status.getCode().name());
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public Attributes getAttributes() {
      return secured;
    }

    @Override
    public MethodDescriptor<String, String> getMethodDescriptor() {
      return METHOD;
    }
  }

  /** Not used: there is no real connection. */
  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public String parse(InputStream stream) {
      return "";
    }
  }
}
