package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.AgentConfig;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.Setting;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.AgentOptions;
import io.treecast.cli.console.ExitCode;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.ghs.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code treecast claim} at a real agent that is the only member of the claims. */
class ClaimCommandTest {
  private static final ClaimLimits LIMITS = new ClaimLimits(8_000_000_000L, 10, 10);

  private Agent agent;

  @BeforeEach
  void start() throws Exception {
    agent =
        Agent.start(
            AgentConfig.discovered(NodeId.of("h1"), new HostPort("127.0.0.1", 0), List.of())
                .with(Setting.CLAIMS, LIMITS),
            AgentOptions.standard());
    agent.ready().join();
  }

  @AfterEach
  void close() {
    agent.close();
  }

  private CommandRun claim(String... arguments) {
    List<String> all = new ArrayList<>(List.of("claim"));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String at() {
    return agent.address().toString();
  }

  @Test
  void a_command_runs_with_its_fence_while_the_claim_is_held() {
    CommandRun ran =
        claim(
            "job",
            "--agent",
            at(),
            "--among",
            "h1",
            "--lease",
            "8s",
            "--",
            "sh",
            "-c",
            "test $FENCE -gt 0 && exit 7");
    assertThat(ran.exitCode()).isEqualTo(7);
    CommandRun shown = claim("show", "job", "--agent", at(), "--among", "h1", "--output", "json");
    assertThat(shown.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(shown.json().get("holder").isNull()).isTrue();
  }

  @Test
  void a_held_claim_is_shown_and_is_not_given_to_another() {
    CommandRun holds =
        CommandRun.start(
            "claim", "job", "--agent", at(), "--among", "h1", "--lease", "8s", "--", "sleep", "60");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                claim("show", "job", "--agent", at(), "--among", "h1", "--output", "json")
                    .json()
                    .get("holder")
                    .asString("")
                    .equals("h1"));
    CommandRun refused =
        claim(
            "job", "--agent", at(), "--among", "h1", "--lease", "8s", "--wait", "0", "--", "true");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("CLAIM_HELD");
    holds.interrupt();
    assertThat(holds.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(
            claim("job", "--agent", at(), "--among", "h1", "--lease", "8s", "--", "true")
                .exitCode())
        .isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-such-program", "./no-such-program", "/", ""})
  void a_command_that_cannot_be_started_fails_before_the_claim_is_asked_for(String command) {
    CommandRun run = claim("job", "--agent", "127.0.0.1:1", "--among", "h1", "--", command);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("'" + command + "'");
  }

  @ParameterizedTest
  @CsvSource({"'', h1", "job, ''", "job, h 1", "job, 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p'"})
  void a_claim_that_no_member_can_grant_is_a_wrong_usage(String name, String members) {
    assertThat(claim(name, "--agent", at(), "--among", members, "--", "true").exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(claim("show", name, "--agent", at(), "--among", members).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_name_that_is_too_long_is_a_wrong_usage() {
    assertThat(claim("show", "x".repeat(201), "--agent", at(), "--among", "h1").exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "99ms", "-1s", "1h1s", "99999999999999999999s"})
  void a_lease_that_no_member_permits_is_a_wrong_usage(String lease) {
    CommandRun run = claim("job", "--agent", at(), "--among", "h1", "--lease", lease, "--", "true");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--lease: '" + lease + "'");
  }
}
