package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

/** The options of an agent that is alone in its process. */
class AgentOptionsTest {
  @Test
  void its_page_tells_since_when_the_process_runs_what_it_takes_and_how_full_its_heap_is() {
    assertThat(((PrometheusMeterRegistry) AgentOptions.standard().registry()).scrape())
        .containsPattern("(?m)^process_start_time_seconds \\d")
        .containsPattern("(?m)^process_uptime_seconds \\d")
        .containsPattern("(?m)^process_cpu_usage ")
        .containsPattern("(?m)^jvm_memory_used_bytes\\{area=\"heap\",id=\".+\"} \\d")
        .containsPattern("(?m)^jvm_memory_max_bytes\\{area=\"heap\",id=\".+\"} ");
  }
}
