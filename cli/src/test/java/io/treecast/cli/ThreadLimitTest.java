package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Agents that cannot start as many threads as they need. The system counts the threads of a user,
 * so each agent runs as a user of its own, which requires root.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
@Order(2)
class ThreadLimitTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int FIRST_USER = 1_000_000_000;
  private static final int CONNECTIONS = 32;

  /** More threads than any agent needs. */
  private static final int ENOUGH = 1_000;

  /** The only capability of root that the other user gets: to read the class path. */
  private static final String READS_ALL = "+dac_read_search";

  private static int users;

  @TempDir private Path directory;

  /** An agent and its output. */
  private record Agent(Process process, Path out, Path err) implements AutoCloseable {
    boolean isReady() {
      return text(out).contains("ready: ");
    }

    int exitCode() throws InterruptedException {
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @BeforeAll
  static void needs_another_user() throws Exception {
    assumeThat(System.getProperty("user.name"))
        .as("only root runs as another user")
        .isEqualTo("root");
    Process asked;
    try {
      asked = limited(ENOUGH, List.of("true")).start();
    } catch (IOException e) {
      throw new TestAbortedException("prlimit and setpriv (util-linux) limit threads", e);
    }
    assumeThat(asked.waitFor()).as("exit code of prlimit and setpriv").isZero();
  }

  /** One thread fewer than the agent has when it is ready, and one fewer than under load. */
  @Test
  void an_agent_that_lacks_a_thread_exits_as_exhausted_or_serves_and_leaves() throws Exception {
    exits_as_exhausted_or_serves_and_leaves((first, all) -> List.of(first - 1, all - 1));
  }

  /** With each limit, another thread is the first that cannot start. */
  @Test
  @Tag("nightly")
  void an_agent_that_lacks_any_threads_exits_as_exhausted_or_serves_and_leaves() throws Exception {
    exits_as_exhausted_or_serves_and_leaves(
        (first, all) ->
            // With fewer than the least, Java itself cannot start.
            IntStream.concat(IntStream.of(first - 3), IntStream.rangeClosed(first, all + 1))
                .boxed()
                .toList());
  }

  /** With each of the limits an agent may serve, and then lack the thread that handles SIGTERM. */
  private void exits_as_exhausted_or_serves_and_leaves(
      BiFunction<Integer, Integer, List<Integer>> limitsBetween) throws Exception {
    int first;
    int all;
    try (Agent agent = start(ENOUGH)) {
      await().atMost(LIMIT).until(agent::isReady);
      first = threads(agent.process());
      serveOrExit(agent);
      all = threads(agent.process());
      agent.process().destroy();
      assertThat(agent.exitCode()).as("of an agent that has enough threads").isEqualTo(ExitCode.OK);
    }
    int exhausted = 0;
    for (int limit : limitsBetween.apply(first, all)) {
      try (Agent agent = start(limit)) {
        await().atMost(LIMIT).until(() -> agent.isReady() || !agent.process().isAlive());
        if (agent.process().isAlive()) {
          serveOrExit(agent);
          agent.process().destroy();
        }
        int exitCode = agent.exitCode();
        assertThat(exitCode)
            .as("exit code with %s threads: %s", limit, text(agent.err()))
            .isIn(ExitCode.OK, ExitCode.EXHAUSTED);
        if (exitCode == ExitCode.EXHAUSTED) {
          assertThat(text(agent.err())).contains("treecast: ", "ulimit -u");
          exhausted++;
        }
      }
    }
    assertThat(exhausted).as("agents that lacked threads").isPositive();
  }

  /** The first connections make the agent start threads. */
  private void serveOrExit(Agent agent) throws Exception {
    String address = text(agent.out()).replaceAll("(?s).* is up at ([^;]*);.*", "$1");
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    List<Socket> connections = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
    } catch (IOException e) {
      await().atMost(LIMIT).until(() -> !agent.process().isAlive()); // Nothing else refuses them.
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
    if (CommandRun.of("links", "--agent", address).exitCode() != ExitCode.OK) {
      await().atMost(LIMIT).until(() -> !agent.process().isAlive());
    }
  }

  private Agent start(int threads) throws IOException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    List<String> command =
        AgentProcessTest.treecast("agent", "--id", "h1", "--listen", "127.0.0.1:0").command();
    Process process =
        limited(threads, command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new Agent(process, out, err);
  }

  /** Starts the agent as a user without other processes. */
  private static ProcessBuilder limited(int threads, List<String> command) {
    List<String> all = new ArrayList<>(List.of("prlimit", "--nproc=" + threads + ":" + threads));
    all.addAll(List.of("setpriv", "--reuid=" + (FIRST_USER + users++), "--clear-groups"));
    all.addAll(List.of("--inh-caps=" + READS_ALL, "--ambient-caps=" + READS_ALL));
    all.add("--bounding-set=-all," + READS_ALL);
    all.addAll(command);
    return new ProcessBuilder(all);
  }

  private static int threads(Process process) throws IOException {
    try (var tasks = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      return (int) tasks.count();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
