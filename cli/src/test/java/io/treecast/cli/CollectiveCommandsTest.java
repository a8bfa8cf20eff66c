package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.console.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code barrier}, {@code reduce}, {@code gather} and {@code scatter} with two agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class CollectiveCommandsTest {
  private LoopbackAgents cluster = new LoopbackAgents();

  @BeforeAll
  void startCluster() throws Exception {
    cluster = LoopbackAgents.withTree(2);
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  /** Runs a command at the agent with a number. */
  private CommandRun at(int agent, String... command) {
    String[] all = new String[command.length + 2];
    System.arraycopy(command, 0, all, 0, command.length);
    all[command.length] = "--agent";
    all[command.length + 1] = cluster.address(agent);
    return CommandRun.start(all);
  }

  private static void assertPrinted(CommandRun run, String... lines) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines())
        .map(line -> line.replaceFirst(" on tree version \\d+$", ""))
        .containsExactly(lines);
  }

  @Test
  void a_barrier_is_passed_by_all() {
    CommandRun first = at(1, "barrier", "epoch-1");
    CommandRun second = at(2, "barrier", "epoch-1", "--output", "json");

    assertPrinted(first, "passed by 2 members: h1, h2,");
    assertThat(second.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(second.json().get("operation").asString()).isEqualTo("epoch-1");
    assertThat(second.json().get("treeVersion").asLong()).isPositive();
    assertThat(second.json().get("contributors").toString()).isEqualTo("[\"h1\",\"h2\"]");
  }

  @ParameterizedTest
  @CsvSource({
    "--sum, 3 -5, -1 4, 2 -1",
    "--min, 3 -5, -1 4, -1 -5",
    "--max, 3 -5, -1 4, 3 4",
    "--sum, 9223372036854775806, 1, 9223372036854775807",
    "--sum, 0.5 1e3, -.25 2, 0.25 1002.0",
    "--max, 1., -1e-3, 1.0",
  })
  void vectors_are_reduced_for_all(String how, String one, String other, String result) {
    String name = "of " + one + how;
    CommandRun first =
        at(1, ("reduce|" + name + "|" + how + "|" + one.replace(' ', '|')).split("\\|"));
    CommandRun second =
        at(2, ("reduce|" + name + "|" + how + "|" + other.replace(' ', '|')).split("\\|"));

    assertPrinted(first, result, "reduced from 2 members: h1, h2,");
    assertPrinted(second, result, "reduced from 2 members: h1, h2,");
  }

  @Test
  void one_member_gets_the_vector() {
    CommandRun there = at(1, "reduce", "to-one", "--sum", "1", "--to", "h1", "--output=json");
    CommandRun elsewhere = at(2, "reduce", "to-one", "--sum", "2", "--to", "h1");

    assertPrinted(elsewhere, "the result is at h1", "reduced from 2 members: h1, h2,");
    assertThat(there.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(there.json().get("vector").toString()).isEqualTo("[3]");
  }

  @Test
  void vectors_in_files_are_reduced_into_a_file(@TempDir Path directory) throws Exception {
    Path out = directory.resolve("out");
    CommandRun first = atWithFile(1, "files", vector(directory, 1, -5), out);
    CommandRun second =
        atWithFile(2, "files", vector(directory, 2, 40), directory.resolve("out-2"));

    assertPrinted(first, "2 elements written to " + out, "reduced from 2 members: h1, h2,");
    assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.OK);
    assertThat(Files.readAllBytes(out)).containsExactly(3, 0, 0, 0, 35, 0, 0, 0);
    assertThat(directory.resolve("out.part")).doesNotExist();
  }

  @Test
  void a_vector_without_whole_elements_or_without_room_for_its_result_is_refused(
      @TempDir Path directory) throws Exception {
    Path odd = Files.write(directory.resolve("odd"), new byte[7]);
    Path whole = vector(directory, 1, 2);
    for (CommandRun run :
        List.of(
            atWithFile(1, "refused", odd, directory.resolve("out")),
            atWithFile(1, "refused", whole, directory),
            atWithFile(1, "refused", whole, directory.resolve("no/such/out")))) {
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains(directory.toString()).doesNotContain(".part");
    }
  }

  private static Path vector(Path directory, int first, int second) throws IOException {
    ByteBuffer elements = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    return Files.write(
        directory.resolve("vector" + first), elements.putInt(first).putInt(second).array());
  }

  private CommandRun atWithFile(int agent, String name, Path file, Path out) {
    return at(
        agent,
        "reduce",
        name,
        "--sum",
        "--type=int",
        "--wait=60",
        "--file=" + file,
        "--out=" + out);
  }

  @Test
  void contributions_are_gathered_for_all(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("given"), new byte[] {27, 91});
    CommandRun text = at(1, "gather", "all", "two\nlines");
    CommandRun binary = at(2, "gather", "all", "--file", file.toString(), "--output", "json");

    assertPrinted(
        text,
        "h1 (9 bytes) two\\nlines",
        "h2 (2 bytes, binary)",
        "gathered from 2 members: h1, h2,");
    assertThat(binary.exitCode()).isEqualTo(ExitCode.OK);
    JsonNode part = binary.json().get("parts").get(1);
    assertThat(part.get("member").asString()).isEqualTo("h2");
    assertThat(part.get("bytes").asInt()).isEqualTo(2);
    assertThat(Base64.getDecoder().decode(part.get("payload").asString())).containsExactly(27, 91);
  }

  @Test
  void one_member_gets_what_is_gathered() {
    CommandRun there = at(2, "gather", "to-one-2", "--to", "h2");
    CommandRun elsewhere = at(1, "gather", "to-one-2", "x", "--to", "h2", "--output", "json");

    assertPrinted(there, "h1 (1 byte) x", "h2 (0 bytes)", "gathered from 2 members: h1, h2,");
    assertThat(elsewhere.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(elsewhere.json().get("parts").isNull()).isTrue();
  }

  @Test
  void each_member_gets_its_part(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("part"), "of a file");
    CommandRun hub = at(1, "scatter", "parts", "h1=a=b", "h2=@" + file);
    CommandRun other = at(2, "scatter", "parts", "--from", "h1");

    assertPrinted(hub, "(3 bytes) a=b", "scattered to 2 members: h1, h2,");
    assertPrinted(other, "(9 bytes) of a file", "scattered to 2 members: h1, h2,");
  }

  @Test
  void a_member_without_a_part_gets_none() {
    CommandRun hub = at(2, "scatter", "few", "h2=x");
    CommandRun other = at(1, "scatter", "few", "--from", "h2");

    assertPrinted(other, "no part for this member", "scattered to 2 members: h1, h2,");
    assertPrinted(hub, "(1 byte) x", "scattered to 2 members: h1, h2,", "no part for h1");
  }

  @Test
  void a_part_for_somebody_who_is_not_in_the_tree_is_named_and_not_done() {
    CommandRun hub = at(2, "scatter", "typo", "h9=x", "h2=y");
    CommandRun other = at(1, "scatter", "typo", "--from", "h2");

    assertPrinted(other, "no part for this member", "scattered to 2 members: h1, h2,");
    assertThat(hub.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(hub.outLines()).hasSize(3).startsWith("(1 byte) y").endsWith("no part for h1");
    assertThat(hub.err()).startsWith("treecast: ").contains(" h9 ");
  }

  @Test
  void parts_that_nobody_took_and_members_without_one_are_lists_in_json() {
    CommandRun hub = at(2, "scatter", "typos", "h9=x", "h8=y", "--output", "json");
    CommandRun other = at(1, "scatter", "typos", "--from", "h2", "--output", "json");

    assertThat(hub.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(hub.json().get("part").isNull()).isTrue();
    assertThat(hub.json().get("undelivered").toString()).isEqualTo("[\"h9\",\"h8\"]");
    assertThat(hub.json().get("withoutPart").toString()).isEqualTo("[\"h1\",\"h2\"]");
    assertThat(hub.err()).contains(" h9, h8 ");
    assertThat(other.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(other.json().has("undelivered")).isFalse();
  }

  @Test
  void the_member_with_the_parts_does_not_receive_from_itself() {
    CommandRun run = at(1, "scatter", "own", "--from", "h1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --from: ").contains(" h1 ");
  }

  @Test
  void parts_that_are_too_large_together_are_not_sent(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("part"), new byte[3 << 20]);
    CommandRun run = at(1, "scatter", "large", "h1=@" + file, "h2=@" + file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .startsWith("treecast: PAYLOAD_TOO_LARGE: ")
        .contains("'large'", "6291584 bytes", "4194304");
  }

  @Test
  void those_that_are_missing_are_named_and_the_wait_goes_on_with_the_token() {
    CommandRun early = at(1, "reduce", "late", "--sum", "1", "--wait", "10");
    assertThat(early.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(early.out()).isEmpty();
    assertThat(early.err())
        .startsWith("treecast: MEMBERS_MISSING: agent " + cluster.address(1) + " says: 'late' ")
        .contains("): h2 ")
        .contains("--retry ");
    Matcher token = Pattern.compile("--retry (\\S+)").matcher(early.err());
    assertThat(token.find()).isTrue();

    CommandRun again = at(1, "reduce", "late", "--sum", "1", "--retry", token.group(1));
    CommandRun late = at(2, "reduce", "late", "--sum", "2");

    assertPrinted(again, "3", "reduced from 2 members: h1, h2,");
    assertPrinted(late, "3", "reduced from 2 members: h1, h2,");
  }

  @Test
  void those_that_are_named_alone_take_part() {
    assertPrinted(at(1, "barrier", "alone", "--among", "h1"), "passed by 1 member: h1,");

    CommandRun other = at(2, "barrier", "alone-2", "--among", "h1");
    assertThat(other.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(other.err()).startsWith("treecast: REFUSED: ").contains("h2");
  }

  @Test
  void with_a_minimum_that_is_not_reached_the_command_says_how_many_members_there_are() {
    CommandRun first = at(1, "barrier", "three", "--minimum", "3", "--wait", "10");
    CommandRun second = at(2, "barrier", "three", "--minimum", "3", "--wait", "10");

    assertThat(first.exitCode()).isEqualTo(ExitCode.PARTIAL);
    assertThat(first.err()).startsWith("treecast: MEMBERS_MISSING: ").contains("minimum is 3");
    assertThat(second.exitCode()).isEqualTo(ExitCode.PARTIAL);
  }

  @ParameterizedTest
  @CsvSource({"0, 10000", "-1, 10000", "10001, 10000"})
  void a_minimum_that_cannot_be_is_wrong_usage(String minimum, String most) {
    CommandRun run = at(1, "barrier", "few", "--minimum", minimum);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith("treecast: --minimum: '" + minimum + "'")
        .contains("1 to " + most);
  }

  @Test
  void a_name_is_used_once() {
    assertPrinted(at(1, "barrier", "once", "--among", "h1"), "passed by 1 member: h1,");

    CommandRun again = at(1, "barrier", "once", "--among", "h1");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).startsWith("treecast: NAME_USED: ").contains("'once'");
  }

  @Test
  void an_invalid_name_is_wrong_usage() {
    CommandRun run = at(1, "barrier", "");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: ").contains("0 bytes", "200");
  }

  @Test
  void whole_numbers_and_doubles_do_not_go_together() {
    CommandRun whole = at(1, "reduce", "mixed", "--sum", "1");
    CommandRun decimal = at(2, "reduce", "mixed", "--sum", "1.0");

    assertThat(whole.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(decimal.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(whole.err())
        .startsWith("treecast: DISAGREEMENT: ")
        .containsSubsequence("whole numbers", " h2 ", "doubles");
    assertThat(decimal.err())
        .startsWith("treecast: DISAGREEMENT: ")
        .containsSubsequence("doubles", " h1 ", "whole numbers");
  }
}
