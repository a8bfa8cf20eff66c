package io.treecast.agent.runtime.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the live page draws boxes and edges. Skipped on machines without Node.js. */
class LivePageLayoutTest {
  private static final long SEEDS = 60;

  @Test
  void no_edge_touches_a_box_that_is_not_its_end_and_no_boxes_overlap(@TempDir Path directory)
      throws Exception {
    assumeTrue(runs("node", "--version"), "there is no Node.js on the path");
    // Node.js takes a file for a module by this ending.
    Path layout = directory.resolve("tree-layout.mjs");
    Files.copy(file("/io/treecast/agent/runtime/admin/live-page/tree-layout.js"), layout);
    Process check =
        new ProcessBuilder(
                "node",
                file("/live-page/tree-layout-check.mjs").toString(),
                layout.toString(),
                Long.toString(SEEDS * Long.getLong("treecast.seeds.times", 1)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    String output = new String(check.getInputStream().readAllBytes(), UTF_8);

    assertThat(output).isEqualToNormalizingNewlines("0 faults\n");
    assertThat(check.waitFor()).isZero();
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectErrorStream(true)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path file(String resource) throws Exception {
    URL url = Objects.requireNonNull(LivePageLayoutTest.class.getResource(resource));
    return Path.of(url.toURI());
  }
}
