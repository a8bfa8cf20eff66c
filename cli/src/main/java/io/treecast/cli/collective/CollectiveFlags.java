package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.WaitingNote;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentWait;
import io.treecast.client.BlockingCollectives;
import io.treecast.client.CollectiveOptions;
import io.treecast.client.CollectiveResult;
import io.treecast.client.RetryToken;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.NodeId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The name and the flags of all collective operations, and the call of one at an agent. */
final class CollectiveFlags {
  /** The longest wait of an agent. */
  private static final int MAX_WAIT_SECONDS = 86_400;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "Name of the operation: the same at all members, and a new one each time.")
  private String name = "";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Maximum wait for the agent and for the other members together, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: ${DEFAULT-VALUE}.")
  private int waitSeconds;

  @Option(
      names = "--among",
      paramLabel = "MEMBER",
      split = ",",
      description =
          "Exactly these members take part, even if one is not in the tree; list them "
              + "identically in every call. Default: all members of the tree.")
  private @Nullable Set<String> among;

  @Option(
      names = "--minimum",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Minimum number of members; with fewer it waits, 1 to "
              + CollectiveOptions.MAX_PARTICIPANTS
              + "; identical in every call. Default: ${DEFAULT-VALUE}.")
  private int minimum;

  @Option(
      names = "--retry",
      paramLabel = "TOKEN",
      description =
          "Resumes an earlier call of the same command at the same agent, with the "
              + "token that it printed.")
  private @Nullable String retry;

  String name() {
    return name;
  }

  /** A call of the client. */
  interface Call<T extends @Nullable Object> {
    CollectiveResult<T> at(BlockingCollectives collectives, CollectiveOptions options);
  }

  /**
   * Calls an operation and waits for the result.
   *
   * @throws CommandFailure if there is no result
   */
  <T extends @Nullable Object> CollectiveResult<T> call(
      AgentInquiry agents, OutputOption output, Call<T> call) {
    return call(agents, output, self -> {}, call);
  }

  /**
   * Calls an operation after a check of the agent's id, and waits for the result.
   *
   * @param check throws {@link CommandFailure} if the agent may not take part
   * @throws CommandFailure if there is no result
   */
  <T extends @Nullable Object> CollectiveResult<T> call(
      AgentInquiry agents, OutputOption output, Consumer<NodeId> check, Call<T> call) {
    CollectiveOptions options = options();
    RetryToken token = token();
    if (retry != null) {
      agents.requireOneAgent("--retry");
    }
    AgentWait wait = new AgentWait(waitSeconds);
    AgentReport report = wait.forAnswer(agents, output);
    if (report != null) {
      check.accept(report.id());
    }
    try (Treecast treecast =
        agents
            .client()
            // The agent enforces its own limit.
            .maxPayloadBytes(CombiningLimits.MAX_VALUE_BYTES)
            .connect()) {
      CollectiveOptions whole = options.withRetryToken(token).withWait(wait.left(agents));
      return WaitingNote.on(output, () -> waitingText(token))
          .during(() -> call.at(treecast.blocking().collectives(), whole));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (TreecastException e) {
      throw failure(e, token);
    }
  }

  private static CommandFailure failure(TreecastException failure, RetryToken token) {
    String text = String.valueOf(failure.getMessage());
    String again = text + ": the same command at the same agent, with --retry " + token;
    return switch (failure.reason()) {
      case MEMBERS_MISSING -> CommandFailure.partial(again);
      case OUTCOME_UNKNOWN -> CommandFailure.failed(again);
      default -> CommandFailure.failed(text);
    };
  }

  private String waitingText(RetryToken token) {
    return ("treecast: waiting for the other members, at most %s s (--wait); to resume after "
            + "Ctrl-C: the same command at the same agent, with --retry %s")
        .formatted(waitSeconds, token);
  }

  private CollectiveOptions options() {
    if (waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS) {
      throw CommandFailure.usage(
          "--wait: '%s' is not allowed; allowed is a whole number from 1 to %s (seconds)"
              .formatted(waitSeconds, MAX_WAIT_SECONDS));
    }
    Set<String> members = among;
    int most = members == null ? CollectiveOptions.MAX_PARTICIPANTS : members.size();
    // An empty list of members is reported below.
    if (minimum < 1 || minimum > Math.max(1, most)) {
      throw CommandFailure.usage(
          "--minimum: '"
              + minimum
              + "' is not allowed; allowed is a whole number from 1 to "
              + most
              + (members == null ? "" : ", the members that --among names"));
    }
    CollectiveOptions options = CollectiveOptions.defaults().withMinimum(minimum);
    if (members == null) {
      return options;
    }
    Set<String> checked = new LinkedHashSet<>();
    members.forEach(member -> checked.add(checkedMember("--among", member)));
    return CommandFailure.checked("--among", () -> options.among(checked));
  }

  private RetryToken token() {
    return CommandFailure.checked(
        "--retry", () -> retry == null ? RetryToken.create() : RetryToken.parse(retry));
  }

  /**
   * Returns the checked id of the member that receives or provides all parts of an operation.
   *
   * @param option the option with the id
   * @throws CommandFailure if it is not a valid id, or the member does not take part
   */
  String checkedHub(String option, String member) {
    String hub = checkedMember(option, member);
    requireParticipant(option, hub);
    return hub;
  }

  /**
   * Checks that a member takes part.
   *
   * @param where the option or argument with the id
   * @throws CommandFailure if it is not among the named members
   */
  void requireParticipant(String where, String member) {
    if (among != null && !among.contains(member)) {
      throw CommandFailure.usage(
          where + ": '" + member + "' does not take part; add it to --among");
    }
  }

  /**
   * Returns the checked id of a member.
   *
   * @param where the option or argument with the id
   * @throws CommandFailure if it is not a valid id
   */
  static String checkedMember(String where, String member) {
    return CommandFailure.checked(where, () -> NodeId.of(member).toString());
  }
}
