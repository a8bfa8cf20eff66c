package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code request} and {@code serve} with two agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class RequestCommandsTest {
  private LoopbackAgents cluster = new LoopbackAgents();

  @BeforeAll
  void startCluster() throws Exception {
    cluster = LoopbackAgents.withTree(2);
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private CommandRun serve(String service, String... program) {
    String[] words = {"serve", service, "--count", "1", "--agent", cluster.address(2), "--"};
    String[] all = new String[words.length + program.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(program, 0, all, words.length, program.length);
    CommandRun server = CommandRun.start(all);
    server.awaitErr("serving");
    return server;
  }

  private CommandRun request(String... words) {
    String[] all = new String[words.length + 3];
    all[0] = "request";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--agent";
    all[words.length + 2] = cluster.address(1);
    return CommandRun.start(all);
  }

  @Test
  void the_output_of_a_program_is_the_answer() {
    CommandRun server = serve("upper", "tr", "a-z", "A-Z");

    CommandRun request = request("upper", "hello", "--to", "h9,h2", "--any");

    assertThat(request.exitCode()).as(request.out() + request.err()).isEqualTo(ExitCode.OK);
    assertThat(request.outLines()).containsExactly("h2 HELLO");
    assertThat(server.exitCode()).as(server.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void a_program_that_fails_fails_the_request() {
    CommandRun server = serve("broken", "false");

    CommandRun request = request("broken", "--to", "h2,h9", "--output", "json");

    assertThat(request.exitCode()).as(request.err()).isEqualTo(ExitCode.PARTIAL);
    JsonNode replies = request.json().get("replies");
    assertThat(replies.get(0).get("member").asString()).isEqualTo("h2");
    assertThat(replies.get(0).get("outcome").asString()).isEqualTo("failed");
    assertThat(replies.get(1).get("outcome").asString()).isEqualTo("absent");
    assertThat(server.interrupt().out()).isEmpty(); // A failed request does not count.
    assertThat(server.err()).contains("request of h1 failed: ");
  }

  @Test
  void a_server_prints_each_answered_request_as_an_object() {
    CommandRun server =
        CommandRun.start(
            ("serve length --output json --count 1 --agent " + cluster.address(2) + " -- wc -c")
                .split(" "));
    server.awaitErr("serving");

    CommandRun request = request("length", "four", "--to", "h2");

    assertThat(request.exitCode()).as(request.err()).isEqualTo(ExitCode.OK);
    assertThat(server.exitCode()).as(server.err()).isEqualTo(ExitCode.OK);
    assertThat(server.json().get("from").asString()).isEqualTo("h1");
    assertThat(server.json().get("payloadBytes").asInt()).isEqualTo(4);
    assertThat(server.json().get("answerBytes").asInt()).isEqualTo(2);
  }

  @Test
  void payloads_are_in_base64_in_json() {
    CommandRun server = serve("cat", "cat");

    CommandRun request = request("cat", "x y", "--to", "h2", "--output", "json");

    assertThat(request.exitCode()).as(request.err()).isEqualTo(ExitCode.OK);
    String payload = request.json().get("replies").get(0).get("payload").asString();
    assertThat(new String(Base64.getDecoder().decode(payload), StandardCharsets.UTF_8))
        .isEqualTo("x y");
    assertThat(server.exitCode()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "request",
        "request a/b",
        "request name --any",
        "request name --wait 0",
        "serve name",
        "serve a/b cat",
        "serve --limit 0 name cat",
        "serve name no-such-program",
        "serve name ./no-such-program"
      })
  void wrong_usage_is_refused(String command) {
    CommandRun run =
        CommandRun.start(
            command.replaceFirst("\\w+", "$0 --agent " + cluster.address(1)).split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
  }
}
