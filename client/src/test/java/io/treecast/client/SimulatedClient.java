package io.treecast.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The whole client library on one thread: its network, its clock and the threads of its uploads
 * advance when a test says so.
 */
public final class SimulatedClient {
  private final VirtualTimer timer;
  private final List<SimulatedChannel> channels = new ArrayList<>();
  private final Map<SimulatedChannel, Integer> addresses = new HashMap<>();
  private int agent;
  private final Runnable onResult;
  private final Treecast treecast;
  private final Collectives collectives;
  private final PendingCollectives pendingCollectives;
  private final ArrayDeque<Runnable> uploadTasks = new ArrayDeque<>();

  /**
   * Creates it without a connection.
   *
   * @param agents the number of agents that it may use
   * @param onTouch called wherever it touches its network: other threads of the client could run
   *     there
   * @param onResult called when a call has a result that the rest of the client has not yet seen
   */
  public SimulatedClient(
      int agents, VirtualTimer timer, RandomGenerator random, Runnable onTouch, Runnable onResult) {
    this.timer = timer;
    this.onResult = onResult;
    ClientSettings settings =
        new ClientSettings(
            new AgentAddresses(
                IntStream.range(0, agents)
                    .mapToObj(number -> new AgentAddress("agent", number + 1))
                    .toList()),
            Duration.ofSeconds(1),
            1 << 20,
            1 << 21, // Room for more broadcasts than a call may have without an answer.
            1 << 20,
            1 << 20,
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Runnable::run,
            ConnectionSecurity.NONE);
    AgentConnection connection =
        new AgentConnection(
            settings,
            host -> true,
            address -> {
              agent = address.port() - 1;
              SimulatedChannel made = new SimulatedChannel(onTouch);
              channels.add(made);
              addresses.put(made, agent);
              return made;
            },
            timer,
            timer::nowNanos,
            random);
    this.treecast = new Treecast(settings, connection, UploadThread::new);
    this.pendingCollectives = new PendingCollectives(connection, settings);
    this.collectives =
        new Collectives(settings, pendingCollectives, CallFuture::own, OperationScope.TREE);
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

  /** Returns the channel to the present agent. */
  public SimulatedChannel channel() {
    return channels.get(channels.size() - 1);
  }

  /** Returns the number of the present agent, from 0. */
  public int agent() {
    return agent;
  }

  /** Ends the process of an agent: nothing arrives there any more. */
  public void killAgent(int number) {
    List.copyOf(channels).stream()
        .filter(channel -> Objects.requireNonNull(addresses.get(channel)) == number)
        .forEach(SimulatedChannel::killAgent);
  }

  /**
   * Makes a step of some channel, also of one that the client has left; false if no step is left.
   */
  public boolean any(Predicate<SimulatedChannel> step) {
    return List.copyOf(channels).stream().anyMatch(step);
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

  /** As {@link MemberClaims#acquire(String, Duration, Duration)}. */
  public CompletableFuture<Claim> acquire(String name, Duration lease, Duration wait) {
    return watched(treecast.claims().among("h1").ownAcquire(name, lease, wait, true));
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
    boolean wrote = any(SimulatedChannel::write);
    boolean arrived = any(SimulatedChannel::arrive);
    boolean cameBack = any(SimulatedChannel::comeBack);
    boolean calledBack = any(SimulatedChannel::callBack);
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
