package io.treecast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.it.repository.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code treecast} as a separate process, from the jar of this build. It is killed by {@link
 * #close} and at the end of this JVM. For one thread.
 */
final class TreecastProcess implements AutoCloseable {
  /** Timeout of a command, ample even on a busy machine. */
  static final Duration LIMIT = Duration.ofSeconds(90);

  private final String commandLine;
  private final Process process;
  private final Path out;
  private final Path err;
  private final Thread killAtExit;

  /** The jar, and an archive of its loaded classes, which halves the time to start. */
  private static final class Classes {
    static final Path JAR = Repository.root().resolve("cli/target/treecast-all.jar");
    static final Path ARCHIVE = Repository.root().resolve("integration-tests/target/treecast.jsa");

    static {
      archive();
    }

    private static void archive() {
      assertThat(JAR).as("the packaged command; 'mvn verify' makes it").exists();
      try {
        Process process =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xlog:cds=off",
                    "-Xlog:cds+dynamic=off",
                    "-XX:ArchiveClassesAtExit=" + ARCHIVE,
                    "-jar",
                    JAR.toString(),
                    "warm-up")
                .inheritIO()
                .start();
        if (process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          assertThat(process.exitValue()).as("exit code of warm-up").isZero();
          assertThat(ARCHIVE).exists();
        } else {
          // The machine is busy. Commands also start without the archive.
          process.destroyForcibly().waitFor();
          Files.deleteIfExists(ARCHIVE);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A process that has ended. */
  record Ended(int exitCode, String out, String err) {}

  private TreecastProcess(String commandLine, Process process, Path out, Path err) {
    this.commandLine = commandLine;
    this.process = process;
    this.out = out;
    this.err = err;
    this.killAtExit = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killAtExit);
  }

  /** Starts a command, for example {@code start(directory, List.of("tree", "show"))}. */
  static TreecastProcess start(Path directory, List<String> arguments) throws IOException {
    return start(directory, List.of(), arguments);
  }

  /** Starts a command by another one, such as {@code nsenter}. */
  static TreecastProcess start(Path directory, List<String> before, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    command.addAll(List.of("-XX:SharedArchiveFile=" + Classes.ARCHIVE, "-Xlog:cds=off"));
    command.addAll(List.of("-jar", Classes.JAR.toString()));
    command.addAll(arguments);
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new TreecastProcess("treecast " + String.join(" ", arguments), process, out, err);
  }

  /** Runs a command to its end. */
  static Ended run(Path directory, List<String> arguments)
      throws IOException, InterruptedException {
    try (TreecastProcess process = start(directory, arguments)) {
      return process.awaitEnd();
    }
  }

  Ended awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
        .as("%s ends within %s; it printed %s %s", commandLine, LIMIT, out(), err())
        .isTrue();
    return new Ended(process.exitValue(), out(), err());
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Sends another signal, for example {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(kill.waitFor()).as("kill -%s of %s", name, commandLine).isZero();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the standard output so far. */
  String out() {
    return read(out);
  }

  /** Returns the standard error so far. */
  String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    Runtime.getRuntime().removeShutdownHook(killAtExit);
  }
}
