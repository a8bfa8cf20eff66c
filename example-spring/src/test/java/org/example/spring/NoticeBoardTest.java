package org.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.treecast.agent.runtime.Agent;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.client.TestRestTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The notice board with a real agent. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class NoticeBoardTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Agent agent;

  @Autowired private TestRestTemplate http;
  @Autowired private MeterRegistry meters;

  @DynamicPropertySource
  static void startAgent(DynamicPropertyRegistry properties) throws Exception {
    agent = Agent.builder().id("h1").listen("127.0.0.1:0").start();
    properties.add("treecast.agent", () -> agent.address().toString());
  }

  @AfterAll
  static void stopAgent() {
    agent.close();
  }

  @Test
  void a_posted_notice_is_on_the_board_and_counted_and_the_service_is_healthy() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(http.getForObject("/actuator/health/treecastHealth", String.class))
                    .contains("\"status\":\"UP\"", "\"agent\":\"h1\""));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(http.postForObject("/notices", "hello", String.class)).contains("h1/");
              assertThat(http.getForObject("/notices", String[].class)).contains("h1: hello");
            });
    assertThat(meters.get("treecast.client.broadcasts").functionCounters())
        .anyMatch(counter -> counter.count() > 0);
  }
}
