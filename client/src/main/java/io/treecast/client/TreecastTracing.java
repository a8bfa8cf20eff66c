package io.treecast.client;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The spans of messages for OpenTelemetry, whose API must be on the application's class path. The
 * publisher's span is the parent of those of all handlers. Its context is sent in the headers, in
 * the format of the given OpenTelemetry's propagators, by default that of W3C.
 *
 * <pre>{@code
 * TreecastTracing tracing = new TreecastTracing(openTelemetry);
 * tracing.broadcast(treecast, payload, BroadcastOptions.defaults());
 * treecast.subscribe(message -> tracing.receive(message, () -> handle(message)));
 * }</pre>
 *
 * <p>Uploads have no headers, and therefore no spans. Safe for use by several threads.
 */
public final class TreecastTracing {
  private static final String DEFAULT_TOPIC = "(default topic)";

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  /** Creates the tracing of a program. */
  public TreecastTracing(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("io.treecast.client");
    propagator = openTelemetry.getPropagators().getTextMapPropagator();
  }

  /**
   * Broadcasts as {@link Treecast#broadcast(byte[], BroadcastOptions)} does, with a span of kind
   * {@code PRODUCER} from the call to the result. The context is added to the headers of the
   * options.
   *
   * @throws IllegalArgumentException if there are then too many headers, or they are too large
   */
  public CompletableFuture<BroadcastResult> broadcast(
      Treecast treecast, byte[] payload, BroadcastOptions options) {
    Span span = span("send", options.topic(), SpanKind.PRODUCER).startSpan();
    try {
      Map<String, String> headers = new LinkedHashMap<>(options.headers());
      propagator.inject(Context.current().with(span), headers, Map::put);
      CompletableFuture<BroadcastResult> own =
          treecast.ownBroadcast(payload, options.withHeaders(headers));
      CompletableFuture<BroadcastResult> given =
          PublicFuture.of(own.whenComplete((result, error) -> end(span, result, error)));
      var unused = given.whenComplete((result, error) -> own.cancel(false));
      return given;
    } catch (RuntimeException e) {
      end(span, null, e);
      throw e;
    }
  }

  /**
   * Handles a message, with a span of kind {@code CONSUMER} that is current meanwhile. An exception
   * from the handler is recorded and thrown.
   *
   * @param handler handles the message, on the calling thread
   */
  public void receive(Message message, Runnable handler) {
    Context sender = propagator.extract(Context.current(), message.headers(), new Getter());
    Span span =
        span("process", message.topic(), SpanKind.CONSUMER)
            .setParent(sender)
            .setAttribute("messaging.message.id", message.messageId().toString())
            .startSpan();
    try {
      sender.with(span).wrap(handler).run();
    } catch (RuntimeException | Error e) {
      failed(span, e);
      throw e;
    } finally {
      span.end();
    }
  }

  private SpanBuilder span(String operation, String topic, SpanKind kind) {
    return tracer
        .spanBuilder(operation + " " + (topic.isEmpty() ? DEFAULT_TOPIC : topic))
        .setSpanKind(kind)
        .setAttribute("messaging.system", "treecast")
        .setAttribute("messaging.operation.type", operation)
        .setAttribute("messaging.destination.name", topic);
  }

  private static void end(Span span, @Nullable BroadcastResult result, @Nullable Throwable error) {
    if (result != null) {
      span.setAttribute("messaging.message.id", result.messageId().toString());
    }
    if (error != null) {
      failed(span, error);
    }
    span.end();
  }

  private static void failed(Span span, Throwable error) {
    span.recordException(error);
    span.setStatus(StatusCode.ERROR);
    if (error instanceof TreecastException failure) {
      span.setAttribute("error.type", failure.reason().name());
    }
  }

  private static final class Getter implements TextMapGetter<Map<String, String>> {
    @Override
    public @Nullable String get(@Nullable Map<String, String> headers, String name) {
      return headers == null ? null : headers.get(name);
    }
  }
}
