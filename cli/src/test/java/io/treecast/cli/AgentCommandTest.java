package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code treecast agent}: its output during its life, as text and as JSON. */
class AgentCommandTest {
  /** The timestamp at the beginning of a line of the log. */
  private static final String TIME =
      "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) ";

  @Test
  void a_lone_agent_is_up_and_ready_and_leaves_at_a_signal() {
    CommandRun run =
        CommandRun.start("agent", "--id", "h1", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
            .awaitOut("ready");
    assertThat(run.interrupt().exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines()).hasSize(3);
    assertThat(run.outLines().get(0))
        .matches(TIME + ".*\\bh1\\b.* 127\\.0\\.0\\.1:\\d+, .*http://127\\.0\\.0\\.1:\\d+\\b.*");
    assertThat(run.outLines().get(1))
        .matches(
            TIME
                + "ready: tree version 1, root h1, 0 edges, total weight 0\\.000 ms;"
                + " member-started, \\d+ ms, 0 messages sent");
    assertThat(run.outLines().get(2)).matches(TIME + "agent h1 has left");
  }

  @Test
  void each_new_tree_is_reported_with_its_added_and_removed_edges() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents()) {
      cluster.start(null);
      CommandRun run =
          CommandRun.start(
                  "agent", "--id", "h2", "--listen", "127.0.0.1:0", "--seeds", cluster.address(1))
              .awaitOut("; +h1-h2");
      cluster.agent(1).close();
      run.awaitOut("; -h1-h2");
      assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
      assertThat(run.outLines())
          .filteredOn(line -> line.contains("; +h1-h2"))
          .first()
          .asString()
          .matches(
              TIME
                  + "ready: tree version \\d+, root h[12], 1 edge, total weight .* ms; .* ms,"
                  + " \\d+ messages? sent; \\+h1-h2");
    }
  }

  @Test
  void its_life_is_printed_as_json_lines() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents()) {
      cluster.start(null);
      CommandRun run =
          CommandRun.start(
                  "agent",
                  "--id",
                  "h2",
                  "--listen",
                  "127.0.0.1:0",
                  "--seeds",
                  cluster.address(1),
                  "--output",
                  "json")
              .awaitOut("\"member-started\"")
              .awaitOut("\"a\":\"h1\"");
      cluster.agent(1).close();
      run.awaitOut("tree-link-lost");
      assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);

      JsonNode up = run.jsonLines().get(0);
      assertThat(up.get("event").asString()).isEqualTo("up");
      assertThat(up.get("at").asString() + " ").matches(TIME);
      assertThat(up.get("node").asString()).isEqualTo("h2");
      assertThat(up.get("address").asString()).startsWith("127.0.0.1:");
      assertThat(up.get("admin").isNull()).isTrue();
      assertThat(up.get("seeds").asString()).isEqualTo(cluster.address(1));
      JsonNode ready =
          run.jsonLines().stream()
              .filter(e -> e.has("tree") && !e.get("tree").isEmpty())
              .findFirst()
              .orElseThrow();
      assertThat(ready.get("event").asString()).isEqualTo("ready");
      assertThat(ready.get("version").asInt()).isPositive();
      assertThat(ready.get("durationMillis").asLong()).isNotNegative();
      assertThat(ready.get("tree").get(0).get("a").asString()).isEqualTo("h1");
      assertThat(ready.get("tree").get(0).get("b").asString()).isEqualTo("h2");
      assertThat(ready.get("weightMillis").asDouble()).isPositive();
      assertThat(run.jsonLines())
          .extracting(e -> e.get("event").asString())
          .startsWith("up", "ready")
          .endsWith("ready", "left");
      JsonNode alone = run.jsonLines().get(run.jsonLines().size() - 2);
      assertThat(alone.get("root").asString()).isEqualTo("h2");
      assertThat(alone.get("tree")).isEmpty();
      assertThat(alone.get("causes").toString()).isEqualTo("[\"tree-link-lost\"]");
    }
  }

  @Test
  void settings_come_from_the_file_and_flags_win(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(directory.resolve("agent.yaml"), "id: file\nlisten: 127.0.0.1:0\n");
    CommandRun run =
        CommandRun.start("agent", "--config", file.toString(), "--id", "flag").awaitOut("ready");
    assertThat(run.interrupt().exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0)).contains(" flag ");
  }

  @Test
  void a_bad_key_of_the_file_is_named_with_its_path(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("agent.yaml"), "limits: {payloadByte: 1}\n");
    CommandRun run = CommandRun.of("agent", "--config", file.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith("treecast: " + file + ", line 1: limits.payloadByte: ")
        .contains("payloadBytes?");
  }

  @Test
  void a_host_that_no_name_service_knows_yet_may_pass() throws Exception {
    CommandRun run = CommandRun.of("agent", "--id=x", "--listen=no-such-host.invalid:0");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).startsWith("treecast: listen: 'no-such-host.invalid:0'");
  }

  @Test
  void an_absent_certificate_may_come_later_and_an_invalid_one_fails(@TempDir Path directory)
      throws Exception {
    String text = ": file not found: " + directory.resolve("tls.crt");
    CommandRun byFlag =
        CommandRun.of("agent", "--id=x", "--listen=127.0.0.1:0", "--tls", directory.toString());
    assertThat(byFlag.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(byFlag.err()).startsWith("treecast: tls" + text);
    assertThat(byFlag.out()).isEmpty();

    Path file =
        Files.writeString(
            directory.resolve("agent.yaml"), "id: x\nlisten: 127.0.0.1:0\ntls: " + directory);
    CommandRun byFile = CommandRun.of("agent", "--config", file.toString());
    assertThat(byFile.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(byFile.err()).isEqualTo(byFlag.err());

    Files.writeString(directory.resolve("tls.crt"), "no certificate");
    CommandRun none = CommandRun.of("agent", "--config", file.toString());
    assertThat(none.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).startsWith("treecast: tls: " + directory.resolve("tls.crt"));
  }

  @Test
  void a_port_in_use_is_named_with_what_to_do() throws Exception {
    try (LoopbackAgents other = new LoopbackAgents()) {
      String taken = other.start(null).address().toString();
      CommandRun run = CommandRun.of("agent", "--id", "x", "--listen", taken);
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .startsWith("treecast: listen: ")
          .contains(taken)
          .contains("Address")
          .contains("--listen");

      CommandRun admin =
          CommandRun.of("agent", "--id", "x", "--listen", "127.0.0.1:0", "--admin", taken);
      assertThat(admin.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(admin.err()).startsWith("treecast: admin: ").contains(taken);
    }
  }

  @Test
  void a_directory_of_another_agent_is_refused_and_left_as_it_is(@TempDir Path directory)
      throws Exception {
    String[] first = {"agent", "--id=h1", "--listen=127.0.0.1:0", "--series=" + directory};
    assertThat(CommandRun.start(first).awaitOut("ready").interrupt().exitCode())
        .isEqualTo(ExitCode.OK);
    String incarnation = Files.readString(directory.resolve("incarnation"));

    CommandRun other =
        CommandRun.of("agent", "--id=h2", "--listen=127.0.0.1:0", "--series=" + directory);
    assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err().lines())
        .singleElement()
        .asString()
        .startsWith("treecast: series: ")
        .contains(directory.toString(), " h1,", " h2;");
    assertThat(other.out()).isEmpty();
    assertThat(directory.resolve("incarnation")).hasContent(incarnation);
  }

  @Test
  void a_file_where_the_directory_of_series_is_to_be_ends_the_agent_with_one_line(
      @TempDir Path parent) throws Exception {
    Path file = Files.createFile(parent.resolve("file"));
    CommandRun run = CommandRun.of("agent", "--id=h1", "--listen=127.0.0.1:0", "--series=" + file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("treecast: series: ")
        .contains("(" + file + " ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void an_id_that_is_taken_stops_the_agent_with_the_reason() throws Exception {
    try (LoopbackAgents cluster = new LoopbackAgents()) {
      cluster.start(null);
      CommandRun run =
          CommandRun.of(
              "agent",
              "--id",
              "h1",
              "--listen",
              "127.0.0.1:0",
              "--seeds",
              cluster.address(1),
              "--output",
              "json");
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).startsWith("treecast: agent h1 ").contains(cluster.address(1));
      JsonNode last = run.jsonLines().get(run.jsonLines().size() - 1);
      assertThat(last.get("event").asString()).isEqualTo("stopped");
      assertThat(last.get("reason").asString()).contains(" h1 ", cluster.address(1));
    }
  }
}
