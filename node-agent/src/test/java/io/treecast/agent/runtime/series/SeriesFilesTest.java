package io.treecast.agent.runtime.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesFormat;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class SeriesFilesTest {
  private static final NodeId SELF = NodeId.of("h1");
  private static final NodeId PEER = NodeId.of("h2");
  private static final NodeId OTHER = NodeId.of("h3");

  @TempDir private Path directory;

  private static void add(SeriesFiles files, NodeId peer, long first, long last) {
    for (long value = first; value <= last; value++) {
      files.add(peer, SeriesResource.RTT, new SeriesPoint(1_000 * value, value));
    }
  }

  private static List<Long> values(SeriesFiles files, NodeId peer) {
    return files.since(peer, SeriesResource.RTT, 0).join().stream()
        .map(SeriesPoint::value)
        .toList();
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private Path file(NodeId peer) {
    return directory.resolve(peer + ".rtt.series");
  }

  @Test
  void points_are_there_after_the_agent_has_started_again_and_go_on() throws ConfigException {
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 5);
      add(files, OTHER, 7, 8);
    }
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 6, 9);

      assertThat(values(files, PEER)).isEqualTo(range(1, 9));
      assertThat(values(files, OTHER)).isEqualTo(range(7, 8));
      assertThat(values(files, SELF)).isEmpty();
    }
  }

  @Test
  void only_points_of_the_time_that_is_asked_for_are_read() throws ConfigException {
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 5);

      assertThat(files.since(PEER, SeriesResource.RTT, 4_000).join())
          .containsExactly(new SeriesPoint(4_000, 4), new SeriesPoint(5_000, 5));
    }
  }

  @Test
  void a_point_that_was_half_written_when_the_process_was_killed_is_lost_alone() throws Exception {
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 5);
    }
    try (FileChannel channel = FileChannel.open(file(PEER), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 9);
    }
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 6, 7);

      assertThat(values(files, PEER)).isEqualTo(List.of(1L, 2L, 3L, 4L, 6L, 7L));
    }
  }

  @Test
  void a_damaged_file_is_set_aside_and_costs_no_other() throws Exception {
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 5);
      add(files, OTHER, 1, 5);
    }
    Files.writeString(file(PEER), "not-a-series, but long enough to be one");
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 6, 7);

      assertThat(values(files, PEER)).isEqualTo(range(6, 7));
      assertThat(values(files, OTHER)).isEqualTo(range(1, 5));
      assertThat(directory.resolve("h2.rtt.series.damaged")).content().contains("not-a-series");
    }
  }

  @Test
  void to_read_what_could_not_be_written_writes_nothing() throws Exception {
    Files.createFile(file(PEER)); // As a full disk leaves it.
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      assertThat(values(files, PEER)).isEmpty();
      assertThat(file(PEER)).isEmptyFile();

      add(files, PEER, 1, 2);

      assertThat(values(files, PEER)).isEqualTo(range(1, 2));
    }
  }

  @Test
  void a_file_never_grows_beyond_its_capacity() throws ConfigException, IOException {
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      // In parts, since what waits for the disk is bounded. The disk then reads another file, which
      // is empty.
      for (long first = 1; first < SeriesFiles.CAPACITY + 1_000; first += 1_000) {
        add(files, PEER, first, first + 999);
        assertThat(values(files, NodeId.of("other"))).isEmpty();
      }

      assertThat(values(files, PEER)).isEqualTo(range(1_001, SeriesFiles.CAPACITY + 1_000));
      assertThat(files.lostPoints()).isZero();
    }
    assertThat(Files.size(file(PEER)))
        .isEqualTo((SeriesFiles.CAPACITY + 1L) * SeriesFormat.BLOCK_BYTES);
  }

  @Test
  void files_that_are_more_than_may_be_open_go_on_where_they_were_and_are_read_once_in_a_life()
      throws Exception {
    long peers = 300;
    for (long life = 0; life < 2; life++) {
      try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
        for (int round = 1; round <= 4; round++) {
          for (int peer = 0; peer < peers; peer++) {
            long value = 4 * life + round;
            add(files, NodeId.of("n" + peer), value, value);
          }
        }
        for (int peer = 0; peer < peers; peer++) {
          assertThat(values(files, NodeId.of("n" + peer))).isEqualTo(range(1, 4 * life + 4));
        }
        assertThat(files.searchedFiles()).isEqualTo(life * peers);
        assertThat(files.lostPoints()).isZero();
      }
    }
  }

  @Test
  void points_that_cannot_be_written_are_counted() throws ConfigException, IOException {
    Files.createDirectory(file(PEER));
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 3);
      add(files, OTHER, 1, 3);

      assertThat(values(files, OTHER)).isEqualTo(range(1, 3));
      assertThat(files.lostPoints()).isEqualTo(3);
      assertThatThrownBy(() -> values(files, PEER)).hasCauseInstanceOf(IOException.class);
    }
  }

  /** A loss is reported once until a point is written, and then again. */
  @Test
  void a_later_failure_is_reported_though_an_earlier_one_has_not_ended() throws Exception {
    Files.createDirectory(file(PEER));
    Files.createDirectory(file(OTHER));
    Logger logger = (Logger) LoggerFactory.getLogger(SeriesFiles.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    logger.addAppender(logged);
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 2);
      add(files, OTHER, 1, 2);
      add(files, SELF, 1, 2);
      add(files, PEER, 3, 4);
      assertThat(values(files, SELF)).hasSize(2);
      assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(1);

      Path third = Files.createDirectory(directory.resolve("h4.rtt.series"));
      add(files, SELF, 3, 3);
      add(files, NodeId.of("h4"), 1, 1);
      assertThat(values(files, SELF)).hasSize(3);
      assertThat(logged.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .hasSize(2)
          .last()
          .asString()
          .contains(third.toString());
    } finally {
      logger.detachAppender(logged);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
  }

  @Test
  void files_without_a_recent_point_are_deleted_once_a_day() throws Exception {
    long now = System.currentTimeMillis();
    long day = Duration.ofDays(1).toMillis();
    Path gone = aged("h8.rtt.series", now - 31 * day);
    Path damaged = aged("h8.loss.series.damaged", now - 31 * day);
    Path absent = aged("h9.rtt.series", now - 29 * day);
    Path other = aged("notes.txt", now - 31 * day);
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      for (long time : new long[] {now, now + day - 1, now + day, now + 2 * day}) {
        files.add(PEER, SeriesResource.RTT, new SeriesPoint(time, 1));
        assertThat(values(files, PEER)).isNotEmpty();
        assertThat(gone).doesNotExist();
        assertThat(damaged).doesNotExist();
        assertThat(absent.toFile().exists()).as("day of %d", time).isEqualTo(time <= now + day);
      }
      assertThat(values(files, PEER)).hasSize(4);
    }
    assertThat(other).exists();
  }

  @Test
  void a_clock_that_is_set_ahead_costs_no_series_of_a_link_that_is_measured() throws Exception {
    long now = System.currentTimeMillis();
    long ahead = now + Duration.ofDays(40).toMillis();
    AtomicLong nanos = new AtomicLong(7);
    try (SeriesFiles files = SeriesFiles.in(directory, SELF, nanos::get)) {
      files.add(PEER, SeriesResource.RTT, new SeriesPoint(now, 1));
      files.add(OTHER, SeriesResource.RTT, new SeriesPoint(now, 1));
      files.add(PEER, SeriesResource.RTT, new SeriesPoint(ahead, 2));
      assertThat(values(files, PEER)).isEqualTo(range(1, 2));
      assertThat(values(files, OTHER)).isEqualTo(range(1, 1));

      // The time has indeed passed, and there is nothing of one of them.
      nanos.addAndGet(Duration.ofDays(40).toNanos());
      long dayAfter = ahead + Duration.ofDays(1).toMillis();
      files.add(PEER, SeriesResource.RTT, new SeriesPoint(dayAfter, 3));
      assertThat(values(files, PEER)).endsWith(3L);
      assertThat(file(OTHER)).doesNotExist();
    }
  }

  /** A file that was written last then. */
  private Path aged(String name, long unixMillis) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    return Files.setLastModifiedTime(file, FileTime.fromMillis(unixMillis));
  }

  @Test
  void two_agents_do_not_share_a_directory() throws ConfigException {
    SeriesFiles first = SeriesFiles.in(directory, SELF);
    assertThatThrownBy(() -> SeriesFiles.in(directory, PEER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(directory.toString());
    first.close();
    SeriesFiles.in(directory, SELF).close();
  }

  @Test
  void the_directory_of_an_agent_stays_its_own_when_it_is_gone() throws ConfigException {
    SeriesFiles.in(directory, SELF).close();
    assertThatThrownBy(() -> SeriesFiles.in(directory, PEER))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching(
            "series: .*" + Pattern.quote(directory.toString()) + ".*\\bh1\\b.*\\bh2\\b.*");
    SeriesFiles.in(directory, SELF).close();
  }

  @Test
  void a_name_that_was_half_written_when_the_process_was_killed_keeps_nobody_out()
      throws Exception {
    Files.writeString(directory.resolve("lock"), "h");
    SeriesFiles.in(directory, SELF).close();
    assertThat(directory.resolve("lock")).hasContent("h1");
    assertThatThrownBy(() -> SeriesFiles.in(directory, PEER)).hasMessageContaining(" h1,");
  }

  @Test
  void a_disk_that_hangs_keeps_the_directory_from_others_until_it_answers() throws Exception {
    SeriesFiles files = SeriesFiles.in(directory, SELF);
    Semaphore disk = new Semaphore(0);
    hang(files, disk);
    files.close();
    assertThatThrownBy(() -> SeriesFiles.in(directory, SELF))
        .hasMessageContaining(directory.toString());

    disk.release();

    SeriesFiles next =
        await().ignoreExceptions().until(() -> SeriesFiles.in(directory, SELF), Objects::nonNull);
    next.close();
  }

  @Test
  void a_reader_does_not_wait_for_a_disk_that_hangs() throws Exception {
    Semaphore disk = new Semaphore(0);
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      hang(files, disk);
      assertThat(files.since(PEER, SeriesResource.RTT, 0))
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableThat()
          .withCauseInstanceOf(IOException.class)
          .withMessageContaining(directory.toString());
      assertThat(files.atStart(() -> 1)).isEmpty();
      disk.release();
      await().until(() -> files.atStart(() -> 1).isPresent());
    }
  }

  /** Has the thread of the files wait as for a disk that does not answer. */
  private static void hang(SeriesFiles files, Semaphore until) throws Exception {
    Thread test = Thread.currentThread();
    BlockingQueue<Boolean> hangs = new LinkedBlockingQueue<>();
    do {
      add(files, PEER, 1, 1_000);
      // Run by the thread of the files, or by this one if that was faster.
      var unused =
          files
              .since(PEER, SeriesResource.RTT, Long.MAX_VALUE)
              .thenRun(
                  () -> {
                    hangs.add(Thread.currentThread() != test);
                    if (Thread.currentThread() != test) {
                      until.acquireUninterruptibly();
                    }
                  });
    } while (!hangs.take());
  }

  /** Not even the superuser may make a directory there. */
  private static Path unusable() {
    Path directory = Path.of("/proc/treecast-series");
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "only where there is such a file system");
    return directory;
  }

  @Test
  void a_directory_that_cannot_be_made_costs_points_and_not_the_start() throws Exception {
    try (SeriesFiles files = SeriesFiles.in(unusable(), SELF)) {
      add(files, PEER, 1, 3);

      assertThatThrownBy(() -> values(files, PEER)).hasCauseInstanceOf(IOException.class);
      assertThat(files.lostPoints()).isEqualTo(3);
    }
  }

  @Test
  void an_agent_starts_without_its_series() {
    try (TestAgents agents = new TestAgents()) {
      Agent agent = agents.withSeries(unusable()).start("h1");

      await().atMost(TestAgents.PATIENCE).until(() -> TestAgents.snapshot(agent).tree().ready());
    }
  }

  @Test
  void a_disk_that_may_only_be_read_costs_points_and_not_the_start() throws Exception {
    assumeTrue(mount("-t", "tmpfs", "-o", "ro", "none", directory.toString()));
    try (SeriesFiles files = SeriesFiles.in(directory, SELF)) {
      add(files, PEER, 1, 3);

      assertThatThrownBy(() -> values(files, PEER)).hasCauseInstanceOf(IOException.class);
      assertThat(files.lostPoints()).isEqualTo(3);
    } finally {
      assertThat(run("umount", directory.toString())).isTrue();
    }
  }

  private static boolean mount(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  @Test
  void a_directory_that_comes_back_is_used_a_minute_later() throws Exception {
    Path mounted = directory.resolve("mounted");
    Path link = Files.createSymbolicLink(directory.resolve("link"), mounted);
    AtomicLong nanos = new AtomicLong(7);
    try (SeriesFiles files = SeriesFiles.in(link, SELF, nanos::get)) {
      add(files, PEER, 1, 3);
      assertThatThrownBy(() -> values(files, PEER)).hasCauseInstanceOf(IOException.class);
      Files.createDirectory(mounted);
      add(files, PEER, 4, 4);
      assertThatThrownBy(() -> values(files, PEER)).hasCauseInstanceOf(IOException.class);

      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      add(files, PEER, 5, 6);

      assertThat(values(files, PEER)).isEqualTo(range(5, 6));
      assertThat(files.lostPoints()).isEqualTo(4);
      assertThatThrownBy(() -> SeriesFiles.in(mounted, SELF))
          .hasMessageContaining(directory.toString());
    }
  }

  @Test
  void a_directory_that_comes_back_as_that_of_another_agent_is_not_used() throws Exception {
    Path mounted = directory.resolve("mounted");
    Path link = Files.createSymbolicLink(directory.resolve("link"), mounted);
    AtomicLong nanos = new AtomicLong(7);
    try (SeriesFiles files = SeriesFiles.in(link, SELF, nanos::get)) {
      SeriesFiles.in(Files.createDirectory(mounted), OTHER).close();
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      add(files, PEER, 1, 2);

      assertThatThrownBy(() -> values(files, PEER))
          .hasMessageMatching("(?s).*\\bh3\\b.*\\bh1\\b.*");
      assertThat(files.lostPoints()).isEqualTo(2);
    }
  }

  @Test
  void a_disk_that_does_not_answer_costs_points_and_not_the_start() throws Exception {
    Semaphore disk = new Semaphore(0);
    LongSupplier hanging =
        () -> {
          disk.acquireUninterruptibly();
          disk.release();
          return 7;
        };
    try (SeriesFiles files = SeriesFiles.in(directory, SELF, hanging)) {
      assertThat(files.hasAnswered()).isFalse();
      add(files, PEER, 1, 3);

      disk.release();

      assertThat(values(files, PEER)).isEqualTo(range(1, 3));
    }
  }

  @Test
  void a_path_that_is_not_a_directory_is_refused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> SeriesFiles.in(file.resolve("below"), SELF))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(file.resolve("below").toString(), "(" + file + " ");
    assertThatThrownBy(() -> SeriesFiles.in(file, SELF))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("(" + file + " ");
  }
}
