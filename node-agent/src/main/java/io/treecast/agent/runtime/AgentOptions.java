package io.treecast.agent.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
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
 * @param registry where its meters go; agents of one program may share it
 * @param emulation makes its links slow and faulty, for a test cluster on one machine; null for
 *     real links
 * @param notices receives events for operators, on the agent's loop; must return quickly, and an
 *     exception of it stops the agent
 * @param crash called when a client has the agent crash, on a thread of its own; null for {@link
 *     Agent#crash}
 */
public record AgentOptions(
    MeterRegistry registry,
    @Nullable LinkEmulation emulation,
    Consumer<Notice> notices,
    @Nullable Runnable crash) {

  /** Crashes as {@link Agent#crash} does. */
  public AgentOptions(
      MeterRegistry registry, @Nullable LinkEmulation emulation, Consumer<Notice> notices) {
    this(registry, emulation, notices, null);
  }

  /** Returns a copy that crashes in this way. */
  public AgentOptions crashingBy(Runnable way) {
    return new AgentOptions(registry, emulation, notices, way);
  }

  /**
   * Returns options with a registry of its own, which has meters of the process as well; real
   * links, and notices to the log.
   */
  public static AgentOptions standard() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new UptimeMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    return new AgentOptions(registry, null, new NoticeLog());
  }
}
