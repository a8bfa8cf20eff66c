package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.it.repository.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schedule of the first steps and its documented output, which is the same on every machine.
 */
@Timeout(180)
class DocumentedScheduleTest {
  private static final Pattern SCHEDULE = Pattern.compile("(?s)```\\R(# time {2}event\\R.*?)```");
  private static final Pattern OUTPUT =
      Pattern.compile(
          "(?s)\\$ \\./treecast simulate --schedule break\\.txt\\R(.*?)\\.\\.\\.\\R(.*?)```");

  @Test
  void the_schedule_has_the_output_of_the_first_steps(@TempDir Path directory) throws Exception {
    String page = Repository.text(Path.of("docs/getting-started.md"));
    Matcher schedule = SCHEDULE.matcher(page);
    Matcher output = OUTPUT.matcher(page);
    assertThat(schedule.find() && output.find()).isTrue();
    Path file = Files.writeString(directory.resolve("break.txt"), schedule.group(1));

    TreecastProcess.Ended ended =
        TreecastCommand.run(List.of("simulate", "--schedule", file.toString()));

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).contains(output.group(1), output.group(2));
  }
}
