package io.treecast.it.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The verdict of systemd on the unit, on machines with systemd. */
class SystemdUnitTest {
  private static final Path UNIT = Path.of("dist/src/main/systemd/treecast-agent.service");
  private static final double MOST_EXPOSED = 2.0;
  private static final Pattern EXPOSURE =
      Pattern.compile("Overall exposure level for treecast-agent.service: (\\d+\\.\\d+)");

  private static String analyze(String... words) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("systemd-analyze");
    builder.command().addAll(List.of(words));
    builder.command().add(Repository.root().resolve(UNIT).toString());
    Process process = builder.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  private static void assumeThatThereIsSystemd() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")));
  }

  @Test
  void the_service_is_exposed_to_little() throws Exception {
    assumeThatThereIsSystemd();
    String text = analyze("security", "--offline=true", "--no-pager");
    assumeTrue(!text.contains("unrecognized option"), "an older systemd judges no file");

    Matcher exposure = EXPOSURE.matcher(text);

    assertThat(exposure.find()).as(text).isTrue();
    assertThat(Double.parseDouble(exposure.group(1))).isLessThanOrEqualTo(MOST_EXPOSED);
  }

  @Test
  void systemd_knows_every_line_of_the_unit() throws Exception {
    assumeThatThereIsSystemd();

    assertThat(analyze("verify")).doesNotContain("Unknown", "Failed to parse", "Invalid");
  }
}
