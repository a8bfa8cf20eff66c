package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final SocketAddress THIS_MACHINE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7700);
  private static final SocketAddress OTHER_MACHINE = otherMachine();

  private final Applied applied = new Applied();

  private static SocketAddress otherMachine() {
    try {
      byte[] documentation = {(byte) 192, 0, 2, 1};
      return new InetSocketAddress(InetAddress.getByAddress(documentation), 7700);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void the_token_leaves_this_machine_by_tls_only() {
    apply(SecurityLevel.PRIVACY_AND_INTEGRITY, OTHER_MACHINE);
    assertThat(applied.authorization).isEqualTo("Bearer secret");

    apply(SecurityLevel.NONE, OTHER_MACHINE);
    assertThat(applied.authorization).isNull();
    assertThat(applied.code).isEqualTo(Status.Code.UNAUTHENTICATED);

    apply(SecurityLevel.NONE, InetSocketAddress.createUnresolved("localhost", 7700));
    assertThat(applied.authorization).isNull();
  }

  @Test
  void the_token_reaches_agents_of_this_machine_in_plain_text() {
    apply(SecurityLevel.NONE, THIS_MACHINE);
    assertThat(applied.authorization).isEqualTo("Bearer secret");
    assertThat(applied.code).isEqualTo(Status.Code.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "umläut", "line\n"})
  void a_text_that_no_header_can_carry_is_refused_without_being_shown(String text) {
    assertThatThrownBy(() -> BearerToken.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000")
        .hasMessageNotContainingAny("words", "umläut", "line");
  }

  @Test
  void a_token_does_not_show_its_text() {
    assertThat(BearerToken.of("secret")).asString().doesNotContain("secret");
  }

  private void apply(SecurityLevel level, SocketAddress address) {
    CapturedOptions channel = new CapturedOptions();
    assertThatThrownBy(
            () ->
                BearerToken.of("secret")
                    .interceptCall(EndlessService.METHOD, CallOptions.DEFAULT, channel))
        .isInstanceOf(UnsupportedOperationException.class);
    CallCredentials credentials =
        Objects.requireNonNull(Objects.requireNonNull(channel.options).getCredentials());
    credentials.applyRequestMetadata(new Request(level, address), Runnable::run, applied);
  }

  /** A channel that records the options of a call and makes none. */
  private static final class CapturedOptions extends Channel {
    private @Nullable CallOptions options;

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions given) {
      options = given;
      throw new UnsupportedOperationException("this channel makes no calls");
    }

    @Override
    public String authority() {
      return "agent";
    }
  }

  private static final class Request extends CallCredentials.RequestInfo {
    private final SecurityLevel level;
    private final SocketAddress address;

    private Request(SecurityLevel level, SocketAddress address) {
      this.level = level;
      this.address = address;
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
      return EndlessService.METHOD;
    }

    @Override
    public CallOptions getCallOptions() {
      return CallOptions.DEFAULT;
    }

    @Override
    public SecurityLevel getSecurityLevel() {
      return level;
    }

    @Override
    public String getAuthority() {
      return "agent";
    }

    @Override
    public Attributes getTransportAttrs() {
      return Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, address).build();
    }
  }

  private static final class Applied extends CallCredentials.MetadataApplier {
    private @Nullable String authorization;
    private Status.@Nullable Code code;

    @Override
    public void apply(Metadata headers) {
      authorization = headers.get(AUTHORIZATION);
      code = Status.Code.OK;
    }

    @Override
    public void fail(Status status) {
      authorization = null;
      code = status.getCode();
    }
  }
}
