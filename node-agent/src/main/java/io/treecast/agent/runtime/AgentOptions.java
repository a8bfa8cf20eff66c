package io.treecast.agent.runtime;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.runtime.loop.NoticeLog;
import io.treecast.agent.transport.LinkEmulation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the program that runs an agent gives it, beside its settings.
 *
 * @param registry where its meters go; agents of one program may share it
 * @param emulation makes its links slow and faulty, for a test cluster on one machine; null for
 *     real links
 * @param notices told what an operator may want to read, on the agent's loop; must return quickly,
 *     and what it throws stops the agent
 * @param crash what happens when somebody has the agent crash, on a thread of its own; null for
 *     {@link Agent#crash}
 */
public record AgentOptions(
    PrometheusMeterRegistry registry,
    @Nullable LinkEmulation emulation,
    Consumer<Notice> notices,
    @Nullable Runnable crash) {

  /** Crashes as {@link Agent#crash} does. */
  public AgentOptions(
      PrometheusMeterRegistry registry,
      @Nullable LinkEmulation emulation,
      Consumer<Notice> notices) {
    this(registry, emulation, notices, null);
  }

  /** The same, but the agent crashes in this way. */
  public AgentOptions crashingBy(Runnable way) {
    return new AgentOptions(registry, emulation, notices, way);
  }

  /**
   * Returns a registry of its own, also with meters of the process; real links, notices to the log.
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
