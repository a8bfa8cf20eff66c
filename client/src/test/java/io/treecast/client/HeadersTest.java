package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void headers_survive_encoding_in_their_order() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("traceparent", TRACEPARENT);
    headers.put("a", "ä, and a line\n");

    assertThat(Headers.decode(Headers.encode(Headers.checked(headers))))
        .containsExactlyEntriesOf(headers);
  }

  @Test
  void headers_that_are_no_headers_are_left_out() {
    assertThat(Headers.decode(ByteString.copyFromUtf8("\1\2\3garbage"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Traceparent", "a b", "-a", "a:b", "ä"})
  void names_that_are_not_allowed_are_refused(String name) {
    assertThatThrownBy(() -> BroadcastOptions.defaults().withHeaders(Map.of(name, "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void too_many_or_too_large_headers_are_refused() {
    Map<String, String> many = new LinkedHashMap<>();
    IntStream.range(0, Headers.MAX_HEADERS).forEach(i -> many.put("h" + i, "x"));
    assertThat(BroadcastOptions.defaults().withHeaders(many).headers()).isEqualTo(many);
    many.put("more", "x");

    assertThatThrownBy(() -> BroadcastOptions.defaults().withHeaders(many))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("33");
    assertThatThrownBy(
            () ->
                BroadcastOptions.defaults().withHeaders(Map.of("a", "x".repeat(Headers.MAX_BYTES))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4096");
  }

  @Test
  void options_keep_their_headers() {
    BroadcastOptions options = BroadcastOptions.defaults().withHeaders(Map.of("a", "x"));

    assertThat(options.withReplicas(1).withTopic("t").withRetryToken(RetryToken.create()).headers())
        .isEqualTo(Map.of("a", "x"));
    assertThat(options).isNotEqualTo(BroadcastOptions.defaults());
    assertThat(options.toString()).contains("a=x");
  }
}
