package io.treecast.cli.messages;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.ProgressBar;
import io.treecast.cli.console.WaitingNote;
import io.treecast.cli.output.Terminal;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentWait;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.DisseminationTree;
import io.treecast.client.RetryToken;
import io.treecast.client.Selector;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
        "Sends a text or a file to every subscriber of a topic. Prints the name of the message "
            + "when the agent has accepted it in memory; with --replicas, when other members have "
            + "it, too; with --confirm, also the members that have delivered it. Exit code 3: the "
            + "message was accepted, and fewer members than requested have it or confirmed it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast broadcast --agent 127.0.0.1:7700 --text 'hello, all'",
      "  date | treecast broadcast --file -",
      "  treecast broadcast --text 'do not lose this' --replicas 1",
      "  treecast broadcast --text 'are you there' --confirm --deadline 10",
      "  treecast broadcast --text 'are all five there' --confirm --at-least 5",
      "  treecast broadcast --text 'which way' --trace",
      "  treecast broadcast --topic prices --text 42",
      "  treecast broadcast --where 'site=east' --text 'drain' --confirm",
      "  treecast broadcast --to h7 --text 'restart, please'"
    })
public final class BroadcastCommand implements Callable<Integer> {
  /** The longest wait of an agent. */
  private static final int MAX_WAIT_SECONDS = 3_600;

  private static final int DEFAULT_DEADLINE_SECONDS = 30;

  /** Files up to this size are sent whole, in order with other messages of the agent. */
  private static final int WHOLE_BYTES = 1 << 20;

  /** The source of the payload. */
  static final class Payload {
    @Option(names = "--text", paramLabel = "TEXT", description = "Sends this text, in UTF-8.")
    private @Nullable String text;

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description =
            "Sends the bytes of this file, of any size; - is standard input. More than 1 "
                + "MiB is uploaded piece by piece, while other broadcasts pass.")
    private @Nullable Path file;
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
          "Maximum wait for the agent, a tree, space in its buffers and replicas "
              + "together, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: ${DEFAULT-VALUE}. Fails at once if the agent's queue is full.")
  private int waitSeconds;

  @Option(
      names = "--replicas",
      paramLabel = "COUNT",
      defaultValue = "0",
      description =
          "Waits until this many other members have it, 0 to "
              + BroadcastOptions.MAX_MEMBERS
              + "; default: ${DEFAULT-VALUE}. With 1, the broadcast outlives its agent. Exit code 3"
              + " if fewer have it when --wait is over.")
  private int replicas;

  @Option(
      names = "--confirm",
      description =
          "Waits until all members have delivered it to their subscribers, and names "
              + "members that have not, and members without a subscriber.")
  private boolean confirm;

  @Option(
      names = "--trace",
      description = "Like --confirm, and prints the path of the payload with times.")
  private boolean trace;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description =
          "With --confirm or --trace: time for members to confirm, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: "
              + DEFAULT_DEADLINE_SECONDS
              + ".")
  private @Nullable Integer deadlineSeconds;

  @Option(
      names = "--at-least",
      paramLabel = "COUNT",
      description =
          "With --confirm or --trace: minimum number of members that must have it, "
              + "including this agent and members without a subscriber; exit code 3 "
              + "otherwise; 1 to "
              + BroadcastOptions.MAX_MEMBERS
              + "; default: all members of the tree, even if it is only one.")
  private @Nullable Integer atLeast;

  @Option(
      names = "--retry",
      paramLabel = "TOKEN",
      description =
          "Repeats an earlier command with unknown outcome, with the token that it printed. The "
              + "same agent never sends a second copy; another agent sends one.")
  private @Nullable String retry;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Sends to the subscribers of this topic; default: the default topic.")
  private @Nullable String topic;

  @Option(
      names = "--to",
      paramLabel = "MEMBERS",
      split = ",",
      description =
          "Sends to the subscribers of the default topic at these members, along the tree "
              + "towards them.")
  private List<String> receivers = List.of();

  @Option(
      names = "--where",
      paramLabel = "SELECTOR",
      description = "As --to, to the members with such labels, as 'gpu>=4, site=east'.")
  private @Nullable String where;

  @Override
  public Integer call() {
    checkSeconds("--wait", waitSeconds);
    int deadline = checkedDeadlineSeconds();
    RetryToken token = token();
    BroadcastOptions options = options(deadline);
    try (AgentInquiry agents = agent.inquiry(output)) {
      if (retry != null) {
        agents.requireOneAgent("--retry");
      }
      return send(agents, options, token);
    }
  }

  private int send(AgentInquiry agents, BroadcastOptions options, RetryToken token) {
    if (payload.text != null) {
      return send(agents, payload.text.getBytes(StandardCharsets.UTF_8), options, token);
    }
    String file = String.valueOf(payload.file);
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      byte[] begin = in.readNBytes(WHOLE_BYTES + 1);
      if (begin.length <= WHOLE_BYTES) {
        return send(agents, begin, options, token);
      }
      if (retry != null) {
        throw CommandFailure.usage(
            "--retry: only whole broadcasts can be repeated, up to "
                + Plural.of(WHOLE_BYTES, "byte"));
      }
      if (isForSelected()) {
        throw CommandFailure.usage(
            "--file: selected members get at most "
                + Plural.of(WHOLE_BYTES, "byte")
                + "; send more on a topic to which they subscribe");
      }
      InputStream all = new SequenceInputStream(new ByteArrayInputStream(begin), in);
      return upload(agents, all, file.equals("-") ? 0 : Files.size(Path.of(file)), options);
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--file: file not found: " + file);
    } catch (AccessDeniedException e) {
      throw CommandFailure.usage("--file: " + file + " is not readable");
    } catch (IOException e) {
      throw CommandFailure.usage("--file: " + file + " cannot be read: " + e.getMessage());
    }
  }

  private int send(AgentInquiry agents, byte[] bytes, BroadcastOptions options, RetryToken token) {
    AgentWait wait = new AgentWait(waitSeconds);
    try (Treecast treecast = connect(agents, wait)) {
      BroadcastOptions whole = options.withRetryToken(token).withWait(wait.left(agents));
      BroadcastResult sent =
          WaitingNote.on(output, () -> waitingText(agents))
              .during(() -> treecast.blocking().broadcast(bytes, whole));
      return report(agents, sent, bytes.length, false);
    } catch (TreecastException e) {
      BroadcastResult accepted = e.accepted();
      if (accepted != null) {
        return reportTooFew(agents, accepted, bytes.length, false, e);
      }
      String next =
          e.reason() == TreecastException.Reason.OUTCOME_UNKNOWN
              ? "; to send it again without a second copy, ask that agent alone and add --retry "
                  + token
              : "";
      throw CommandFailure.failed(e.getMessage() + next);
    }
  }

  /**
   * Uploads a payload that may exceed the memory.
   *
   * @param size the size of the payload; 0 if not known
   */
  private int upload(AgentInquiry agents, InputStream in, long size, BroadcastOptions options) {
    AgentWait wait = new AgentWait(waitSeconds);
    try (Treecast treecast = connect(agents, wait);
        ProgressBar progress = ProgressBar.on(output, "sending", size)) {
      return upload(agents, treecast, in, progress, options.withWait(wait.left(agents)));
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private int upload(
      AgentInquiry agents,
      Treecast treecast,
      InputStream in,
      ProgressBar progress,
      BroadcastOptions options) {
    try {
      BroadcastResult sent =
          treecast.blocking().upload(new CountingInputStream(in, progress), options);
      return report(agents, sent, progress.finish(), true);
    } catch (TreecastException e) {
      BroadcastResult accepted = e.accepted();
      if (accepted == null) {
        throw e;
      }
      return reportTooFew(agents, accepted, progress.finish(), true, e);
    }
  }

  /** Returns the reason for the wait, as far as it is known here. */
  private String waitingText(AgentInquiry agents) {
    if (confirm || trace) {
      return ("treecast: waiting for a tree and for space, at most %s s (--wait), then for "
              + "members to confirm, at most %s s (--deadline)")
          .formatted(waitSeconds, checkedDeadlineSeconds());
    }
    if (replicas > 0) {
      return "treecast: waiting for a tree, for space and for %s, at most %s s (--wait)"
          .formatted(Plural.of(replicas, "replica"), waitSeconds);
    }
    AgentReport report = agents.reportIfPermitted(Duration.ofSeconds(AgentInquiry.ANSWER_SECONDS));
    String most = ", at most " + waitSeconds + " s (--wait)";
    return report == null || report.ready()
        ? "treecast: waiting until the agent has space" + most + "; members or subscribers are slow"
        : "treecast: waiting until the agent is ready" + most + "; " + report.notReadyReason();
  }

  private Treecast connect(AgentInquiry agents, AgentWait wait) {
    AgentReport unused = wait.forAnswer(agents, output);
    return agents
        .client()
        // The agent enforces its own limit.
        .maxPayloadBytes(BroadcastLimits.MAX_PAYLOAD_BYTES)
        .connect();
  }

  private static void checkSeconds(String option, int seconds) {
    if (seconds < 1 || seconds > MAX_WAIT_SECONDS) {
      throw CommandFailure.usage(
          "%s: '%s' is not allowed; allowed is a whole number from 1 to %s (seconds)"
              .formatted(option, seconds, MAX_WAIT_SECONDS));
    }
  }

  private int checkedDeadlineSeconds() {
    Integer seconds = deadlineSeconds;
    if (seconds == null) {
      return DEFAULT_DEADLINE_SECONDS;
    }
    if (!confirm && !trace) {
      throw CommandFailure.usage("--deadline needs --confirm or --trace");
    }
    checkSeconds("--deadline", seconds);
    return seconds;
  }

  private RetryToken token() {
    return CommandFailure.checked(
        "--retry", () -> retry == null ? RetryToken.create() : RetryToken.parse(retry));
  }

  private BroadcastOptions options(int confirmSeconds) {
    BroadcastOptions options = withReplicas(isForSelected() ? toSelected() : onTopic());
    Integer minimum = atLeast;
    if (!confirm && !trace) {
      if (minimum != null) {
        throw CommandFailure.usage("--at-least needs --confirm or --trace");
      }
      return options;
    }
    Duration deadline = Duration.ofSeconds(confirmSeconds);
    BroadcastOptions confirmed =
        CommandFailure.checked(
            confirm ? "--confirm" : "--trace", () -> options.withConfirm(Confirm.ALL, deadline));
    return CommandFailure.checked(
        "--at-least",
        () -> minimum == null ? confirmed : options.withConfirm(Confirm.ALL, deadline, minimum));
  }

  private BroadcastOptions withReplicas(BroadcastOptions options) {
    return CommandFailure.checked("--replicas", () -> options.withReplicas(replicas));
  }

  private boolean isForSelected() {
    return where != null || !receivers.isEmpty();
  }

  private BroadcastOptions toSelected() {
    if (topic != null || (where != null && !receivers.isEmpty())) {
      throw CommandFailure.usage("--to, --where and --topic exclude each other");
    }
    return CommandFailure.checked(
        where == null ? "--to" : "--where",
        () ->
            where == null
                ? BroadcastOptions.to(
                    receivers.get(0), receivers.subList(1, receivers.size()).toArray(String[]::new))
                : BroadcastOptions.to(Selector.parse(where)));
  }

  private BroadcastOptions onTopic() {
    BroadcastOptions options = BroadcastOptions.defaults();
    String name = topic;
    if (name == null) {
      return options;
    }
    if (name.isEmpty()) {
      throw CommandFailure.usage("--topic: the name is empty; omit --topic for the default topic");
    }
    if (name.contains(",")) {
      // A comma separates names in subscribe --topic, so no subscriber could name this topic.
      throw CommandFailure.usage(
          "--topic: '" + name + "' is not allowed; expected one name, without commas");
    }
    return CommandFailure.checked("--topic", () -> options.withTopic(name));
  }

  /** Reports a broadcast that was accepted, but reached fewer members than requested. */
  private int reportTooFew(
      AgentInquiry agents,
      BroadcastResult accepted,
      long bytes,
      boolean wasUploaded,
      TreecastException why) {
    int unused = report(agents, accepted, bytes, wasUploaded);
    output.note("treecast: " + why.getMessage());
    return ExitCode.PARTIAL;
  }

  /** Prints the broadcast and its confirmation, and returns the exit code. */
  private int report(AgentInquiry agents, BroadcastResult sent, long bytes, boolean wasUploaded) {
    Confirmation confirmation = sent.confirmation();
    List<String> absent =
        confirmation == null || isForSelected()
            ? List.of()
            : AbsentMembers.of(agents, confirmation);
    print(sent, bytes, absent);
    if (confirmation == null) {
      return ExitCode.OK;
    }
    if (!output.isJson()) {
      Charset charset = Terminal.charset();
      output.println(
          ConfirmationText.summary(confirmation, isForSelected(), charset)
              + ConfirmationText.absent(absent));
      if (trace) {
        TraceDrawing.lines(confirmation.hops(), charset).forEach(output::println);
      }
    }
    if (confirmation.isComplete()) {
      return ExitCode.OK;
    }
    output.note("treecast: " + ConfirmationText.missing(confirmation, wasUploaded));
    return ExitCode.PARTIAL;
  }

  private void print(BroadcastResult sent, long bytes, List<String> absent) {
    DisseminationTree tree = sent.tree();
    if (output.isJson()) {
      ObjectNode json =
          MessageName.json(sent.messageId())
              .put("bytes", bytes)
              .put("metric", tree == null ? null : tree.metric().name().toLowerCase(Locale.ROOT))
              .put("treeVersion", tree == null ? null : (Long) tree.version());
      if (replicas > 0) {
        json.put("replicas", sent.replicas());
      }
      Confirmation confirmation = sent.confirmation();
      if (confirmation != null) {
        ConfirmationJson.add(json, confirmation);
        absent.forEach(json.putArray("absent")::add);
      }
      output.println(json);
    } else {
      output.println(
          "sent as "
              + MessageName.of(sent.messageId())
              + ", "
              + Plural.of(bytes, "byte")
              + onTree(tree)
              + (replicas > 0 ? ", replicas: " + sent.replicas() : ""));
    }
  }

  /** Returns the tree of the broadcast as text; empty if the tree has changed in the meantime. */
  private static String onTree(@Nullable DisseminationTree tree) {
    if (tree == null) {
      return "";
    }
    return switch (tree.metric()) {
      case LATENCY -> ", on tree version " + tree.version();
      case BANDWIDTH -> ", on widest tree version " + tree.version();
    };
  }
}
