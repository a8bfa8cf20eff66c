package io.treecast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.query.AgentOption;
import io.treecast.tls.TestAuthority;
import io.treecast.tls.TlsFiles;
import java.io.BufferedReader;
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

/** Commands that ask agents that accept only TLS. */
@Timeout(120)
class SecuredAgentsTest {
  @TempDir private static Path directory;
  private static final LoopbackAgents cluster = new LoopbackAgents();
  private static Path application = Path.of("");

  @BeforeAll
  static void startCluster() throws Exception {
    TestAuthority authority = new TestAuthority();
    application = authority.application(directory.resolve("application"));
    Path agents = authority.agents(List.of("h1", "h2"), directory.resolve("agents"));
    cluster.allowingFaults(true).securedBy(agents);
    cluster.start(null);
    cluster.start(null);
    cluster.awaitTreeOf(2);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private static CommandRun withTls(Path certificate, String command) {
    return CommandRun.of(arguments(certificate, command));
  }

  private static String[] arguments(Path certificate, String command) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--agent", cluster.address(1), "--tls", certificate.toString()));
    return arguments.toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tree show | 1 edge",
        "tree show --metric bandwidth --output json | it measures no throughput",
        "tree watch --count 1 | ready",
        "tree verify | 2 of 2 members of the tree answered",
        "links | up",
        "why h1-h2 | h1-h2 is an edge of the tree.",
        "why h2 h1 --metric bandwidth | h1 measures no throughput (throughput.enabled)",
        "series h1-h2 | it keeps no series",
        "fault status | no faults",
        "fault rtt h1-h2 original | set at h1 and h2",
        "fault heal | no link is cut or lossy",
        "broadcast --text hello --confirm | reached all 2 members",
        "barrier b --among h1 | passed by 1 member: h1",
        "reduce r --sum 3 --among h1 | 3",
        "gather g text --among h1 | h1 (4 bytes) text",
        "scatter s h1=part --among h1 | part"
      })
  void they_answer_whoever_has_a_certificate(String command, String part) {
    CommandRun run = withTls(application, command);
    assertThat(run.out() + run.err()).contains(part).doesNotContain("AGENT_UNREACHABLE");
  }

  @Test
  void a_subscriber_gets_what_another_one_broadcasts() {
    CommandRun subscribe =
        CommandRun.start(arguments(application, "subscribe --count 1"))
            .awaitErr("subscribed at agent h1");
    assertThat(withTls(application, "broadcast --text over-tls").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribe.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribe.out()).contains("over-tls");
  }

  @ParameterizedTest
  @ValueSource(strings = {"links", "broadcast --text x", "tree verify", "fault status"})
  void without_a_certificate_a_command_asks_for_one(String command) {
    CommandRun run = CommandRun.of((command + " --agent " + cluster.address(1)).split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .startsWith("treecast: AGENT_UNREACHABLE: agent " + cluster.address(1) + ": ")
        .endsWith("(--tls DIRECTORY)\n");
  }

  @Test
  void an_agent_of_another_authority_is_not_trusted() throws IOException {
    Path misled = Files.createDirectory(directory.resolve("misled"));
    for (String file : List.of(TlsFiles.CERTIFICATE, TlsFiles.KEY)) {
      Files.copy(application.resolve(file), misled.resolve(file), REPLACE_EXISTING);
    }
    Files.copy(application.resolve(TlsFiles.CERTIFICATE), misled.resolve(TlsFiles.TRUSTED));

    CommandRun run = withTls(misled, "links");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .matches("treecast: AGENT_UNREACHABLE: agent " + cluster.address(1) + ": .*certificat.*\n");
  }

  @Test
  void a_certificate_is_of_no_use_where_agents_talk_plain_text() throws Exception {
    try (LoopbackAgents plain = LoopbackAgents.withTree(1)) {
      CommandRun run =
          CommandRun.of("links", "--agent", plain.address(1), "--tls", application.toString());
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).startsWith("treecast: AGENT_UNREACHABLE: ").contains("TLS");
    }
  }

  @Test
  void the_environment_names_the_certificate_where_no_flag_does() throws Exception {
    ProcessBuilder asking = AgentProcessTest.treecast("tree", "verify");
    asking.environment().put(AgentOption.VARIABLE, cluster.address(2));
    asking.environment().put(AgentOption.TLS_VARIABLE, application.toString());
    Process verify = asking.start();
    try (BufferedReader out = verify.inputReader(UTF_8)) {
      assertThat(out.readLine()).contains("2 of 2 members");
    }
    assertThat(verify.waitFor()).isEqualTo(ExitCode.OK);
  }
}
