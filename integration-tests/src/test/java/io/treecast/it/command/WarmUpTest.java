package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code treecast warm-up}, which takes five seconds of a processor. */
class WarmUpTest {
  @Test
  @Tag("nightly")
  void it_runs_agents_and_commands_to_their_end(@TempDir Path directory) throws Exception {
    TreecastProcess.Ended ended = TreecastProcess.run(directory, List.of("warm-up"));

    assertThat(ended.exitCode()).as(ended.toString()).isZero();
  }
}
