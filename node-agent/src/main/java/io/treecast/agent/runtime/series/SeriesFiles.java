package io.treecast.agent.runtime.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.FileReason;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.DamagedSeriesException;
import io.treecast.monitor.series.SeriesContent;
import io.treecast.monitor.series.SeriesFormat;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The series of one agent's links on disk: a file for each link and resource, {@code
 * PEER.RESOURCE.series}, with the latest {@link #CAPACITY} points. The directory also holds the
 * numbers of the agent's starts, so no other agent may use it, now or later.
 *
 * <p>A slow or full disk costs points, which are counted, but never the agent's time. The agent
 * starts even if the directory cannot be used at all, for example on a read-only disk, and tries it
 * again every minute. A file that cannot be read is set aside and replaced. Files without a point
 * for {@link #KEPT_DAYS} days, such as those of departed members, are deleted.
 *
 * <p>Thread-safe. A thread of its own reads and writes the files.
 */
public final class SeriesFiles implements AutoCloseable {
  /** The points of a file: half a day at two probes a second; 3.2 MB. */
  static final int CAPACITY = 100_000;

  /** The age at which unused files are deleted. An existing link is measured far more often. */
  static final int KEPT_DAYS = 30;

  private static final Logger log = LoggerFactory.getLogger(SeriesFiles.class);
  private static final int MAX_OWNER_BYTES = 1_024;
  private static final int MAX_QUEUED = 10_000;
  private static final int MAX_OPEN_FILES = 256;

  /** The time for which the start and the end of an agent, and a reader, wait for the disk. */
  private static final int PATIENCE_SECONDS = 2;

  private static final int RETRY_SECONDS = 60;

  private final Path directory;
  private final NodeId agent;
  private final LongSupplier nanos;
  private final ThreadPoolExecutor thread;
  private final LongAdder lost = new LongAdder();
  private final LongAdder searched = new LongAdder();

  // The fields below belong to the thread of the files, except for the volatile ones.

  /** Open while the directory is in use; null while it cannot be used. */
  private @Nullable FileChannel lock;

  /** The reason why the directory cannot be used. */
  private String unusable = "";

  /** The time of the next attempt to use the directory. */
  private long nextTryNanos;

  private volatile boolean hasAnswered;

  /** The beginning of the present task, by {@link System#nanoTime}; 0 between two tasks. */
  private volatile long busySinceNanos;

  /** Whether a warning that the disk does not answer was logged for the present task. */
  private volatile boolean hangs;

  /** The open files, the most recently used last. */
  private final LinkedHashMap<Path, OpenFile> open = new LinkedHashMap<>(16, 0.75f, true);

  /** The ends of files that were closed to make room. */
  private final Map<Path, Place> closed = new HashMap<>();

  /** Files whose last write failed. */
  private final Set<Path> failing = new HashSet<>();

  /** Whether no write has succeeded since one failed. */
  private boolean allFail;

  /** The time of the last write of each file in this process. */
  private final Map<Path, Long> writtenNanos = new HashMap<>();

  /** The time of the next search for unused files. */
  private long nextCleaningMillis = Long.MIN_VALUE;

  private static final class OpenFile {
    final FileChannel channel;
    final int capacity;

    /** The number of the last point. */
    long lastNumber;

    OpenFile(FileChannel channel, int capacity, long lastNumber) {
      this.channel = channel;
      this.capacity = capacity;
      this.lastNumber = lastNumber;
    }
  }

  /**
   * The end of a series.
   *
   * @param lastNumber the number of the last point
   */
  private record Place(int capacity, long lastNumber) {}

  private SeriesFiles(Path directory, NodeId agent, LongSupplier nanos) {
    this.directory = directory;
    this.agent = agent;
    this.nanos = nanos;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            task -> {
              Thread created = new Thread(task, "treecast-series-" + agent);
              created.setDaemon(true);
              return created;
            }) {
          @Override
          protected void beforeExecute(Thread worker, Runnable task) {
            busySinceNanos = System.nanoTime() | 1;
          }

          @Override
          protected void afterExecute(Runnable task, @Nullable Throwable failure) {
            busySinceNanos = 0;
            if (hangs) {
              hangs = false;
              log.info("the disk of the directory {} of series answers again", directory);
            }
          }

          @Override
          protected void terminated() {
            closeFiles();
          }
        };
  }

  /**
   * Takes possession of a directory, which is created if absent. If the disk does not permit it,
   * logs a warning, and tries again later.
   *
   * @throws ConfigException if the path is not that of a directory, another agent uses the
   *     directory, or it belongs to another id
   */
  public static SeriesFiles in(Path directory, NodeId agent) throws ConfigException {
    return in(directory, agent, System::nanoTime);
  }

  /**
   * Takes possession of a directory, with another clock.
   *
   * @param nanos a clock of any origin that is never set; read by the thread of the files
   */
  public static SeriesFiles in(Path directory, NodeId agent, LongSupplier nanos)
      throws ConfigException {
    SeriesFiles files = new SeriesFiles(directory, agent, nanos);
    CompletableFuture<Optional<ConfigException>> taken = new CompletableFuture<>();
    files.thread.execute(
        () -> {
          Optional<ConfigException> refusal = files.tryToTake();
          if (!taken.complete(refusal)) {
            refusal.map(Throwable::getMessage).ifPresent(log::warn);
          }
        });
    try {
      Optional<ConfigException> refusal = taken.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (refusal.isPresent()) {
        files.close();
        throw refusal.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      if (taken.cancel(false)) {
        files.tellHanging();
      }
    }
    return files;
  }

  /** Logs once that the disk does not answer. */
  private void tellHanging() {
    if (!hangs) {
      hangs = true;
      log.warn(
          "the disk of the directory {} of series does not answer: until it does, points are lost,"
              + " and the agent does not vote for claims",
          directory);
    }
  }

  private boolean isHanging() {
    long sinceNanos = busySinceNanos;
    return sinceNanos != 0
        && System.nanoTime() - sinceNanos > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  }

  /**
   * Runs a task of the agent's start that uses the directory.
   *
   * @return the task's result; empty if the disk does not answer
   */
  public <T> Optional<T> atStart(Supplier<T> task) {
    if (!hasAnswered) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          CompletableFuture.supplyAsync(task, thread).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      tellHanging();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return Optional.empty();
  }

  /** Returns whether the first attempt to use the directory has ended, with or without success. */
  public boolean hasAnswered() {
    return hasAnswered;
  }

  /**
   * Tries to take possession of the directory. Returns the reason why it must not be tried again,
   * if there is one. On the files' thread.
   */
  private Optional<ConfigException> tryToTake() {
    nextTryNanos = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(RETRY_SECONDS);
    try {
      take();
      return Optional.empty();
    } catch (ConfigException e) {
      unusable = String.valueOf(e.getMessage());
      return Optional.of(e);
    } catch (IOException e) {
      String reason = FileReason.of(e);
      String why = "series: the directory " + directory + " cannot be used (" + reason + ")";
      if (!why.equals(unusable)) {
        unusable = why;
        log.warn(
            "series: the directory {} cannot be used ({}): points are lost until it can; the agent"
                + " tries again every minute",
            directory,
            reason);
      }
      return Optional.empty();
    } finally {
      hasAnswered = true;
    }
  }

  private void take() throws IOException, ConfigException {
    requireNoFileInTheWay();
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              directory.resolve("lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (!Files.isWritable(directory)) {
        throw new AccessDeniedException(directory.toString());
      }
      if (channel.tryLock() == null) {
        throw usedByAnother();
      }
      checkOwner(directory, channel, agent);
      lock = channel;
    } catch (OverlappingFileLockException ofThisProcess) {
      throw usedByAnother();
    } finally {
      if (lock == null) {
        close(channel);
      }
    }
  }

  private ConfigException usedByAnother() {
    return ConfigException.now(
        "series: another agent uses the directory " + directory + "; give each its own");
  }

  /** Checks that no part of the path is a file; parts may be absent. */
  private void requireNoFileInTheWay() throws ConfigException {
    for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path)) {
        if (Files.isDirectory(path)) {
          return;
        }
        throw ConfigException.now(
            "series: the directory %s cannot be used (%s is not a directory)"
                .formatted(directory, path));
      }
    }
  }

  /**
   * Returns whether the directory can be used; tries an unusable one again when it is time. On the
   * files' thread.
   */
  private boolean isUsableNow() {
    if (lock == null && nanos.getAsLong() - nextTryNanos >= 0) {
      String before = unusable;
      tryToTake()
          .map(Throwable::getMessage)
          .filter(why -> !why.equals(before))
          .ifPresent(log::warn);
      tellIfUsable();
    }
    return lock != null;
  }

  private void tellIfUsable() {
    if (lock != null) {
      log.info("the directory {} of series can be used again", directory);
    }
  }

  /**
   * Checks the owner. The lock file names the agent that owns the directory, from its first start
   * there.
   */
  private static void checkOwner(Path directory, FileChannel lock, NodeId agent)
      throws IOException, ConfigException {
    ByteBuffer content = ByteBuffer.allocate(MAX_OWNER_BYTES);
    lock.read(content, 0);
    String line = UTF_8.decode(content.flip()).toString();
    String owner = line.strip();
    if (!line.endsWith("\n")) {
      sign(directory, lock, agent);
    } else if (!owner.equals(agent.toString())) {
      throw new ConfigException(
          "series: the directory %s is of agent %s, and this is agent %s; give each its own"
              .formatted(directory, owner, agent));
    }
  }

  /** Writes the owner into the lock file. A full disk must not prevent the start. */
  private static void sign(Path directory, FileChannel lock, NodeId agent) {
    try {
      lock.write(UTF_8.encode(agent + "\n"), 0);
    } catch (IOException e) {
      log.warn(
          "the directory {} has no mark of its agent {} ({}): give it to no other agent",
          directory,
          agent,
          FileReason.of(e));
    }
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.debug("closing a file of a series", e);
    }
  }

  /** Queues a point to be written; drops it if the disk is too slow. */
  public void add(NodeId peer, SeriesResource resource, SeriesPoint point) {
    if (isHanging()) {
      tellHanging();
    }
    try {
      thread.execute(() -> write(file(peer, resource), point));
    } catch (RejectedExecutionException full) {
      lost.increment();
    }
  }

  /** Returns the number of points that were not written. */
  public long lostPoints() {
    return lost.sum();
  }

  /**
   * Returns how often a whole file was searched for its end: once for each file that an earlier
   * process has written.
   */
  long searchedFiles() {
    return searched.sum();
  }

  /**
   * Returns the points of a series since a time, oldest first; empty if there is no such series.
   * Fails if too many tasks are queued, the disk does not answer, or the file cannot be read.
   */
  public CompletableFuture<List<SeriesPoint>> since(
      NodeId peer, SeriesResource resource, long unixMillis) {
    CompletableFuture<List<SeriesPoint>> result = new CompletableFuture<>();
    try {
      thread.execute(
          () -> {
            Path path = file(peer, resource);
            try {
              List<SeriesPoint> all = points(path);
              result.complete(all.stream().filter(p -> p.unixMillis() >= unixMillis).toList());
            } catch (IOException | DamagedSeriesException e) {
              result.completeExceptionally(
                  new IOException(path + " cannot be read (" + reason(e) + ")", e));
            }
          });
    } catch (RejectedExecutionException full) {
      result.completeExceptionally(new IOException("too many points wait for the disk", full));
    }
    CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .execute(
            () ->
                result.completeExceptionally(
                    new IOException(
                        "the disk of its directory "
                            + directory
                            + " does not answer: check the disk or its file server")));
    return result;
  }

  private static String reason(Exception e) {
    return e instanceof IOException io ? FileReason.of(io) : String.valueOf(e.getMessage());
  }

  private Path file(NodeId peer, SeriesResource resource) {
    return directory.resolve(peer + "." + resource.label() + ".series");
  }

  // The methods below run on the files' thread.

  /** Returns the existing points. Does not create the file. */
  private List<SeriesPoint> points(Path path) throws IOException, DamagedSeriesException {
    if (!isUsableNow()) {
      throw new IOException(unusable);
    }
    boolean isEmpty = !open.containsKey(path) && (!Files.exists(path) || Files.size(path) == 0);
    return isEmpty ? List.of() : read(opened(path).channel).points();
  }

  private void write(Path path, SeriesPoint point) {
    if (!isUsableNow()) {
      lost.increment();
      return;
    }
    if (point.unixMillis() >= nextCleaningMillis) {
      nextCleaningMillis = point.unixMillis() + TimeUnit.DAYS.toMillis(1);
      deleteUnused(point.unixMillis() - TimeUnit.DAYS.toMillis(KEPT_DAYS));
    }
    try {
      OpenFile file = opened(path);
      file.lastNumber++;
      file.channel.write(
          SeriesFormat.record(file.lastNumber, point),
          SeriesFormat.offset(file.lastNumber, file.capacity));
      writtenNanos.put(path, nanos.getAsLong());
      failing.remove(path);
      allFail = false;
    } catch (IOException e) {
      lost.increment();
      close(forget(path));
      boolean isFirst = failing.add(path) && !allFail;
      allFail = true;
      if (isFirst) {
        log.warn("points of {} are lost until it can be written again: {}", path, e.toString());
      }
    }
  }

  private void deleteUnused(long sinceUnixMillis) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.series{,.damaged}")) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toMillis() < sinceUnixMillis && !isInUse(file)) {
          close(forget(file));
          Files.delete(file);
          writtenNanos.remove(file);
          closed.remove(file);
          failing.remove(file);
          log.info("deleted {}, which has had no point for {} days", file, KEPT_DAYS);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      log.warn("files of series that are not used any more may be left in {}: {}", directory, e);
    }
  }

  /**
   * Returns whether this process has written the file within {@link #KEPT_DAYS} days. After the
   * machine's clock was set ahead, all files seem old.
   */
  private boolean isInUse(Path file) {
    Long written = writtenNanos.get(file);
    return written != null && nanos.getAsLong() - written < TimeUnit.DAYS.toNanos(KEPT_DAYS);
  }

  private @Nullable FileChannel forget(Path path) {
    OpenFile file = open.remove(path);
    return file == null ? null : file.channel;
  }

  /** Returns the opened file; creates it if absent. */
  private OpenFile opened(Path path) throws IOException {
    OpenFile known = open.get(path);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN_FILES) {
      closeEldest();
    }
    OpenFile file = open(path);
    open.put(path, file);
    return file;
  }

  private void closeEldest() {
    Map.Entry<Path, OpenFile> eldest = open.entrySet().iterator().next();
    OpenFile file = eldest.getValue();
    closed.put(eldest.getKey(), new Place(file.capacity, file.lastNumber));
    close(forget(eldest.getKey()));
  }

  private OpenFile open(Path path) throws IOException {
    Place place = closed.remove(path);
    FileChannel channel = channel(path);
    try {
      if (place != null && channel.size() > 0) {
        // The end is known from this process; searching a full file for it takes much longer than
        // writing a point.
        return new OpenFile(channel, place.capacity(), place.lastNumber());
      }
      return opened(channel, path);
    } catch (DamagedSeriesException e) {
      close(channel);
      Path aside = path.resolveSibling(path.getFileName() + ".damaged");
      Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
      log.warn("{} is damaged: {}; it is now {}", path, e.getMessage(), aside);
    } catch (IOException e) {
      close(channel);
      throw e;
    }
    return open(path);
  }

  private OpenFile opened(FileChannel channel, Path path)
      throws IOException, DamagedSeriesException {
    if (channel.size() == 0) {
      channel.write(SeriesFormat.header(CAPACITY), 0);
      return new OpenFile(channel, CAPACITY, 0);
    }
    searched.increment();
    SeriesContent content = read(channel);
    if (content.damaged() > 0) {
      log.warn("{} records of {} are damaged; the others are read", content.damaged(), path);
    }
    return new OpenFile(channel, content.capacity(), content.lastNumber());
  }

  private static FileChannel channel(Path path) throws IOException {
    return FileChannel.open(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static SeriesContent read(FileChannel channel)
      throws IOException, DamagedSeriesException {
    long most = (long) (SeriesFormat.MAX_CAPACITY + 1) * SeriesFormat.BLOCK_BYTES;
    ByteBuffer file = ByteBuffer.allocate((int) Math.min(most, channel.size()));
    while (file.hasRemaining() && channel.read(file, file.position()) >= 0) {
      // Read until the buffer is full or the file ends.
    }
    return SeriesFormat.read(file.flip());
  }

  /** Closes the files and frees the directory; the last action of the thread. */
  private void closeFiles() {
    open.values().forEach(file -> close(file.channel));
    open.clear();
    close(lock);
  }

  /**
   * Writes queued points, and frees the directory. If the disk does not answer within {@link
   * #PATIENCE_SECONDS}, the directory is freed when it does, or at the end of the process.
   */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
