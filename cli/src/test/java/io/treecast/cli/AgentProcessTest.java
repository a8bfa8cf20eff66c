package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a process of its own: signals, exit codes, environment. */
@Timeout(120)
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class AgentProcessTest {

  static ProcessBuilder treecast(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Dtreecast.answerSeconds=" + AgentInquiry.ANSWER_SECONDS, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
  }

  private static String lineWith(BufferedReader out, String part) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.contains(part)) {
        return line;
      }
    }
    throw new AssertionError("the process ended without a line with '" + part + "': " + lines);
  }

  /** The agent's address comes from the environment alone. */
  @Test
  void subscribe_prints_at_a_signal_where_to_resume() throws Exception {
    try (LoopbackAgents agent = LoopbackAgents.withTree(1)) {
      String address = agent.address(1);
      Process subscribe = treecastAsking(address, "subscribe").redirectErrorStream(true).start();
      try (BufferedReader printed = subscribe.inputReader(StandardCharsets.UTF_8)) {
        lineWith(printed, "subscribed at agent h1");
        // The start is known only a moment after the subscription is in place.
        broadcast(address);
        lineWith(printed, "(1 byte) x");
        subscribe.toHandle().destroy();
        assertThat(lineWith(printed, "resume")).matches(".*--from h1/[0-9a-f]{16}/1");
      }
      assertThat(subscribe.waitFor()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void tree_watch_ends_at_a_signal_as_done() throws Exception {
    try (LoopbackAgents agent = LoopbackAgents.withTree(1)) {
      Process watch = treecastAsking(agent.address(1), "tree", "watch").start();
      try (BufferedReader printed = watch.inputReader(StandardCharsets.UTF_8)) {
        lineWith(printed, "version 1");
        watch.toHandle().destroy();
        assertThat(watch.waitFor()).isEqualTo(ExitCode.OK);
      }
    }
  }

  @Test
  void a_message_that_cannot_be_saved_ends_subscribe_with_one_line(@TempDir Path directory)
      throws Exception {
    try (LoopbackAgents agent = LoopbackAgents.withTree(1)) {
      String address = agent.address(1);
      Path received = Files.createDirectory(directory.resolve("received"));
      Process subscribe =
          treecastAsking(address, "subscribe", "--save", received.toString())
              .redirectErrorStream(true)
              .start();
      try (BufferedReader printed = subscribe.inputReader(StandardCharsets.UTF_8)) {
        lineWith(printed, "subscribed at agent h1");
        Files.delete(received);
        broadcast(address);
        assertThat(printed.lines())
            .singleElement()
            .asString()
            .startsWith("treecast: " + received)
            .doesNotContain("Exception");
      }
      assertThat(subscribe.waitFor()).isEqualTo(ExitCode.FAILED);
    }
  }

  private static void broadcast(String address) {
    CommandRun run = CommandRun.of("broadcast", "--agent", address, "--text", "x");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
  }

  private static ProcessBuilder treecastAsking(String address) {
    return treecastAsking(address, "links");
  }

  private static ProcessBuilder treecastAsking(String address, String... command) {
    ProcessBuilder asking = treecast(command);
    asking.environment().put(AgentOption.VARIABLE, address);
    return asking;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void output_that_a_full_disk_does_not_take_is_noticed() throws Exception {
    Process version = treecast("version").redirectOutput(new File("/dev/full")).start();
    assertThat(version.waitFor()).isEqualTo(ExitCode.FAILED);
  }

  @ParameterizedTest
  @CsvSource({"C, false", "C.UTF-8, true"})
  @EnabledOnOs(OS.LINUX)
  void an_argument_that_cannot_be_read_in_the_locale_is_refused(String locale, boolean isRead)
      throws Exception {
    // The shell passes the bytes in any locale of this test.
    ProcessBuilder topic = treecast("broadcast", "--agent", "no_where", "--text=x", "--topic");
    topic
        .command()
        .addAll(0, List.of("sh", "-c", "exec \"$@\" \"$(printf 'prix-\\303\\251')\"", ""));
    topic.environment().put("LC_ALL", locale);
    Process broadcast = topic.redirectErrorStream(true).start();
    try (BufferedReader printed = broadcast.inputReader(StandardCharsets.US_ASCII)) {
      String line = lineWith(printed, "treecast: ");
      if (isRead) {
        assertThat(line).startsWith("treecast: --agent: ");
      } else {
        assertThat(line).startsWith("treecast: 'prix-??' ").endsWith("LC_ALL=C.UTF-8");
      }
    }
    assertThat(broadcast.waitFor()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_bad_address_in_the_environment_is_named_with_its_variable() throws Exception {
    Process links = treecastAsking("non_sense").redirectErrorStream(true).start();
    try (BufferedReader out = links.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lineWith(out, "treecast: ")).startsWith("treecast: TREECAST_AGENT: 'non_sense' ");
    }
    assertThat(links.waitFor()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_bad_directory_in_the_environment_is_named_with_its_variable() throws Exception {
    ProcessBuilder asking = treecastAsking("127.0.0.1:1").redirectErrorStream(true);
    asking.environment().put(AgentOption.TLS_VARIABLE, "/no/such/directory");
    Process links = asking.start();
    try (BufferedReader out = links.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lineWith(out, "treecast: "))
          .startsWith("treecast: TREECAST_TLS: ")
          .contains("/no/such/directory/tls.crt");
    }
    assertThat(links.waitFor()).isEqualTo(ExitCode.USAGE);
  }
}
