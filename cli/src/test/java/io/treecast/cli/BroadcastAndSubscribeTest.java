package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code broadcast} and {@code subscribe} with two agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BroadcastAndSubscribeTest {
  private LoopbackAgents cluster = new LoopbackAgents();

  @BeforeAll
  void startCluster() throws Exception {
    cluster = LoopbackAgents.withTree(2);
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private CommandRun broadcast(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "broadcast";
    all[1] = "--agent";
    all[2] = cluster.address(1);
    System.arraycopy(args, 0, all, 3, args.length);
    return CommandRun.of(all);
  }

  /** Repeats a command whose wait is short, since that may be too short on a busy machine. */
  private static void awaitRun(Supplier<CommandRun> command, Consumer<CommandRun> assertion) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertion.accept(command.get()));
  }

  @Test
  void a_text_reaches_a_subscriber_of_another_agent() {
    CommandRun subscribed =
        CommandRun.start("subscribe", "--agent", cluster.address(2), "--count", "2")
            .awaitErr("subscribed at agent h2; Ctrl-C ends");
    CommandRun first = broadcast("--text", "hello");
    CommandRun second = broadcast("--text", "two\nlines");
    assertThat(first.exitCode()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.out()).matches(".* h1 #\\d+, 5 bytes, .* version \\d+\\R");
    assertThat(second.exitCode()).isEqualTo(ExitCode.OK);

    assertThat(subscribed.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.outLines()).hasSize(2);
    assertThat(subscribed.outLines().get(0)).matches("h1 #\\d+ \\(5 bytes\\) hello");
    assertThat(subscribed.outLines().get(1)).matches("h1 #\\d+ \\(9 bytes\\) two\\\\nlines");
  }

  @Test
  void a_file_arrives_byte_for_byte(@TempDir Path directory) throws Exception {
    byte[] payload = {0, (byte) 0xff, 10, 13, 27};
    Path file = Files.write(directory.resolve("payload"), payload);
    CommandRun subscribed =
        CommandRun.start(
                "subscribe", "--agent", cluster.address(2), "--count=1", "--output", "json")
            .awaitErr("subscribed");
    CommandRun sent = broadcast("--file", file.toString(), "--output", "json");
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.exitCode()).isEqualTo(ExitCode.OK);

    JsonNode name = sent.json();
    JsonNode received = subscribed.json();
    assertThat(name.get("origin").asString()).isEqualTo("h1");
    assertThat(name.get("treeVersion").asInt()).isPositive();
    for (String key : new String[] {"origin", "incarnation", "sequence", "bytes"}) {
      assertThat(received.get(key)).as(key).isEqualTo(name.get(key));
    }
    assertThat(Base64.getDecoder().decode(received.get("payload").asString())).isEqualTo(payload);
  }

  @Test
  void json_is_the_same_in_every_locale() {
    CommandRun sent = broadcast("--text", "x", "--topic", "prix-\u00e9", "--output", "json");
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
    assertThat(sent.out()).matches("\\p{ASCII}+");
    assertThat(sent.json().get("topic").asString()).isEqualTo("prix-\u00e9");
  }

  @Test
  void an_impossible_file_is_named() {
    CommandRun sent = broadcast("--file", "no\0file");
    assertThat(sent.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(sent.err()).startsWith("treecast: --file: 'no\0file'");
  }

  @Test
  void a_payload_that_is_not_text_is_called_binary(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("payload"), new byte[] {27, 91});
    CommandRun subscribed =
        CommandRun.start("subscribe", "--agent", cluster.address(1), "--count", "1")
            .awaitErr("subscribed");
    assertThat(broadcast("--file", file.toString()).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.out()).matches("h1 #\\d+ \\(2 bytes, binary\\)\\R");
  }

  @Test
  void retained_messages_come_first_then_the_notice_that_it_is_live() {
    assertThat(broadcast("--text", "early").exitCode()).isEqualTo(ExitCode.OK);

    CommandRun subscribed =
        CommandRun.start(
                "subscribe", "--agent", cluster.address(1), "--from", "retained", "--when-slow=gap")
            .awaitErr("live: messages from now on are new");

    assertThat(subscribed.interrupt().exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.outLines()).last().asString().endsWith(" early");
  }

  @Test
  void messages_after_positions_are_printed_with_the_option_to_resume() {
    JsonNode first = broadcast("--text", "a", "--output", "json").json();
    assertThat(broadcast("--text", "b").exitCode()).isEqualTo(ExitCode.OK);
    String stream = "h1/" + first.get("incarnation").asString() + "/";
    long sequence = first.get("sequence").asLong();

    CommandRun subscribed =
        CommandRun.of(
            "subscribe", "--agent", cluster.address(1), "--count=1", "--from", stream + sequence);

    assertThat(subscribed.exitCode()).as(subscribed.err()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.outLines()).singleElement().asString().endsWith(" b");
    assertThat(subscribed.err()).contains("--from " + stream + (sequence + 1));
  }

  @Test
  void a_position_that_cannot_be_is_named() {
    JsonNode sent = broadcast("--text", "a", "--output", "json").json();
    CommandRun run =
        CommandRun.of(
            "subscribe",
            "--agent",
            cluster.address(1),
            "--from",
            "h1/" + sent.get("incarnation").asString() + "/999999");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(" h1/").doesNotContain("Exception");
  }

  @Test
  void an_interruption_ends_a_subscription() {
    CommandRun run =
        CommandRun.start("subscribe", "--agent", cluster.address(1)).awaitErr("subscribed");
    assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"subscribe", "subscribe --save {directory}", "tree watch"})
  void an_interrupted_command_reports_why_its_agent_is_away(String command, @TempDir Path directory)
      throws Exception {
    try (LoopbackAgents alone = LoopbackAgents.withTree(1)) {
      String address = alone.address(1);
      CommandRun run =
          CommandRun.start(
                  (command + " --agent " + address)
                      .replace("{directory}", directory.toString())
                      .split(" "))
              .awaitErr("agent h1; Ctrl-C ends");
      alone.agent(1).crash();

      run.awaitErr("; reconnecting")
          .awaitErr(
              "ms: there is no connection to agent "
                  + address
                  + " (Connection refused): start the agent, or correct the address; retrying");

      assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void without_a_tree_a_broadcast_fails_with_the_reason() throws Exception {
    try (LoopbackAgents alone = LoopbackAgents.thatWaitForOthers()) {
      alone.start(null);
      String[] command = {"broadcast", "--agent", alone.address(1), "--text", "x", "--wait", "2"};
      awaitRun(
          () -> CommandRun.of(command),
          run -> {
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err())
                .startsWith("treecast: NO_TREE: agent " + alone.address(1) + " says: ")
                .contains("0 links");
            assertThat(run.out()).isEmpty();
          });
    }
  }

  @Test
  void a_subscriber_without_a_tree_reports_that_it_waits_for_one() throws Exception {
    try (LoopbackAgents alone = LoopbackAgents.thatWaitForOthers()) {
      alone.start(null);
      CommandRun run =
          CommandRun.start("subscribe", "--agent", alone.address(1))
              .awaitErr("waiting for a tree; agent h1 says: no tree yet: 0 links are open")
              .awaitErr(
                  " has no tree yet, or not all members of its tree have answered: bring the "
                      + "members up; retrying");
      assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      assertThat(run.err()).doesNotContain("subscribed at");
    }
  }

  @Test
  void deliveries_and_their_routes_are_reported() {
    CommandRun sent = broadcast("--text", "which way", "--trace");
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
    assertThat(sent.outLines()).hasSize(4);
    assertThat(sent.outLines().get(1))
        .matches(".* 2 members, .* -?\\d+\\.\\d ms (±|\\+-) \\d+\\.\\d ms; .*: h1, h2");
    assertThat(sent.outLines().get(2)).matches("h1 +0\\.\\d ms");
    // The error of the clocks can exceed the latency of the loopback interface.
    assertThat(sent.outLines().get(3)).matches(".. h2 +-?\\d+\\.\\d ms (±|\\+-) \\d+\\.\\d ms");
  }

  @Test
  void a_program_reads_the_confirmation_as_json() {
    JsonNode json = broadcast("--text", "x", "--confirm", "--output", "json").json();
    assertThat(json.get("delivered")).isEmpty();
    assertThat(json.get("withoutSubscriber")).hasSize(2);
    assertThat(json.get("hops").get(0).get("handedOver").asBoolean()).isFalse();
    assertThat(json.get("failed")).isEmpty();
    assertThat(json.get("unknown")).isEmpty();
    double errorMillis = json.get("hops").get(1).get("errorMillis").asDouble();
    assertThat(errorMillis).isPositive();
    // The error of the clocks can exceed the latency of the loopback interface.
    assertThat(json.get("timeToLastMillis").asDouble() + errorMillis).isPositive();
    assertThat(json.get("hops").get(0).get("from").isNull()).isTrue();
    assertThat(json.get("hops").get(1).get("member").asString()).isEqualTo("h2");
    assertThat(json.get("hops").get(1).get("from").asString()).isEqualTo("h1");
  }

  @Test
  void a_token_is_refused_in_the_first_minute_of_an_agent_and_when_it_is_older_than_the_agent()
      throws Exception {
    try (LoopbackAgents young = LoopbackAgents.withTree(1)) {
      for (String token : new String[] {"once@" + System.currentTimeMillis(), "once@1000"}) {
        CommandRun late =
            CommandRun.of(
                "broadcast", "--agent", young.address(1), "--text", "x", "--retry", token);
        assertThat(late.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(late.err()).contains("RETRY_TOO_LATE").contains("token");
      }
    }
  }

  @Test
  void replicas_are_counted_and_too_few_end_with_exit_code_3() {
    CommandRun one = broadcast("--text", "x", "--replicas", "1", "--output", "json");
    assertThat(one.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(one.json().get("replicas").asInt()).isEqualTo(1);

    awaitRun(
        () -> broadcast("--text", "x", "--replicas", "2", "--wait", "1", "--output", "json"),
        tooMany -> {
          assertThat(tooMany.exitCode()).as(tooMany.err()).isEqualTo(ExitCode.PARTIAL);
          assertThat(tooMany.json().get("replicas").asInt()).isEqualTo(1);
          assertThat(tooMany.err()).contains("NOT_REPLICATED").contains("replicas reached: 1 of 2");
        });
  }

  @Test
  void a_file_that_is_uploaded_is_replicated_too(@TempDir Path directory) throws Exception {
    String file = Files.write(directory.resolve("f"), new byte[3 << 20]).toString();
    CommandRun one = broadcast("--file", file, "--replicas", "1", "--output", "json");
    assertThat(one.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(one.json().get("replicas").asInt()).isEqualTo(1);

    awaitRun(
        () -> broadcast("--file", file, "--replicas", "2", "--wait", "1", "--output", "json"),
        two -> {
          assertThat(two.exitCode()).as(two.err()).isEqualTo(ExitCode.PARTIAL);
          assertThat(two.json().get("replicas").asInt()).isEqualTo(1);
          assertThat(two.json().get("bytes").asInt()).isEqualTo(3 << 20);
        });
  }

  @Test
  void fewer_confirmations_than_the_minimum_end_with_exit_code_3() {
    CommandRun enough = broadcast("--text", "x", "--confirm", "--at-least", "2");
    assertThat(enough.exitCode()).isEqualTo(ExitCode.OK);

    CommandRun tooFew =
        broadcast("--text", "x", "--confirm", "--at-least", "3", "--output", "json");
    assertThat(tooFew.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(tooFew.json().get("withoutSubscriber")).hasSize(2);
    assertThat(tooFew.err()).contains("NOT_CONFIRMED").contains("2 of ", " 3 members");
  }

  @Test
  void a_deadline_or_token_that_cannot_be_is_refused() {
    CommandRun deadline = broadcast("--text", "x", "--confirm", "--deadline", "0");
    assertThat(deadline.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(deadline.err()).contains("--deadline: '0'");
    CommandRun token = broadcast("--text", "x", "--retry", "a b");
    assertThat(token.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(token.err()).contains("--retry: 'a b'");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    CommandRun run = broadcast("--file", "/no/such/file");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --file: ").contains("/no/such/file");
  }

  @Test
  void a_text_is_sent_as_utf_8() {
    CommandRun sent = broadcast("--text", "grün", "--output", "json");
    assertThat(sent.json().get("bytes").asInt())
        .isEqualTo("grün".getBytes(StandardCharsets.UTF_8).length);
  }
}
