package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.HostPort;
import io.treecast.cli.console.ExitCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code fault} at three agents with separate emulations, as in separate processes. */
class FaultCommandTest {
  private final LoopbackAgents cluster = new LoopbackAgents();

  private void start(boolean... allowFaults) throws Exception {
    for (boolean allowed : allowFaults) {
      cluster.allowingFaults(allowed).start((HostPort) null);
    }
    cluster.awaitTreeOf(allowFaults.length);
  }

  @AfterEach
  void stopCluster() {
    cluster.close();
  }

  private CommandRun fault(String... args) {
    String[] command = new String[args.length + 3];
    command[0] = "fault";
    System.arraycopy(args, 0, command, 1, args.length);
    command[args.length + 1] = "--agent";
    command[args.length + 2] = cluster.address(1);
    return CommandRun.of(command);
  }

  private static void assertDone(CommandRun run, String... lines) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
    assertThat(run.outLines()).containsExactly(lines);
  }

  private static void assertFailed(CommandRun run, int exitCode, String... values) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).startsWith("treecast: ").contains(values);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void faults_of_links_are_set_at_both_ends_listed_and_healed() throws Exception {
    start(true, true, true);
    assertDone(fault("status"), "no faults");
    assertDone(fault("heal"), "no link is cut or lossy");
    assertDone(
        fault("loss", "h2-h3", "20%"), "link h2-h3 loses 20 % of its messages (set at h2 and h3)");
    assertDone(
        fault("rtt", "h3-h2", "12.5ms"),
        "link h3-h2 has an emulated round trip of 12.5 ms (set at h3 and h2)");
    assertDone(
        fault("status"),
        "h2 -> h3: 20 % lost, takes 6.3 ms (set at h2 and h3)",
        "h3 -> h2: 20 % lost, takes 6.3 ms (set at h2 and h3)");
    assertDone(fault("heal"), "link h2-h3 is healed (set at h2 and h3)");
    assertDone(
        fault("rtt", "h2-h3", "original"),
        "link h2-h3 has its original round trip (set at h2 and h3)");
    assertDone(fault("status"), "no faults");
  }

  @Test
  void a_cut_link_is_silent_until_it_heals() throws Exception {
    start(true, true, true);
    assertDone(fault("cut", "h1-h3"), "link h1-h3 is cut in both directions (set at h1 and h3)");
    JsonNode cut = fault("status", "--output", "json").json();
    assertThat(cut.get("faults"))
        .extracting(f -> f.get("from").asString() + f.get("to").asString())
        .containsExactly("h1h3", "h3h1");
    assertThat(cut.get("faults")).allMatch(f -> f.get("held").asBoolean());
    // The owner of the link continues to probe it.
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> fault("status").out().matches("(?s)h1 -> h3: held, [1-9].*"));
    assertDone(fault("heal", "h3-h1"), "link h3-h1 is healed (set at h3 and h1)");
    assertDone(fault("status"), "no faults");
    assertDone(fault("heal", "h3-h1"), "link h3-h1 was not cut or lossy");
    assertThat(fault("heal", "h3-h1", "--output", "json").json().get("links")).isEmpty();
  }

  @Test
  void one_direction_alone_can_be_held() throws Exception {
    start(true, true, true);
    JsonNode done = fault("oneway", "h3-h1", "--output", "json").json();
    assertThat(done.toString())
        .isEqualTo(
            "{\"fault\":\"oneway\",\"from\":\"h3\",\"to\":\"h1\",\"done\":[\"h3\",\"h1\"],\"failed\":[]}");
    JsonNode faults = fault("status", "--output", "json").json().get("faults");
    assertThat(faults).hasSize(1);
    assertThat(faults.get(0).get("from").asString()).isEqualTo("h3");
    assertThat(faults.get(0).get("setAt").toString()).isEqualTo("[\"h1\",\"h3\"]");
    assertThat(fault("heal", "--output", "json").json().get("links").toString())
        .isEqualTo("[{\"from\":\"h1\",\"to\":\"h3\",\"done\":[\"h1\",\"h3\"],\"failed\":[]}]");
    assertThat(fault("heal", "--output", "json").json().get("links")).isEmpty();
  }

  @Test
  void an_agent_that_crashed_says_nothing_more() throws Exception {
    start(true, true, true);
    String address = cluster.address(2);
    assertDone(fault("crash", "h2"), "agent h2 at " + address + " crashes");
    assertThat(cluster.agent(2).stopped()).succeedsWithin(Duration.ofSeconds(60));
    assertThat(CommandRun.of("links", "--agent", address).err())
        .startsWith("treecast: AGENT_UNREACHABLE: ")
        .contains(address);
  }

  @Test
  void an_agent_that_is_paused_answers_later() throws Exception {
    start(true, true, true);
    assertDone(fault("pause", "h3", "1s"), "agent h3 is paused for 1000 ms");
    assertThat(cluster.agent(3).snapshot().orTimeout(60, TimeUnit.SECONDS).join().self().id())
        .hasToString("h3");
    assertDone(fault("status"), "no faults");
  }

  @Test
  void a_pause_is_not_cut_short_by_another() throws Exception {
    start(true, true, true);
    assertDone(fault("pause", "h3", "600s"), "agent h3 is paused for 600000 ms");
    CommandRun second = fault("pause", "h3", "1s");
    assertThat(second.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(second.err()).startsWith("treecast: ").contains(" h3 ");
    cluster.agent(3).resume();
  }

  @Test
  void where_faults_are_not_allowed_they_are_refused_with_what_to_do() throws Exception {
    start(false, false, true);
    assertFailed(
        fault("crash", "h2"),
        ExitCode.FAILED,
        " h2 at " + cluster.address(2) + ": ",
        "--allow-faults");
    CommandRun atOneEnd = fault("cut", "h2-h3");
    assertThat(atOneEnd.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(atOneEnd.outLines())
        .containsExactly("link h2-h3 is cut in both directions (set at h3)");
    assertThat(atOneEnd.err())
        .startsWith("treecast: ")
        .contains(" h2 at " + cluster.address(2) + ": ", "--allow-faults");
    assertThat(fault("status").outLines())
        .hasSize(2)
        .allMatch(line -> line.endsWith("(set at h3)"));
    assertThat(fault("heal").outLines()).containsExactly("link h2-h3 is healed (set at h3)");
  }

  @Test
  void faults_at_an_agent_that_does_not_answer_are_not_reported_as_healed() throws Exception {
    try (SilentPort silent = new SilentPort()) {
      cluster.allowingFaults(true).start(null);
      cluster.allowingFaults(true).start(new HostPort("127.0.0.1", silent.port()));
      cluster.awaitTreeOf(2);
      assertThat(fault("cut", "h1-h2").exitCode()).isEqualTo(ExitCode.PARTIAL);
      CommandRun healed = fault("heal");
      assertThat(healed.exitCode()).isEqualTo(ExitCode.PARTIAL);
      assertThat(healed.outLines()).containsExactly("link h1-h2 is healed (set at h1)");
      assertThat(healed.err())
          .startsWith("treecast: ")
          .contains(" h2 at " + silent.address() + ": ");
      CommandRun again = fault("heal", "--output", "json");
      assertThat(again.exitCode()).isEqualTo(ExitCode.PARTIAL);
      assertThat(again.json().get("links")).isEmpty();
      assertThat(again.json().get("unreachable").get(0).get("node").asString()).isEqualTo("h2");
    }
  }

  @Test
  void an_unknown_link_or_member_is_named() throws Exception {
    start(true, true, true);
    assertFailed(fault("cut", "h1-h4"), ExitCode.FAILED, "'h4'", "h1, h2, h3");
    assertFailed(fault("pause", "h9", "1s"), ExitCode.FAILED, "'h9'", "h1, h2, h3");
    assertThat(fault("pause", "", "1s").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(fault("crash", "h 9").exitCode()).isEqualTo(ExitCode.USAGE);
    assertFailed(fault("cut", "h1-h1"), ExitCode.USAGE, "'h1-h1'");
    assertFailed(fault("cut", "h1"), ExitCode.USAGE, "'h1'", "A-B");
  }
}
