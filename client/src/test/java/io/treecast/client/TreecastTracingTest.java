package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spans from a publisher to a handler, with the SDK of OpenTelemetry. */
@Timeout(120)
class TreecastTracingTest {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final TreecastTracing tracing =
      new TreecastTracing(
          OpenTelemetrySdk.builder()
              .setTracerProvider(
                  SdkTracerProvider.builder()
                      .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                      .build())
              .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
              .build());

  @Test
  void the_span_of_a_broadcast_is_the_parent_of_that_of_a_handler() {
    Map<String, String> headers;
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      tracing
          .broadcast(
              treecast,
              new byte[1],
              BroadcastOptions.defaults().withTopic("prices").withHeaders(Map.of("a", "b")))
          .join();
      headers = Headers.decode(agent.broadcasts.get(0).getHeaders());
    }
    assertThat(headers).containsEntry("a", "b").containsKey("traceparent");
    AtomicReference<String> current = new AtomicReference<>();
    Message message =
        new Message(new MessageId("h1", 1, "prices", 0, 1), new byte[1], null, null, headers);

    tracing.receive(message, () -> current.set(Span.current().getSpanContext().getSpanId()));

    SpanData producer = exporter.getFinishedSpanItems().get(0);
    SpanData consumer = exporter.getFinishedSpanItems().get(1);
    assertThat(producer.getName()).isEqualTo("send prices");
    assertThat(producer.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(consumer.getName()).isEqualTo("process prices");
    assertThat(consumer.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(consumer.getParentSpanId()).isEqualTo(producer.getSpanId());
    assertThat(consumer.getTraceId()).isEqualTo(producer.getTraceId());
    assertThat(current).hasValue(consumer.getSpanId());
  }

  @Test
  void a_broadcast_that_is_cancelled_is_withdrawn() {
    try (ScriptedAgent agent = ScriptedAgent.running();
        Treecast treecast = Treecast.connect(agent.address())) {
      agent.onBroadcast((request, answer) -> {});
      CompletableFuture<BroadcastResult> result =
          tracing.broadcast(treecast, new byte[1], BroadcastOptions.defaults());
      await().until(() -> agent.answers.size() == 1);

      result.cancel(false);

      await().until(() -> agent.answers.get(0).isCancelled());
    }
    await().until(() -> exporter.getFinishedSpanItems().size() == 1);
  }

  @Test
  void failures_are_recorded() {
    Treecast closed = Treecast.connect("127.0.0.1:1");
    closed.close();
    assertThatThrownBy(
            () -> tracing.broadcast(closed, new byte[1], BroadcastOptions.defaults()).join())
        .isInstanceOf(CompletionException.class);
    Message message = new Message(new MessageId("h1", 1, "", 0, 1), new byte[1]);
    assertThatThrownBy(
            () ->
                tracing.receive(
                    message,
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(exporter.getFinishedSpanItems())
        .extracting(span -> span.getStatus().getStatusCode())
        .containsExactly(StatusCode.ERROR, StatusCode.ERROR);
    assertThat(exporter.getFinishedSpanItems().get(0).getAttributes())
        .satisfies(
            attributes ->
                assertThat(attributes.get(AttributeKey.stringKey("error.type")))
                    .isEqualTo("CLOSED"));
  }
}
