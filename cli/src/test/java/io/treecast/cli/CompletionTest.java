package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completions that bash offers after reading the script. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class CompletionTest {
  @TempDir private static Path directory;

  /**
   * Completes a line as bash does for a tab; the words are the arguments. How bash displays the
   * candidates cannot be tested here.
   */
  private static final String PRESS =
      "source \"$1\"; shift; compopt() { :; }; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
          + " COMP_POINT=${#COMP_LINE}; "
          + "$(complete -p treecast | sed 's/.*-F \\([^ ]*\\) .*/\\1/');"
          + " printf '%s\\n' \"${COMPREPLY[@]}\"";

  @BeforeAll
  static void print() throws Exception {
    CommandRun run = CommandRun.of("completion", "bash");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    Files.writeString(directory.resolve("script"), run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "treecast su, subscribe",
    "treecast tree v, verify",
    "treecast fault o, oneway",
    "treecast broadcast --conf, --confirm",
    "treecast tree show --output d, dot",
    "treecast why --metric b, bandwidth",
    "treecast completion b, bash",
    "treecast completion f, fish",
    "treecast bar, barrier",
    "treecast reduce round-1 --ma, --max",
    "treecast gather --file /proc/cpui, /proc/cpuinfo",
    "treecast broadcast --file /proc/cpui, /proc/cpuinfo",
    "treecast agent --series /et, /etc",
    "treecast tree show --tls /et, /etc"
  })
  void an_incomplete_word_is_completed(String line, String completed) throws Exception {
    String script = directory.resolve("script").toString();
    ProcessBuilder bash = new ProcessBuilder("bash", "--norc", "-c", PRESS, "bash", script);
    bash.command().addAll(List.of(line.split(" ")));
    Process process = bash.redirectErrorStream(true).start();
    String offered = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(offered.lines().map(String::strip)).containsExactly(completed);
  }

  /** The lines of the script are checked without fish, which may not be installed. */
  @Test
  void fish_gets_commands_options_and_values() {
    CommandRun run = CommandRun.of("completion", "fish");
    assertThat(run.out()).doesNotContain("%%");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines())
        .anyMatch(line -> line.contains("-n '__treecast_at \\'tree\\'' -a 'verify'"))
        .anyMatch(
            line ->
                line.contains(
                    "'__treecast_at \\'tree show\\' options' -l output -x -a 'text json dot'"))
        .anyMatch(line -> line.contains("\\'agent\\' options' -l config -r -F"))
        .noneMatch(line -> line.contains("${"));
  }

  @Test
  void zsh_gets_the_script_of_bash_which_knows_it() {
    CommandRun run = CommandRun.of("completion", "zsh");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("bashcompinit").contains("ZSH_VERSION");
  }
}
