package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest {
  @ParameterizedTest
  @CsvSource({
    "agent --id h1, true",
    "demo, true",
    "warm-up, true",
    "status --agent agent, false",
    "subscribe, false",
    "foo, false",
    "'', false"
  })
  void commands_that_run_agents_are_known_before_they_are_parsed(String line, boolean runs) {
    assertThat(Commands.runsAgents(line.isEmpty() ? new String[0] : line.split(" ")))
        .isEqualTo(runs);
  }
}
