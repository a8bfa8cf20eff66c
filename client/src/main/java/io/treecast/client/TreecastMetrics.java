package io.treecast.client;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.treecast.client.Reply.Outcome;
import io.treecast.client.TreecastException.Reason;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The meters of a client for Micrometer, which must be on the application's class path:
 *
 * <pre>{@code
 * new TreecastMetrics(treecast).bindTo(registry);
 * }</pre>
 *
 * <p>{@code treecast.client.broadcasts} counts broadcasts and uploads by their outcome: {@code
 * accepted}, {@code cancelled}, or the reason of the failure in small letters. {@code
 * treecast.client.broadcast} is the time of accepted ones from the call to the agent's answer.
 * {@code treecast.client.requests} counts requests at each member by their {@link Outcome}, {@code
 * treecast.client.served} those that servers of the client have handled. {@code
 * treecast.client.delivered} counts messages handed to handlers, {@code treecast.client.missed}
 * messages reported as missed. {@code treecast.client.connected} is 1 while there is a connection.
 * The meters do not prevent garbage collection of the client.
 */
public final class TreecastMetrics implements MeterBinder {
  private static final String BROADCASTS = "treecast.client.broadcasts";

  private final Treecast treecast;
  private final Tags tags;

  /**
   * Creates the meters of a client, which are registered by {@link #bindTo}.
   *
   * @param tags of each meter, to distinguish clients of one program
   */
  public TreecastMetrics(Treecast treecast, Tag... tags) {
    this.treecast = Objects.requireNonNull(treecast, "treecast");
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    outcome(registry, "accepted", ClientCounts::acceptedCount);
    outcome(registry, "cancelled", ClientCounts::cancelledCount);
    for (Reason reason : Reason.values()) {
      outcome(
          registry, reason.name().toLowerCase(Locale.ROOT), counts -> counts.failedCount(reason));
    }
    FunctionTimer.builder(
            "treecast.client.broadcast",
            treecast.counts(),
            ClientCounts::acceptedCount,
            ClientCounts::acceptedNanos,
            TimeUnit.NANOSECONDS)
        .description("Time from the call of a broadcast to its acceptance")
        .tags(tags)
        .register(registry);
    for (Outcome outcome : Outcome.values()) {
      counter(
              "treecast.client.requests",
              tags.and("outcome", outcome.name().toLowerCase(Locale.ROOT)),
              counts -> counts.requestCount(outcome))
          .description("Requests that have ended, at each member, by outcome")
          .register(registry);
    }
    counter("treecast.client.served", tags, ClientCounts::servedCount)
        .description("Requests that servers of this client have handled")
        .register(registry);
    counter("treecast.client.delivered", tags, ClientCounts::deliveredCount)
        .description("Messages handed to handlers")
        .register(registry);
    counter("treecast.client.missed", tags, ClientCounts::missedCount)
        .description("Messages reported as missed")
        .register(registry);
    Gauge.builder("treecast.client.connected", treecast, client -> client.isConnected() ? 1 : 0)
        .description("1 while the client is connected to an agent")
        .tags(tags)
        .register(registry);
  }

  private void outcome(MeterRegistry registry, String name, ToLongFunction<ClientCounts> count) {
    counter(BROADCASTS, tags.and("outcome", name), count)
        .description("Broadcasts and uploads that have ended, by outcome")
        .register(registry);
  }

  private FunctionCounter.Builder<ClientCounts> counter(
      String name, Tags of, ToLongFunction<ClientCounts> count) {
    return FunctionCounter.builder(name, treecast.counts(), count::applyAsLong).tags(of);
  }
}
