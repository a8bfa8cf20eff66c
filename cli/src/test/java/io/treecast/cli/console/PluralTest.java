package io.treecast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {

  @Test
  void one_is_one_and_all_else_is_many() {
    assertThat(Plural.of(0, "agent")).isEqualTo("0 agents");
    assertThat(Plural.of(1, "agent")).isEqualTo("1 agent");
    assertThat(Plural.of(2, "agent")).isEqualTo("2 agents");
    assertThat(Plural.of(1, "delivery", "deliveries")).isEqualTo("1 delivery");
    assertThat(Plural.of(48, "delivery", "deliveries")).isEqualTo("48 deliveries");
  }
}
