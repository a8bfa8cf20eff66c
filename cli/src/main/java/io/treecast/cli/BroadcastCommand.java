package io.treecast.cli;

import io.treecast.agent.config.HostPort;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.RetryToken;
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
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast broadcast}. */
@Command(
    name = "broadcast",
    description =
        "Sends a text or a file to every subscriber of a topic, and prints its name once the agent has accepted it; "
            + "with --confirm, also who has delivered it. Exit code 3: not all have.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast broadcast --agent 127.0.0.1:7700 --text 'hello, all'",
      "  date | treecast broadcast --file -",
      "  treecast broadcast --text 'are you there' --confirm --deadline 10",
      "  treecast broadcast --text 'which way' --trace",
      "  treecast broadcast --topic prices --text 42"
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

  @Option(
      names = "--confirm",
      description = "Waits until all members have delivered it, and names those that have not.")
  private boolean confirm;

  @Option(
      names = "--trace",
      description =
          "Like --confirm, and prints the way of the payload: who had it from whom, when.")
  private boolean trace;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How long members may take to confirm, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: ${DEFAULT-VALUE}.")
  private int deadlineSeconds;

  @Option(
      names = "--retry",
      paramLabel = "TOKEN",
      description =
          "Sends again what an earlier command could not tell the outcome of, by the token that it printed: the payload is never "
              + "sent twice.")
  private @Nullable String retry;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "",
      description =
          "Only for the subscribers of this topic; otherwise for those of the default one.")
  private String topic = "";

  @Override
  public Integer call() {
    checkSeconds("--wait", waitSeconds);
    checkSeconds("--deadline", deadlineSeconds);
    RetryToken token = token();
    HostPort address = agent.address();
    BroadcastOptions options = options(token);
    byte[] bytes = bytes();
    // The client waits for an agent that is down; a person wants to know at once.
    AgentInquiry.report(address);
    try (Treecast treecast =
        Treecast.builder(address.toString())
            // The agent's limit decides.
            .maxPayloadBytes(BroadcastLimits.MAX_PAYLOAD_BYTES)
            .connect()) {
      BroadcastResult sent = treecast.blocking().broadcast(bytes, options);
      print(sent, bytes.length);
      return report(sent.confirmation());
    } catch (TreecastException e) {
      String next =
          e.reason() == TreecastException.Reason.OUTCOME_UNKNOWN
              ? "; to send it again without a second copy, add --retry " + token
              : "";
      throw CommandFailure.failed(e.getMessage() + next);
    }
  }

  private static void checkSeconds(String option, int seconds) {
    if (seconds < 1 || seconds > MAX_WAIT_SECONDS) {
      throw CommandFailure.usage(
          option
              + ": '"
              + seconds
              + "' is not allowed; allowed is a whole number from 1 to "
              + MAX_WAIT_SECONDS
              + " (seconds)");
    }
  }

  private RetryToken token() {
    try {
      return retry == null ? RetryToken.create() : RetryToken.parse(retry);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--retry: " + e.getMessage());
    }
  }

  private BroadcastOptions options(RetryToken token) {
    try {
      BroadcastOptions options =
          BroadcastOptions.defaults()
              .withTopic(topic)
              .withWait(Duration.ofSeconds(waitSeconds))
              .withRetryToken(token);
      return confirm || trace
          ? options.withConfirm(Confirm.ALL, Duration.ofSeconds(deadlineSeconds))
          : options;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--topic: " + e.getMessage());
    }
  }

  /** Tells of the delivery, unless that is printed with the rest, and what follows from it. */
  private int report(@Nullable Confirmation confirmation) {
    if (confirmation == null) {
      return ExitCode.OK;
    }
    if (!output.isJson()) {
      output.println(ConfirmationText.summary(confirmation));
      if (trace) {
        TraceDrawing.lines(confirmation.hops(), Terminal.charset()).forEach(output::println);
      }
    }
    if (confirmation.isComplete()) {
      return ExitCode.OK;
    }
    output.note("treecast: " + ConfirmationText.missing(confirmation));
    return ExitCode.PARTIAL;
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
      ObjectNode json =
          TreeJson.object()
              .put("origin", sent.messageId().origin())
              .put("incarnation", String.format("%016x", sent.messageId().incarnation()))
              .put("topic", sent.messageId().topic())
              .put("sequence", sent.messageId().sequence())
              .put("bytes", bytes)
              .put("treeVersion", sent.treeVersion());
      Confirmation confirmation = sent.confirmation();
      if (confirmation != null) {
        ConfirmationJson.add(json, confirmation);
      }
      output.println(json);
    } else {
      output.println(
          "sent as "
              + sent.messageId().origin()
              + " #"
              + sent.messageId().sequence()
              + (topic.isEmpty() ? ", " : " of " + topic + ", ")
              + Plural.of(bytes, "byte")
              + ", on tree version "
              + sent.treeVersion());
    }
  }
}
