package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The script {@code treecast}, which finds a Java and builds. */
class ScriptTest {

  @Test
  void aJavaHomeWithoutJavaIsNamed() throws Exception {
    ProcessBuilder script =
        new ProcessBuilder(Repository.root().resolve("treecast").toString(), "version")
            .redirectErrorStream(true);
    script.environment().put("JAVA_HOME", "/no/such/jdk");

    Process process = script.start();

    try (var printed = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(printed.lines())
          .containsExactly(
              "treecast: JAVA_HOME=/no/such/jdk has no bin/java; set it to a JDK, 17 or newer, or unset it");
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }
}
