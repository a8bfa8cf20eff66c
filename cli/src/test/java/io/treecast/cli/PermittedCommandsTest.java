package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask agents with permissions, and {@code treecast may}, which reads the file. */
@Timeout(120)
class PermittedCommandsTest {
  @TempDir private static Path directory;
  private static final LoopbackAgents cluster = new LoopbackAgents();
  private static final LoopbackAgents plain = new LoopbackAgents();
  private static Path shop = Path.of("");
  private static Path file = Path.of("");
  private static Path token = Path.of("");

  @BeforeAll
  static void startCluster() throws Exception {
    file =
        Files.writeString(
            directory.resolve("permissions.yaml"),
            """
            tokens:
              - name: ci
                sha256: 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b
            rules:
              - identity: spiffe://test/shop
                may: [publish, subscribe, upload, takePart]
                names: "prices.*"
              - identity: token:ci
                may: administrate
            """);
    token = Files.writeString(directory.resolve("token"), "secret\n");
    TestAuthority authority = new TestAuthority();
    shop = authority.application("spiffe://test/shop", directory.resolve("shop"));
    cluster.allowingFaults(true).securedBy(authority.agent("h1", directory.resolve("h1")));
    cluster.permittedBy(file).start(null);
    cluster.awaitTreeOf(1);
    plain.permittedBy(file).start(null);
    plain.awaitTreeOf(1);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
    plain.close();
  }

  private static CommandRun run(LoopbackAgents agents, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--agent", agents.address(1)));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "broadcast --text x --topic prices.eu",
        "barrier prices.done --among h1",
        "reduce prices.sum --sum 3 --among h1"
      })
  void a_command_needs_no_more_than_the_rule_for_its_action(String command) {
    CommandRun run = run(cluster, command, "--tls", shop.toString());

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "broadcast --text x",
        "subscribe --topic orders --count 1",
        "barrier done --among h1",
        "links",
        "status",
        "tree show",
        "tree watch --count 1"
      })
  void a_command_without_a_rule_is_refused_with_the_missing_rule(String command) {
    CommandRun run = run(cluster, command, "--tls", shop.toString());

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains("PERMISSION_DENIED: agent " + cluster.address(1))
        .contains("spiffe://test/shop")
        .contains("missing is {identity: ");
  }

  @Test
  void a_token_comes_from_a_file() {
    CommandRun run = run(plain, "links", "--token-file", token.toString());

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run(plain, "links").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void an_unusable_file_of_a_token_is_wrong_usage() throws IOException {
    Path spaces = Files.writeString(directory.resolve("spaces"), "a b\n");

    assertThat(run(plain, "links", "--token-file", spaces.toString()).exitCode())
        .isEqualTo(ExitCode.USAGE);
    CommandRun missing = run(plain, "links", "--token-file", directory + "/missing");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("--token-file " + directory + "/missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spiffe://test/shop publish prices.eu | 0 | may, by the rule {identity: \"spiffe://test/shop\"",
        "spiffe://test/shop publish orders | 1 | missing is {identity: \"spiffe://test/shop\", may: [publish]",
        "spiffe://test/shop administrate | 1 | may not administrate",
        "token:ci administrate | 0 | may, by the rule",
        "CN=other takePart prices.x | 1 | CN=other may not takePart (operation 'prices.x')",
        "CN=other fly x | 2 | allowed are publish, subscribe, takePart, upload, claim, read, write, join, operate, administrate",
        "CN=other publish | 2 | NAME is missing",
        "CN=other operate x | 2 | NAME: operate has no topics"
      })
  void the_file_answers_without_an_agent(String question, int exitCode, String part) {
    List<String> arguments = new ArrayList<>(List.of(("may " + question).split(" ")));
    arguments.addAll(List.of("--permissions", file.toString()));
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.out() + run.err()).contains(part);
  }

  @Test
  void a_bad_file_is_wrong_usage_and_the_error_names_the_line() throws IOException {
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "rules:\n  - may: publish\n");
    CommandRun run = CommandRun.of("may", "CN=a", "publish", "x", "--permissions", bad.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(bad + ", line 2: rules[0]: identity ");
  }
}
