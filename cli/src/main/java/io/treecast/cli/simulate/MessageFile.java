package io.treecast.cli.simulate;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.sim.network.SentMessage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A text file with a line for each control message of a run. Single-threaded. {@link #close}
 * reports a failed write.
 */
final class MessageFile implements Consumer<SentMessage>, AutoCloseable {
  private static final String HEADER =
      "# Each control message, in the order of sending: milliseconds of virtual time, sender,"
          + " receiver, type, fields.\n"
          + "# GhsMessage and MstMessage explain the fields; a Hello belongs to the handshake of a link.";

  private final Path file;
  private final PrintWriter out;
  private final IntFunction<String> names;

  private MessageFile(Path file, Writer out, IntFunction<String> names) {
    this.file = file;
    this.out = new PrintWriter(out);
    this.names = names;
  }

  /** Creates the file, or replaces an existing one. */
  static MessageFile create(Path file, IntFunction<String> names) {
    try {
      MessageFile created =
          new MessageFile(file, Files.newBufferedWriter(file, StandardCharsets.UTF_8), names);
      created.out.println(HEADER);
      return created;
    } catch (IOException e) {
      throw CommandFailure.usage("--messages: " + file + " cannot be written: " + FileReason.of(e));
    }
  }

  /** Writes a comment. */
  void comment(String text) {
    out.println("# " + text);
  }

  @Override
  public void accept(SentMessage message) {
    out.println(message.line(names.apply(message.from()), names.apply(message.to())));
  }

  @Override
  public void close() {
    out.close();
    if (out.checkError()) {
      throw CommandFailure.failed("--messages: " + file + " is incomplete, because writing failed");
    }
  }
}
