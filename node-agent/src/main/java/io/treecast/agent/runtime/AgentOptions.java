package io.treecast.agent.runtime;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.runtime.loop.NoticeLog;
import io.treecast.agent.transport.emulation.LinkEmulation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resources that the embedding program gives an agent, beside its settings.
 *
 * @param registry the registry for its meters; agents of one program may share it
 * @param emulation delays and faults on its links, for a test cluster on one machine; null for real
 *     links
 * @param notices receives events for operators, on the agent's loop; must return quickly, and an
 *     exception from it stops the agent
 * @param crash runs on a thread of its own when a client requests a crash; null for {@link
 *     Agent#crash}
 */
public record AgentOptions(
    MeterRegistry registry,
    @Nullable LinkEmulation emulation,
    Consumer<Notice> notices,
    @Nullable Runnable crash) {

  /** Creates options with {@link Agent#crash} as the crash. */
  public AgentOptions(
      MeterRegistry registry, @Nullable LinkEmulation emulation, Consumer<Notice> notices) {
    this(registry, emulation, notices, null);
  }

  /** Returns a copy with this action as the crash. */
  public AgentOptions crashingBy(Runnable way) {
    return new AgentOptions(registry, emulation, notices, way);
  }

  /**
   * Returns options with real links, notices to the log, and a new registry that also has meters of
   * the process.
   */
  public static AgentOptions standard() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(new PrometheusNames());
    new UptimeMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    return new AgentOptions(registry, null, new NoticeLog());
  }

  /** Replaces the names that contradict Prometheus's rules, which promtool checks. Stateless. */
  private static final class PrometheusNames implements MeterFilter {
    /** Nanoseconds; {@code process.cpu.usage} has the same in no unit. */
    @Override
    public MeterFilterReply accept(Meter.Id id) {
      return id.getName().equals("process.cpu.time")
          ? MeterFilterReply.DENY
          : MeterFilterReply.NEUTRAL;
    }

    /** A suffix {@code _count} is reserved for histograms and summaries. */
    @Override
    public Meter.Id map(Meter.Id id) {
      return id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
    }
  }
}
