package io.treecast.agent.runtime.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.agent.config.FileReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the starts of an agent in ascending order: by the clock of its machine and, if a
 * directory remembers the last number, even after that clock was set back. A random part gives
 * different numbers to agents that start at the same time, or from copies of one directory.
 * Stateless.
 */
public final class Incarnation {
  private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

  /** The range of the random part, in microseconds: shorter than a start. */
  private static final long RANDOM_MICROS = 1_000;

  /** The largest random step beyond the last number, for a clock that is behind that number. */
  private static final long RANDOM_STEP = 1L << 20;

  /** Forces the entries of a directory to disk. */
  interface Names {
    void force(Path directory) throws IOException;
  }

  private Incarnation() {}

  /**
   * Returns the number of the present start.
   *
   * @param directory of this agent alone; created if absent; null for none
   */
  public static long next(@Nullable Path directory, Instant now) {
    return next(
        directory,
        now,
        Incarnation::forceNames,
        bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * Returns the number of the present start, with replaceable disk and random source.
   *
   * @param random returns a number from 0 to less than a bound
   */
  public static long next(
      @Nullable Path directory, Instant now, Names names, LongUnaryOperator random) {
    long byClock =
        ChronoUnit.MICROS.between(Instant.EPOCH, now) + random.applyAsLong(RANDOM_MICROS);
    if (directory == null) {
      return byClock;
    }
    Path file = directory.resolve("incarnation");
    long last = last(file);
    if (last >= byClock) {
      log.warn(
          "the clock of this machine is {} s behind that of the agent's last start",
          (last - byClock) / 1_000_000);
    }
    long next = Math.max(byClock, last + 1 + random.applyAsLong(RANDOM_STEP));
    try {
      Files.createDirectories(directory);
      replace(file, next + "\n");
      names.force(directory);
    } catch (IOException e) {
      log.warn(
          "{} cannot be written ({}): should the clock of this machine go back, other agents take"
              + " the next start for an earlier one; make room for it, or let the agent write it",
          file,
          FileReason.of(e));
    }
    return next;
  }

  /** Returns the number in the file; -1 if the file has no valid number. */
  private static long last(Path file) {
    try {
      return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : -1;
    } catch (IOException | NumberFormatException e) {
      log.warn(
          "{} cannot be read ({}): should the clock of this machine have gone back, other agents"
              + " take this start for an earlier one",
          file,
          e instanceof IOException io ? FileReason.of(io) : "it holds no number");
      return -1;
    }
  }

  /** Replaces the content of a file, and forces it to disk. */
  static void store(Path file, String content) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    replace(file, content);
    if (directory != null) {
      forceNames(directory);
    }
  }

  /** Replaces the content atomically: a power failure leaves either the old or the new content. */
  private static void replace(Path file, String content) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = UTF_8.encode(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Forces the directory entry to disk. Otherwise the previous file may reappear under the name
   * after a power failure.
   */
  private static void forceNames(Path directory) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException noSuchThing) {
      return; // Some systems cannot open directories.
    }
    try (channel) {
      channel.force(true);
    }
  }
}
