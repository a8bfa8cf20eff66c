package io.treecast.agent.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time from publication to delivery, by the site of the origin. One thread at a time calls
 * {@link #record} and {@link #close}.
 */
final class DeliveryLatency implements AutoCloseable {
  /** The limit of sites with a histogram of their own. */
  static final int MAX_SITES = 100;

  /** The label of all further sites. */
  private static final String OTHER = "other";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(3),
    Duration.ofMillis(10),
    Duration.ofMillis(30),
    Duration.ofMillis(100),
    Duration.ofMillis(300),
    Duration.ofSeconds(1),
    Duration.ofSeconds(3),
    Duration.ofSeconds(10),
    Duration.ofSeconds(60)
  };

  private final MeterRegistry registry;
  private final Tags node;
  private final Map<String, Timer> timers = new LinkedHashMap<>();

  /**
   * Creates an instance with the histogram of the agent's own site.
   *
   * @param ownSite null if none is configured
   */
  DeliveryLatency(MeterRegistry registry, Tags node, @Nullable String ownSite) {
    this.registry = registry;
    this.node = node;
    var unused = timer(ownSite);
  }

  /**
   * Records the delivery of one message.
   *
   * @param site the site of its origin; null if none is known
   */
  void record(@Nullable String site, long nanos) {
    timer(site).record(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private Timer timer(@Nullable String site) {
    String name = site == null ? "" : site;
    boolean isNew = !timers.containsKey(name) && timers.size() >= MAX_SITES;
    return timers.computeIfAbsent(
        isNew ? OTHER : name,
        label ->
            Timer.builder("treecast.broadcast.delivery")
                .description(
                    "Time from the publication of a message to its delivery at this agent, by site")
                .serviceLevelObjectives(BUCKETS)
                .tags(node.and("site", label))
                .register(registry));
  }

  @Override
  public void close() {
    timers.values().forEach(registry::remove);
  }
}
