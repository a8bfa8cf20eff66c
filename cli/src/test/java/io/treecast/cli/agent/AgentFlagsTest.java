package io.treecast.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.config.ConfigException;
import org.junit.jupiter.api.Test;

class AgentFlagsTest {
  @Test
  void the_flag_counts_before_the_environment_and_that_before_the_file() throws Exception {
    assertThat(AgentFlags.site("east", "west")).isEqualTo("east");
    assertThat(AgentFlags.site(null, " west ")).isEqualTo("west");
    assertThat(AgentFlags.site(null, " ")).as("left to the file").isNull();
    assertThat(AgentFlags.site(null, null)).isNull();
  }

  @Test
  void a_site_of_the_environment_that_cannot_be_used_is_named() {
    assertThatThrownBy(() -> AgentFlags.site(null, "a b"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("TREECAST_SITE: 'a b' is not allowed");
  }
}
