package io.treecast.cli;

import io.treecast.agent.config.HostPort;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.BroadcastLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code treecast broadcast}. */
@Command(
    name = "broadcast",
    description =
        "Sends a text or a file to every subscriber of every member, and prints its name once the agent has accepted it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast broadcast --agent 127.0.0.1:7700 --text 'hello, all'",
      "  date | treecast broadcast --file -"
    })
final class BroadcastCommand implements Callable<Integer> {
  /** The longest that an agent waits. */
  private static final int MAX_WAIT_SECONDS = 3_600;

  /** Where the payload comes from. */
  static final class Payload {
    @Option(names = "--text", paramLabel = "TEXT", description = "Sends this text, as UTF-8.")
    private @Nullable String text;

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description = "Sends the bytes of this file; - is standard input.")
    private @Nullable String file;
  }

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Payload payload = new Payload();

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How long the agent may wait for a tree, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: ${DEFAULT-VALUE}.")
  private int waitSeconds;

  @Override
  public Integer call() {
    if (waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS) {
      throw CommandFailure.usage(
          "--wait: '"
              + waitSeconds
              + "' is not allowed; allowed is a whole number from 1 to "
              + MAX_WAIT_SECONDS
              + " (seconds)");
    }
    HostPort address = agent.address();
    byte[] bytes = bytes();
    // The client waits for an agent that is down; a person wants to know at once.
    AgentInquiry.report(address);
    try (Treecast treecast =
        Treecast.builder(address.toString())
            // The agent's limit decides.
            .maxPayloadBytes(BroadcastLimits.MAX_PAYLOAD_BYTES)
            .connect()) {
      BroadcastResult sent = treecast.blocking().broadcast(bytes, Duration.ofSeconds(waitSeconds));
      print(sent, bytes.length);
      return ExitCode.OK;
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private byte[] bytes() {
    if (payload.text != null) {
      return payload.text.getBytes(StandardCharsets.UTF_8);
    }
    String file = String.valueOf(payload.file);
    byte[] bytes;
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      bytes = in.readNBytes(BroadcastLimits.MAX_PAYLOAD_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--file: there is no file " + file);
    } catch (IOException e) {
      throw CommandFailure.usage("--file: " + file + " can not be read: " + e.getMessage());
    }
    if (bytes.length > BroadcastLimits.MAX_PAYLOAD_BYTES) {
      throw CommandFailure.usage(
          "--file: "
              + file
              + " has more than "
              + BroadcastLimits.MAX_PAYLOAD_BYTES
              + " bytes, the most that any agent takes");
    }
    return bytes;
  }

  private void print(BroadcastResult sent, int bytes) {
    if (output.isJson()) {
      output.println(
          TreeJson.object()
              .put("origin", sent.messageId().origin())
              .put("incarnation", String.format("%016x", sent.messageId().incarnation()))
              .put("sequence", sent.messageId().sequence())
              .put("bytes", bytes)
              .put("treeVersion", sent.treeVersion()));
    } else {
      output.println(
          "sent as "
              + sent.messageId().origin()
              + " #"
              + sent.messageId().sequence()
              + ", "
              + Plural.of(bytes, "byte")
              + ", on tree version "
              + sent.treeVersion());
    }
  }
}
