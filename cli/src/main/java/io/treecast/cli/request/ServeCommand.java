package io.treecast.cli.request;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.ProgramEnd;
import io.treecast.cli.console.ProgramFile;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Request;
import io.treecast.client.Treecast;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code treecast serve}. */
@Command(
    name = "serve",
    description =
        "Answers the requests of a service that come to this member with the output of a program, "
            + "until Ctrl-C or after N requests. The program gets the payload on its standard "
            + "input; if it fails, so does the request.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast serve version --agent 127.0.0.1:7700 -- uname -r",
      "  treecast serve upper --count 1 -- tr a-z A-Z"
    })
public final class ServeCommand implements Callable<Integer> {
  /** Limit of an answer, that of a payload. */
  private static final int MAX_ANSWER_BYTES = 4 << 20;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();

  @Parameters(index = "0", paramLabel = "SERVICE", description = "Name of the service.")
  private String service = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, after --.")
  private List<String> program = List.of();

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time after which the program is killed; default: ${DEFAULT-VALUE}.")
  private int limitSeconds;

  @Override
  public Integer call() {
    if (limitSeconds < 1) {
      throw CommandFailure.usage("--limit: '" + limitSeconds + "' is not allowed; at least 1");
    }
    ProgramFile.require(program.get(0));
    output.endWithReader();
    EventFollower follower = new EventFollower(output, count.events());
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      return EndAtSignal.run(() -> serve(agents, follower));
    }
  }

  private int serve(AgentInquiry agents, EventFollower follower) {
    try (Treecast treecast = agents.client().connect()) {
      return follower.follow(
          treecast.requests().serve(service, request -> answer(request, follower)),
          "serving '" + service + "' at");
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private byte[] answer(Request request, EventFollower follower)
      throws IOException, InterruptedException {
    try {
      byte[] answer = run(request.payload());
      follower.event(() -> print(request, answer));
      return answer;
    } catch (IOException e) {
      output.note("request of " + request.from() + " failed: " + e.getMessage());
      throw e;
    }
  }

  private void print(Request request, byte[] answer) {
    if (output.isJson()) {
      output.println(
          JsonMapper.shared()
              .createObjectNode()
              .put("from", request.from())
              .put("payloadBytes", request.payload().length)
              .put("answerBytes", answer.length));
    } else {
      output.println(
          request.from()
              + " "
              + Plural.of(request.payload().length, "byte")
              + ", answered with "
              + Plural.of(answer.length, "byte"));
    }
  }

  private byte[] run(byte[] input) throws IOException, InterruptedException {
    // A file, so that the time limit also holds for a program that keeps its output open.
    Path out = Files.createTempFile("treecast-serve", ".out");
    try {
      Process process =
          new ProcessBuilder(program)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (OutputStream in = process.getOutputStream()) {
        in.write(input);
      } catch (IOException e) {
        output.note("the program has not read its input: " + e.getMessage());
      }
      if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
        ProgramEnd.kill(process);
        throw new IOException("no answer of " + program.get(0) + " within " + limitSeconds + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(program.get(0) + " ended with exit code " + process.exitValue());
      }
      if (Files.size(out) > MAX_ANSWER_BYTES) {
        throw new IOException("the answer has more than " + MAX_ANSWER_BYTES + " bytes");
      }
      return Files.readAllBytes(out);
    } finally {
      Files.delete(out);
    }
  }
}
