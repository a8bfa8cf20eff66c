package io.treecast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.cli.output.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run of the {@code treecast} command inside the test, with captured output. */
final class CommandRun {
  private static final long LIMIT_SECONDS = 90;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final Thread thread;

  private CommandRun(@Nullable PrintWriter unwritable, List<String> args) {
    thread =
        new Thread(
            () ->
                exitCode.complete(
                    Main.commandLine(args.toArray(String[]::new))
                        .setOut(unwritable == null ? new PrintWriter(out, true) : unwritable)
                        .setErr(new PrintWriter(err, true))
                        .execute(args.toArray(String[]::new))),
            "treecast " + String.join(" ", args));
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts a command that runs until it is stopped. */
  static CommandRun start(String... args) {
    return new CommandRun(null, List.of(args));
  }

  /** Starts a command whose standard output is on a full disk. */
  static CommandRun startUnwritable(String... args) {
    return new CommandRun(failing("No space left on device"), List.of(args));
  }

  /** Starts a command whose standard output has lost its reader. */
  static CommandRun startUnread(String... args) {
    return new CommandRun(failing("Broken pipe"), List.of(args));
  }

  private static PrintWriter failing(String reason) {
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(reason);
          }
        };
    return StandardOutput.to(failing, UTF_8);
  }

  /** Runs a command to its end. */
  static CommandRun of(String... args) {
    CommandRun run = start(args);
    run.exitCode();
    return run;
  }

  /** Waits for the end and returns the exit code. */
  int exitCode() {
    return exitCode.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Interrupts the command, as a signal to the process does. */
  CommandRun interrupt() {
    thread.interrupt();
    return this;
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  List<String> outLines() {
    return out().lines().toList();
  }

  CommandRun awaitOut(String part) {
    Awaitility.await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> out().contains(part));
    return this;
  }

  CommandRun awaitErr(String part) {
    Awaitility.await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> err().contains(part));
    return this;
  }

  /** Returns the whole output as one JSON value. */
  JsonNode json() {
    return JsonMapper.shared().readTree(out());
  }

  /** Returns the output, one JSON value on each line. */
  List<JsonNode> jsonLines() {
    return out().lines().map(JsonMapper.shared()::readTree).toList();
  }
}
