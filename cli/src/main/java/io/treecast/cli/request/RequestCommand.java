package io.treecast.cli.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.PayloadText;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Reply;
import io.treecast.client.Requests;
import io.treecast.client.Selector;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast request}. */
@Command(
    name = "request",
    description =
        "Sends a request to the servers of a service at other members, and prints each reply with "
            + "its member. Exit code 3: some members have not answered.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast request version --agent 127.0.0.1:7700",
      "  treecast request render 'page 7' --to h7,h8",
      "  treecast request render 'page 7' --to h7,h8 --any",
      "  treecast request version --where 'fw<2.1'"
    })
public final class RequestCommand implements Callable<Integer> {
  private static final int MAX_WAIT_SECONDS = 3_600;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "SERVICE", description = "Name of the service.")
  private String service = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "The payload, in UTF-8; default: empty.")
  private String text = "";

  @Option(
      names = "--to",
      paramLabel = "MEMBER",
      split = ",",
      description = "The members that are asked; default: all members of the tree.")
  private @Nullable List<String> to;

  @Option(
      names = "--where",
      paramLabel = "SELECTOR",
      description = "The members whose labels fulfil these terms, as in 'gpu>=4, site=east'.")
  private @Nullable String where;

  @Option(
      names = "--any",
      description = "With --to: asks one after the other, until one of them answers.")
  private boolean any;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Maximum wait for the replies, 1 to "
              + MAX_WAIT_SECONDS
              + "; default: ${DEFAULT-VALUE}. With --any, for each member.")
  private int waitSeconds;

  @Override
  public Integer call() {
    if (waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS) {
      throw CommandFailure.usage(
          "--wait: '" + waitSeconds + "' is not allowed; allowed is 1 to " + MAX_WAIT_SECONDS);
    }
    if (any && to == null) {
      throw CommandFailure.usage("--any needs --to with the members to ask");
    }
    if (to != null && where != null) {
      throw CommandFailure.usage("--to and --where exclude each other");
    }
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      try (Treecast treecast = agents.client().connect()) {
        return print(replies(treecast.requests()).join());
      }
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (CompletionException e) {
      if (e.getCause() instanceof TreecastException failure) {
        throw CommandFailure.failed(String.valueOf(failure.getMessage()));
      }
      throw e;
    }
  }

  private CompletableFuture<Map<String, Reply>> replies(Requests requests) {
    byte[] payload = text.getBytes(UTF_8);
    Duration timeout = Duration.ofSeconds(waitSeconds);
    if (where != null) {
      return requests.requestEach(Selector.parse(where), service, payload, timeout);
    }
    if (to == null) {
      return requests.requestAll(service, payload, timeout);
    }
    return any
        ? requests
            .requestAny(to, service, payload, timeout)
            .thenApply(reply -> Map.of(reply.member(), reply))
        : requests.requestEach(to, service, payload, timeout);
  }

  private int print(Map<String, Reply> replies) {
    long answered = replies.values().stream().filter(Reply::isAnswered).count();
    if (output.isJson()) {
      ObjectNode json = JsonMapper.shared().createObjectNode().put("service", service);
      ArrayNode all = json.putArray("replies");
      replies.values().forEach(reply -> put(all.addObject(), reply));
      output.println(json);
    } else {
      replies.values().forEach(reply -> output.println(line(reply)));
      output.note(answered + " of " + Plural.of(replies.size(), "member") + " answered");
    }
    return answered == replies.size() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private static void put(ObjectNode json, Reply reply) {
    json.put("member", reply.member())
        .put("outcome", reply.outcome().name().toLowerCase(Locale.ROOT))
        .put("payload", Base64.getEncoder().encodeToString(reply.payload()))
        .put("error", reply.error());
  }

  private static String line(Reply reply) {
    if (!reply.isAnswered()) {
      return reply.toString();
    }
    String answer = PayloadText.of(reply.payload());
    return reply.member()
        + " "
        + (answer == null ? Plural.of(reply.payload().length, "byte") : answer);
  }
}
