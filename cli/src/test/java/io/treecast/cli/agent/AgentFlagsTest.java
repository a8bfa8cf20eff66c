package io.treecast.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.agent.config.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        .hasMessageStartingWith("TREECAST_SITE: 'a b'");
  }

  @Test
  void labels_of_a_flag_count_before_those_of_the_environment() throws Exception {
    assertThat(AgentFlags.labels(List.of("gpu=8,fw=2.1", "a=b"), "gpu=4"))
        .isEqualTo(Map.of("gpu", "8", "fw", "2.1", "a", "b"));
    assertThat(AgentFlags.labels(null, " gpu = 4 ")).isEqualTo(Map.of("gpu", "4"));
    assertThat(AgentFlags.labels(null, " ")).as("left to the file").isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu", "=8", "gpu=", "id=h1", "site=east", "g pu=8", "gpu=8,"})
  void labels_of_another_form_are_refused(String labels) {
    assertThatThrownBy(() -> AgentFlags.labels(List.of(labels), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--label");
  }

  @Test
  void more_than_a_kibibyte_of_labels_is_refused() throws Exception {
    String most = "a=" + "x".repeat(200);
    String labels = most + ",b" + most.substring(1) + ",c" + most.substring(1);
    String all =
        labels + ",d" + most.substring(1) + ",e" + most.substring(1) + ",f=" + "x".repeat(18);
    assertThat(AgentFlags.labels(List.of(all), null)).hasSize(6);
    assertThatThrownBy(() -> AgentFlags.labels(List.of(all + "x"), null))
        .isInstanceOf(ConfigException.class);
  }
}
