package io.treecast.agent.runtime;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.treecast.agent.core.Notice;
import io.treecast.agent.transport.LinkEmulation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the program that runs an agent gives it, beside its settings.
 *
 * @param registry where its meters go; agents of one program may share it
 * @param emulation makes its links slow and faulty, for a test cluster on one machine; null for
 *     real links
 * @param notices told what an operator may want to read, on the agent's loop; must return quickly
 */
public record AgentOptions(
    PrometheusMeterRegistry registry, @Nullable LinkEmulation emulation, Consumer<Notice> notices) {

  /** A registry of its own, real links, notices to the log. */
  public static AgentOptions standard() {
    return new AgentOptions(
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), null, new NoticeLog());
  }
}
