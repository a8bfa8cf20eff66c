package io.treecast.testkit.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is either a schedule or refused with a reason. */
class ScheduleFileFuzzTest {

  static List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    try (Stream<Path> schedules = Files.list(Path.of("../schedules"))) {
      for (Path schedule : schedules.sorted().toList()) {
        seeds.add(Files.readAllBytes(schedule));
      }
    }
    return seeds;
  }

  @MethodSource("seeds")
  @FuzzTest
  void any_text_is_a_schedule_or_refused_with_a_reason(byte[] text) throws IOException {
    try {
      assertThat(ScheduleFile.read("a.txt", new StringReader(new String(text, UTF_8)))).isNotNull();
    } catch (ScheduleFormatException refused) {
      assertThat(refused).hasMessageContaining("a.txt");
    }
  }
}
