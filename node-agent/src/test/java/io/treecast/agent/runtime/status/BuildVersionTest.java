package io.treecast.agent.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildVersionTest {
  @Test
  void the_build_has_left_its_version() {
    assertThat(BuildVersion.version()).matches("\\d+\\.\\d+\\.\\d+(-[\\w.]+)?");
  }
}
