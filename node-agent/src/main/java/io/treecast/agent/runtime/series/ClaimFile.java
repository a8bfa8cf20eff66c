package io.treecast.agent.runtime.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.agent.config.FileReason;
import io.treecast.collectives.claim.ClaimMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the two numbers that an agent must remember of its votes for claims. A single
 * thread writes it and forces it to disk.
 */
public final class ClaimFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClaimFile.class);
  private static final String NAME = "claims";

  private final Path file;
  private final @Nullable ClaimMemory memory;
  private final ExecutorService writing;

  private ClaimFile(Path file, @Nullable ClaimMemory memory, String agent) {
    this.file = file;
    this.memory = memory;
    this.writing =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "treecast-claims-" + agent);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Reads the file in the directory of an agent. */
  public static ClaimFile in(Path directory, String agent) {
    Path file = directory.resolve(NAME);
    return new ClaimFile(file, read(file), agent);
  }

  private static @Nullable ClaimMemory read(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      String[] numbers = Files.readString(file, UTF_8).strip().split(" ", -1);
      if (numbers.length == 2) {
        return new ClaimMemory(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
      }
      log.warn(
          "{} holds no two numbers: the agent votes for claims after limits.leaseMillis", file);
    } catch (IOException | NumberFormatException e) {
      log.warn(
          "{} cannot be read ({}): the agent votes for claims after limits.leaseMillis",
          file,
          e instanceof IOException io ? FileReason.of(io) : "it holds no numbers");
    }
    return null;
  }

  /**
   * Returns the numbers that the file held at the start; null if there were none, or they are lost.
   */
  public @Nullable ClaimMemory memory() {
    return memory;
  }

  /**
   * Stores the numbers. Writes happen in the order of calls.
   *
   * @param whenStored runs on another thread once the numbers are on disk; never if they cannot be
   *     stored
   */
  public void store(ClaimMemory next, Runnable whenStored) {
    writing.execute(
        () -> {
          try {
            Incarnation.store(file, next.ceiling() + " " + next.longestNanos() + "\n");
          } catch (IOException e) {
            log.warn(
                "{} cannot be written ({}): the agent does not vote for claims; make room for it,"
                    + " or let the agent write it",
                file,
                FileReason.of(e));
            return;
          }
          whenStored.run();
        });
  }

  @Override
  public void close() {
    writing.shutdown();
  }
}
