package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import io.treecast.testkit.local.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands that check settings before the start of an agent. */
@Timeout(120)
class DoctorCommandTest {
  @TempDir private Path directory;

  private static List<String> verdicts(CommandRun run, String subject) {
    List<String> verdicts = new ArrayList<>();
    for (JsonNode finding : run.json().get("findings")) {
      if (finding.get("subject").asString().equals(subject)) {
        verdicts.add(finding.get("verdict").asString());
      }
    }
    return verdicts;
  }

  private static CommandRun doctor(String... flags) {
    List<String> words = new ArrayList<>(List.of("doctor", "--output", "json"));
    words.addAll(List.of(flags));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void an_agent_beside_its_seed_is_well() throws Exception {
    try (LoopbackAgents agents = LoopbackAgents.withTree(1)) {
      String free = "127.0.0.1:" + FreePorts.find(1).get(0);
      CommandRun run = doctor("--id", "h9", "--listen", free, "--seeds", agents.address(1));

      assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
      assertThat(verdicts(run, "port")).containsExactly("ok");
      assertThat(verdicts(run, "seed")).containsExactly("ok");
      assertThat(verdicts(run, "clock")).containsExactly("ok");
      assertThat(verdicts(run, "files")).hasSize(1);
      assertThat(verdicts(run, "threads")).hasSize(1);
    }
  }

  @Test
  void a_port_of_another_agent_fails_and_that_of_the_agent_itself_does_not() throws Exception {
    try (LoopbackAgents agents = LoopbackAgents.withTree(1)) {
      CommandRun other = doctor("--id", "h9", "--listen", agents.address(1));
      assertThat(other.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(verdicts(other, "port")).containsExactly("fail");

      CommandRun own = doctor("--id", "h1", "--listen", agents.address(1));
      assertThat(own.exitCode()).as(own.out()).isEqualTo(ExitCode.OK);
      assertThat(verdicts(own, "port")).containsExactly("ok");
    }
  }

  @Test
  void a_seed_that_does_not_answer_is_a_warning_and_a_missing_certificate_a_failure()
      throws Exception {
    String free = "127.0.0.1:" + FreePorts.find(1).get(0);
    CommandRun run =
        doctor(
            "--id",
            "h9",
            "--listen",
            free,
            "--seeds",
            "127.0.0.1:1",
            "--tls",
            directory.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(verdicts(run, "certificate")).containsExactly("fail");
    CommandRun plain = doctor("--id", "h9", "--listen", free, "--seeds", "127.0.0.1:1");
    assertThat(plain.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(verdicts(plain, "seed")).containsExactly("warn");
  }

  @Test
  void permissions_that_cannot_be_used_are_a_failure() throws Exception {
    String free = "127.0.0.1:" + FreePorts.find(1).get(0);
    Path file = Files.writeString(directory.resolve("permissions.yaml"), "rules: []\n");
    CommandRun good = doctor("--id", "h9", "--listen", free, "--permissions", file.toString());
    assertThat(good.exitCode()).as(good.out()).isEqualTo(ExitCode.OK);
    assertThat(verdicts(good, "permissions")).containsExactly("ok");

    Files.writeString(file, "rules: [{identity: CN=shop}]\n");
    CommandRun bad = doctor("--id", "h9", "--listen", free, "--permissions", file.toString());
    assertThat(bad.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(verdicts(bad, "permissions")).containsExactly("fail");
  }

  @Test
  void a_seed_that_refuses_to_answer_for_lack_of_a_permission_is_no_failure() throws Exception {
    Path file = Files.writeString(directory.resolve("permissions.yaml"), "rules: []\n");
    try (LoopbackAgents agents = new LoopbackAgents().permittedBy(file)) {
      agents.start(null);
      String free = "127.0.0.1:" + FreePorts.find(1).get(0);
      CommandRun run = doctor("--id", "h9", "--listen", free, "--seeds", agents.address(1));
      assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
      assertThat(verdicts(run, "seed")).containsExactly("ok");
    }
  }

  @Test
  void findings_are_lines_that_begin_with_the_verdict() throws Exception {
    CommandRun run =
        CommandRun.of("doctor", "--id", "h9", "--listen", "127.0.0.1:" + FreePorts.find(1).get(0));
    assertThat(run.outLines()).allMatch(line -> line.matches("(ok|warn|fail) +[a-z]+ +.*"));

    CommandRun colored =
        CommandRun.of(
            "doctor",
            "--color=always",
            "--id",
            "h9",
            "--listen",
            "127.0.0.1:" + FreePorts.find(1).get(0));
    assertThat(colored.outLines()).allMatch(line -> line.startsWith("\u001b["));
  }

  private CommandRun check(String yaml, String... flags) throws Exception {
    Path file = Files.writeString(directory.resolve("agent.yaml"), yaml);
    List<String> words = new ArrayList<>(List.of("config", "check", file.toString()));
    words.addAll(List.of(flags));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void a_file_of_settings_is_checked_without_an_agent() throws Exception {
    assertThat(check("id: h1\nlisten: 127.0.0.1\n").exitCode()).isEqualTo(ExitCode.OK);
    assertThat(check("listen: 127.0.0.1\n", "--given", "id").exitCode()).isEqualTo(ExitCode.OK);

    CommandRun wrong = check("id: h1\nlisten: 127.0.0.1\n\nlimits:\n  topics: x\n");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("agent.yaml, line 5: limits.topics: 'x'");

    CommandRun missing = check("id: h1\n");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("missing: listen");

    CommandRun together = check("id: h1\nlisten: 192.0.2.1\n", "--output", "json");
    assertThat(together.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(together.json().get("valid").asBoolean()).isFalse();
    assertThat(together.json().get("problem").asString()).contains("listen");
  }

  @Test
  void a_file_of_settings_is_checked_together_with_its_permissions() throws Exception {
    Path permissions = directory.resolve("permissions.yaml");
    String settings = "id: h1\nlisten: 127.0.0.1\npermissions: " + permissions + "\n";
    assertThat(check(settings).err()).contains("agent.yaml", permissions.toString());

    Files.writeString(permissions, "rules:\n  - identity: CN=shop\n    may: fly\n");
    CommandRun wrong = check(settings);
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("agent.yaml", permissions + ", line 3: rules[0].may: 'fly'");

    Files.writeString(permissions, "rules: []\n");
    assertThat(check(settings).exitCode()).isEqualTo(ExitCode.OK);
  }
}
