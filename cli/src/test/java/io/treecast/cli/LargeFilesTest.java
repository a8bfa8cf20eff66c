package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.cli.console.ExitCode;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.RetryToken;
import io.treecast.client.Treecast;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files above the limit of whole broadcasts, with two agents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeFilesTest {
  private static final int BYTES = (9 << 20) + 1;

  private LoopbackAgents cluster = new LoopbackAgents();

  @BeforeAll
  void startCluster() throws Exception {
    cluster = LoopbackAgents.withTree(2);
  }

  @AfterAll
  void stopCluster() {
    cluster.close();
  }

  private CommandRun subscribe(int agent, String... args) {
    String[] all =
        Stream.concat(
                Stream.of("subscribe", "--agent", cluster.address(agent), "--count=1"),
                Stream.of(args))
            .toArray(String[]::new);
    return CommandRun.start(all).awaitErr("subscribed");
  }

  private static byte[] randomBytes() {
    byte[] payload = new byte[BYTES];
    new Random(1).nextBytes(payload);
    return payload;
  }

  private static void assertSaved(Path directory, String name, byte[] payload) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .singleElement()
          .satisfies(
              file -> {
                assertThat(file.getFileName().toString()).matches(name);
                assertThat(Arrays.mismatch(Files.readAllBytes(file), payload))
                    .as("the first byte that differs")
                    .isEqualTo(-1);
              });
    }
  }

  @Test
  void one_is_saved_byte_for_byte_at_both_members_and_confirmed(@TempDir Path directory)
      throws Exception {
    byte[] payload = randomBytes();
    Path file = Files.write(directory.resolve("payload"), payload);
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    CommandRun atFirst = subscribe(1, "--save", first.toString());
    CommandRun atSecond = subscribe(2, "--save", second.toString());

    CommandRun sent =
        CommandRun.of(
            "broadcast", "--agent", cluster.address(1), "--file", file.toString(), "--confirm");

    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
    assertThat(sent.outLines()).hasSize(2);
    assertThat(sent.outLines().get(0))
        .matches(".* h1 #\\d+ of lane 1, 9437185 bytes, .* version \\d+");
    assertThat(sent.outLines().get(1)).contains(" 2 members");
    assertThat(atFirst.exitCode()).as(atFirst.err()).isEqualTo(ExitCode.OK);
    assertThat(atSecond.exitCode()).as(atSecond.err()).isEqualTo(ExitCode.OK);
    assertSaved(first, "h1,[0-9a-f]{16}~1,\\d+", payload);
    assertSaved(second, "h1,[0-9a-f]{16}~1,\\d+", payload);
  }

  @Test
  void on_a_topic_one_is_saved_where_it_is_wanted(@TempDir Path directory) throws Exception {
    byte[] payload = randomBytes();
    Path file = Files.write(directory.resolve("payload"), payload);
    Path saved = Files.createDirectory(directory.resolve("saved"));
    CommandRun subscribed = subscribe(2, "--save", saved.toString(), "--topic", "a/b");

    CommandRun sent =
        CommandRun.of(
            "broadcast", "--agent", cluster.address(1), "--file", file.toString(), "--topic=a/b");

    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.OK);
    assertThat(sent.out()).matches("sent as h1 #1 of a/b, lane 1, 9437185 bytes, on tree .*\\R");
    assertThat(subscribed.exitCode()).as(subscribed.err()).isEqualTo(ExitCode.OK);
    assertSaved(saved, "h1,[0-9a-f]{16}~1,a%2Fb,1", payload);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothing_is_left_of_one_that_has_come_in_part_when_subscribe_ends(
      boolean interrupted, @TempDir Path directory) throws Exception {
    CommandRun subscribed = subscribe(2, "--save", directory.toString());
    try (Treecast client = Treecast.connect(cluster.address(1));
        PipedOutputStream rest = new PipedOutputStream()) {
      InputStream payload =
          new SequenceInputStream(
              new ByteArrayInputStream(randomBytes()), new PipedInputStream(rest));
      var unused = client.upload(payload, BroadcastOptions.defaults());
      await()
          .atMost(60, TimeUnit.SECONDS)
          .untilAsserted(() -> assertThat(directory).isDirectoryContaining("glob:**.part"));
      if (interrupted) {
        subscribed.interrupt();
      } else {
        client.blocking().broadcast(new byte[] {1});
      }
      assertThat(subscribed.exitCode()).as(subscribed.err()).isEqualTo(ExitCode.OK);
      assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }
  }

  @Test
  void without_a_directory_only_the_size_is_printed(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("payload"), new byte[(4 << 20) + 1]);
    CommandRun subscribed = subscribe(2);
    CommandRun asJson = subscribe(1, "--output", "json");
    assertThat(
            CommandRun.of("broadcast", "--agent", cluster.address(1), "--file", file.toString())
                .exitCode())
        .isEqualTo(ExitCode.OK);
    assertThat(subscribed.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(subscribed.out()).matches("h1 #\\d+ of lane 1 \\(4194305 bytes, .*--save.*\\)\\R");
    assertThat(asJson.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(asJson.jsonLines())
        .anySatisfy(
            line -> {
              assertThat(line.path("bytes").asLong()).isEqualTo((4 << 20) + 1);
              assertThat(line.path("tooLarge").asBoolean()).isTrue();
              assertThat(line.has("payload")).isFalse();
            });
  }

  @Test
  void a_retry_token_is_only_for_what_is_sent_whole(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("payload"), new byte[BYTES]);
    CommandRun run =
        CommandRun.of(
            "broadcast",
            "--agent",
            cluster.address(1),
            "--file",
            file.toString(),
            "--retry",
            RetryToken.create().toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --retry: ");
  }

  @Test
  void a_directory_that_is_not_there_is_named() {
    CommandRun run =
        CommandRun.of("subscribe", "--agent", cluster.address(2), "--save", "/no/such/directory");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: --save: ").contains("/no/such/directory");
  }
}
