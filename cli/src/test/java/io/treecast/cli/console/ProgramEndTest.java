package io.treecast.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shell that has started another one. */
@Timeout(120)
class ProgramEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Prints the id of another shell, which does not react to a termination if it is stubborn. */
  private static Process start(boolean isStubborn) throws IOException {
    String trap = isStubborn ? "trap \"\" TERM; " : "";
    String inner = trap + "echo $$; while :; do sleep 1; done";
    return new ProcessBuilder("sh", "-c", "sh -c '" + inner + "' & wait")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static ProcessHandle printed(Process shell) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(shell.getInputStream(), UTF_8));
    return ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
  }

  private static void assertEnded(Process shell, ProcessHandle other) {
    assertThat(shell.onExit()).succeedsWithin(PATIENCE);
    assertThat(other.onExit()).succeedsWithin(PATIENCE);
  }

  @Test
  void a_terminated_program_leaves_no_process() throws IOException {
    Process shell = start(false);
    ProcessHandle other = printed(shell);

    ProgramEnd.end(shell, PATIENCE);

    assertEnded(shell, other);
  }

  @Test
  void processes_that_do_not_end_are_killed() throws IOException {
    Process shell = start(true);
    ProcessHandle other = printed(shell);

    ProgramEnd.end(shell, Duration.ofMillis(100));

    assertEnded(shell, other);
  }

  @Test
  void a_killed_program_leaves_no_process() throws IOException {
    Process shell = start(true);
    ProcessHandle other = printed(shell);

    ProgramEnd.kill(shell);

    assertEnded(shell, other);
  }
}
