package io.treecast.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The whole client library on one thread: its network, its clock and the threads of its uploads
 * advance when a test says so.
 */
public final class SimulatedClient {
  private final VirtualTimer timer;
  private final SimulatedChannel channel;
  private final Runnable onResult;
  private final Treecast treecast;
  private final Collectives collectives;
  private final PendingCollectives pendingCollectives;
  private final ArrayDeque<Runnable> uploadTasks = new ArrayDeque<>();

  /**
   * Creates it without a connection.
   *
   * @param onTouch called wherever it touches its network: other threads of the client could run
   *     there
   * @param onResult called when a call has a result that the rest of the client has not yet seen
   */
  public SimulatedClient(
      VirtualTimer timer, RandomGenerator random, Runnable onTouch, Runnable onResult) {
    this.timer = timer;
    this.onResult = onResult;
    this.channel = new SimulatedChannel(onTouch);
    ClientSettings settings =
        new ClientSettings(
            new AgentAddress("agent", 1),
            Duration.ofSeconds(1),
            1 << 20,
            1 << 20,
            1 << 20,
            1 << 20,
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Runnable::run,
            ConnectionSecurity.NONE);
    AgentConnection connection =
        new AgentConnection(settings, host -> true, channel, timer, timer::nowNanos, random);
    this.treecast = new Treecast(settings, connection, UploadThread::new);
    this.pendingCollectives = new PendingCollectives(connection, settings);
    this.collectives = new Collectives(settings, pendingCollectives, CallFuture::own);
  }

  /** The threads of one upload. */
  private final class UploadThread extends AbstractExecutorService {
    private boolean stopped;

    @Override
    public void execute(Runnable task) {
      if (!stopped) {
        uploadTasks.add(task);
      }
    }

    @Override
    public void shutdown() {
      stopped = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      stopped = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return stopped;
    }

    @Override
    public boolean isTerminated() {
      return stopped;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return stopped;
    }
  }

  public SimulatedChannel channel() {
    return channel;
  }

  /** Creates a token that uses the virtual time. */
  public RetryToken token(String name) {
    return new RetryToken(name, timer::nowNanos);
  }

  /** As {@link Treecast#broadcast(byte[], BroadcastOptions)}. */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload, BroadcastOptions options) {
    return watched(treecast.ownBroadcast(payload, options));
  }

  /** As {@link Treecast#upload(Flow.Publisher, BroadcastOptions)}. */
  public CompletableFuture<BroadcastResult> upload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return watched(treecast.ownUpload(payload, options));
  }

  /** As {@link Collectives#barrier}. */
  public CompletableFuture<? extends CollectiveResult<?>> barrier(
      String name, CollectiveOptions options) {
    return watched(collectives.barrier(name, options));
  }

  /**
   * The callback that is chained last runs first: before the client's own reaction to the result.
   */
  private <T extends @Nullable Object> CompletableFuture<T> watched(CompletableFuture<T> own) {
    var unused = own.whenComplete((result, error) -> onResult.run());
    return own;
  }

  /** Runs the next task of an upload's thread. Returns false if there is none. */
  public boolean runUpload() {
    Runnable next = uploadTasks.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Runs everything that can run now; no time passes. */
  public void settle() {
    while (goOn()) {
      // As long as there is something to do.
    }
  }

  /** Runs one round, the next task of each thread. Returns false if there was none. */
  private boolean goOn() {
    timer.runDue();
    boolean wrote = channel.write();
    boolean arrived = channel.arrive();
    boolean cameBack = channel.comeBack();
    boolean calledBack = channel.callBack();
    boolean uploaded = runUpload();
    return wrote
        || arrived
        || cameBack
        || calledBack
        || uploaded
        || timer.nextNanos() <= timer.nowNanos();
  }

  /** As {@link Treecast#close}. */
  public void close() {
    pendingCollectives.close(
        new TreecastException(TreecastException.Reason.CLOSED, "the client was closed"));
    treecast.close();
  }
}
