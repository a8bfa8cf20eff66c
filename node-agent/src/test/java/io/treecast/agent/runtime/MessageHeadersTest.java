package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Headers and times of publication of messages, across agents. */
class MessageHeadersTest {
  private static final Map<String, String> HEADERS =
      Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

  private final TestAgents agents = new TestAgents();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  @Test
  void headers_and_time_of_publication_arrive_with_small_and_large_messages() {
    List<Agent> cluster = agents.startReadyCluster(2);
    // With its headers, the last chunk of the second one would be too large.
    List<byte[]> payloads =
        List.of("hello".getBytes(UTF_8), new byte[2 * 65_536 - 10], new byte[0]);
    Instant before = Instant.now();
    try (Treecast publisher = cluster.get(0).client();
        Treecast subscriber = cluster.get(1).client();
        EventIterator<Message> messages =
            subscriber.blocking().subscribe(SubscribeOptions.defaults())) {
      for (byte[] payload : payloads) {
        publisher.blocking().broadcast(payload, BroadcastOptions.defaults().withHeaders(HEADERS));
      }
      publisher.blocking().broadcast(new byte[1]);

      for (byte[] payload : payloads) {
        Message message = Objects.requireNonNull(messages.poll(PATIENCE));
        assertThat(message.payload()).isEqualTo(payload);
        assertThat(message.headers()).isEqualTo(HEADERS);
        assertThat(message.publishedAt()).isCloseTo(before, within(1, MINUTES));
      }
      Message without = Objects.requireNonNull(messages.poll(PATIENCE));
      assertThat(without.headers()).isEmpty();
      assertThat(without.publishedAt()).isCloseTo(before, within(1, MINUTES));
    }
  }

  @Test
  void uploads_have_no_headers() {
    Agent agent = agents.startReadyCluster(1).get(0);
    try (Treecast client = agent.client()) {
      assertThatThrownBy(
              () ->
                  client.upload(
                      new ByteArrayInputStream(new byte[1]),
                      BroadcastOptions.defaults().withHeaders(HEADERS)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
