package io.treecast.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run of the {@code treecast} command inside the test, its output captured. */
final class CommandRun {
  private static final long LIMIT_SECONDS = 60;

  private final Writer out;
  private final StringWriter err = new StringWriter();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final Thread thread;

  private CommandRun(Writer out, List<String> args) {
    this.out = out;
    thread =
        new Thread(
            () ->
                exitCode.complete(
                    Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(args.toArray(String[]::new))),
            "treecast " + String.join(" ", args));
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts a command that goes on until it is stopped. */
  static CommandRun start(String... args) {
    return new CommandRun(new StringWriter(), List.of(args));
  }

  /** As {@link #start}, but nothing can be written to standard output. */
  static CommandRun startUnwritable(String... args) throws IOException {
    Writer closed = Writer.nullWriter();
    closed.close();
    return new CommandRun(closed, List.of(args));
  }

  /** Runs a command to its end. */
  static CommandRun of(String... args) {
    CommandRun run = start(args);
    run.exitCode();
    return run;
  }

  /** Waits for the end. */
  int exitCode() {
    return exitCode.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  /** As a signal to the process does, in a command that goes on. */
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

  /** The whole output, which is one JSON value. */
  JsonNode json() {
    return JsonMapper.shared().readTree(out());
  }

  /** The output, one JSON value on each line. */
  List<JsonNode> jsonLines() {
    return out().lines().map(JsonMapper.shared()::readTree).toList();
  }
}
