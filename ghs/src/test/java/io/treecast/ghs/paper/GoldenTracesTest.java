package io.treecast.ghs.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stories in {@code src/test/resources/traces}, see {@link GoldenTrace}. */
class GoldenTracesTest {
  private static final Path TRACES = Path.of("src", "test", "resources", "traces");

  static List<Path> stories() throws IOException {
    try (Stream<Path> files = Files.list(TRACES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void a_story_is_replayed_word_for_word(Path story) throws IOException {
    String told = Files.readString(story);
    String replayed = GoldenTrace.replay(told);
    if (Boolean.getBoolean("traces.rewrite")) {
      Files.writeString(story, replayed);
      return;
    }
    assertThat(replayed)
        .as(
            "%s tells another story now. If that is meant: mvn -pl ghs -am test"
                + " -Dtest=GoldenTracesTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dtraces.rewrite=true, and read the diff",
            story)
        .isEqualTo(told);
  }

  @Test
  void every_kind_of_message_and_of_waiting_occurs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path story : stories()) {
      all.append(Files.readString(story));
    }
    assertThat(all.toString())
        .contains(", Find)", ", Found)", " Accept\n", " Reject\n", " ChangeRoot\n", "Report(none;")
        .containsPattern("Connect\\(\\d+\\)\n    it waits")
        .containsPattern("Test\\(.*\\)\n    it waits")
        .containsPattern("Report\\(.*\\)\n    it waits");
  }
}
