package io.treecast.agent.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is a configuration that can be used, or refused with a reason that names the file. */
class AgentConfigFuzzTest {

  static Stream<byte[]> seeds() throws IOException {
    return Stream.of(
        Files.readAllBytes(Path.of("../docs/agent.example.yaml")),
        "id: a\nlisten: 127.0.0.1:0\nseeds: [b:1]\n".getBytes(UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest
  void any_text_is_a_configuration_or_refused_with_a_reason(byte[] text) {
    try {
      assertThat(AgentConfigFile.parse("a.yaml", new String(text, UTF_8)).toConfig()).isNotNull();
    } catch (ConfigException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
