package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The blocking calls of {@link Treecast}. Each throws a {@link TreecastException}; its reason is
 * {@code INTERRUPTED} if the waiting thread is interrupted, whose interrupt flag stays set.
 *
 * <pre>{@code
 * try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
 *   treecast.blocking().broadcast(bytes);
 *   System.out.println(messages.next().text());
 * }
 * }</pre>
 *
 * <p>No call waits for callbacks that applications chain to futures. Safe for use by several
 * threads.
 */
public final class BlockingTreecast {
  private final Treecast treecast;
  private final ClientSettings settings;
  private final BlockingCollectives collectives;

  BlockingTreecast(Treecast treecast, Collectives collectives, ClientSettings settings) {
    this.treecast = treecast;
    this.settings = settings;
    this.collectives = new BlockingCollectives(collectives, settings.agents());
  }

  /**
   * Broadcasts and waits until the agent has accepted.
   *
   * @see Treecast#broadcast(byte[])
   */
  public BroadcastResult broadcast(byte[] payload) {
    return broadcast(payload, settings.defaultWait());
  }

  /**
   * Broadcasts and waits until the agent has accepted.
   *
   * @see Treecast#broadcast(byte[], Duration)
   */
  public BroadcastResult broadcast(byte[] payload, Duration wait) {
    return broadcast(payload, BroadcastOptions.defaults().withWait(wait));
  }

  /**
   * Broadcasts, and waits until the agent has accepted the broadcast. If members are asked to
   * confirm, also waits until they have.
   *
   * @see Treecast#broadcast(byte[], BroadcastOptions)
   */
  public BroadcastResult broadcast(byte[] payload, BroadcastOptions options) {
    return await(treecast.ownBroadcast(payload, options));
  }

  /**
   * Sends to one member, and waits until the agent has accepted the message.
   *
   * @see Treecast#send(String, byte[])
   */
  public BroadcastResult send(String member, byte[] payload) {
    return await(treecast.ownBroadcast(payload, BroadcastOptions.to(member)));
  }

  /**
   * Uploads an input stream to its end, and waits until the agent has accepted it. If members are
   * asked to confirm, also waits until they have.
   *
   * @see Treecast#upload(InputStream, BroadcastOptions)
   */
  public BroadcastResult upload(InputStream payload, BroadcastOptions options) {
    return awaitUpload(treecast.ownUpload(payload, options));
  }

  /**
   * Uploads a file, and waits until the agent has accepted it. If members are asked to confirm,
   * also waits until they have.
   *
   * @throws IOException if the file cannot be opened, or is a directory; nothing was sent
   * @see Treecast#upload(Path, BroadcastOptions)
   */
  public BroadcastResult upload(Path file, BroadcastOptions options) throws IOException {
    return awaitUpload(treecast.ownUpload(file, options));
  }

  /**
   * Uploads the buffers of a publisher, and waits until the agent has accepted them. If members are
   * asked to confirm, also waits until they have. The publisher must not depend on the calling
   * thread.
   *
   * @see Treecast#upload(Flow.Publisher, BroadcastOptions)
   */
  public BroadcastResult upload(Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return awaitUpload(treecast.ownUpload(payload, options));
  }

  /**
   * Subscribes to the default topic, and waits until the subscription is in place: messages that
   * are broadcast after the return are received. Waits no longer than {@link
   * TreecastBuilder#defaultWait}.
   *
   * @throws TreecastException if it is not in place in that time: {@code AGENT_UNREACHABLE} without
   *     an agent, {@code NO_TREE} if the agent has no tree, {@code REFUSED} if it refuses
   */
  public EventIterator<Message> subscribe() {
    return subscribe(SubscribeOptions.defaults());
  }

  /**
   * Subscribes with options, and waits until the subscription is in place, but no longer than
   * {@link TreecastBuilder#defaultWait}. Missed messages are logged as a warning, as {@link
   * MessageHandler#onMissed} does; {@link #subscribe(SubscribeOptions, Consumer)} reports them to
   * the program.
   *
   * @throws TreecastException if it is not in place in that time: {@code AGENT_UNREACHABLE} without
   *     an agent, {@code NO_TREE} if the agent has no tree, {@code REFUSED} if it refuses
   */
  public EventIterator<Message> subscribe(SubscribeOptions options) {
    EventIterator<Message> messages = new EventIterator<>(settings.agents());
    return inPlace(messages, treecast.subscribe(options, messages::offer, null));
  }

  /**
   * Subscribes as {@link #subscribe(SubscribeOptions)} does, and reports missed messages.
   *
   * @param onMissed called by the fetching thread, in {@code hasNext}, {@code next} and {@code
   *     poll} of the iterator, between the messages before and after the missed ones. An exception
   *     from it is thrown there; the next call continues
   */
  public EventIterator<Message> subscribe(
      SubscribeOptions options, Consumer<MissedMessages> onMissed) {
    Objects.requireNonNull(onMissed, "onMissed");
    EventIterator<Message> messages = new EventIterator<>(settings.agents());
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(Message message) {
            messages.offer(message);
          }

          @Override
          public void onMissed(MissedMessages missed) {
            messages.offerNotice(() -> onMissed.accept(missed));
          }
        };
    return inPlace(messages, treecast.subscribe(options, handler, null));
  }

  /**
   * Watches the tree: the first element is the present tree.
   *
   * @throws TreecastException {@code AGENT_UNREACHABLE} if no agent answers within {@link
   *     TreecastBuilder#defaultWait}
   */
  public EventIterator<TreeView> watchTree() {
    EventIterator<TreeView> trees = new EventIterator<>(settings.agents());
    return inPlace(trees, treecast.watchTree(trees::offer, null));
  }

  /** Returns the blocking calls of {@link Treecast#collectives}. */
  public BlockingCollectives collectives() {
    return collectives;
  }

  /**
   * Joins a group, and waits until a view has this member, no longer than {@link
   * TreecastBuilder#defaultWait}.
   *
   * @throws TreecastException if it has not joined in that time
   * @see Groups#join
   */
  public Group join(String path) {
    Group group = treecast.groups().join(path);
    awaitInPlace(group.membership(), group::leave);
    var unused = await(group.ownJoined(), "a view of group " + path + ": join it again");
    return group;
  }

  /**
   * Returns the number of members of each group.
   *
   * @see Groups#list
   */
  public SortedMap<String, Integer> listGroups() {
    return await(treecast.groups().ownList(), "the list of groups");
  }

  /**
   * Acquires a claim, and waits while another caller holds it.
   *
   * @see MemberClaims#acquire(String, Duration, Duration)
   */
  public Claim acquire(MemberClaims claims, String name, Duration lease, Duration wait) {
    return awaitClaim(claims.ownAcquire(name, lease, wait, true), name);
  }

  /**
   * Acquires a claim if it is free.
   *
   * @see MemberClaims#tryAcquire
   */
  public Claim tryAcquire(MemberClaims claims, String name, Duration lease) {
    return awaitClaim(claims.ownAcquire(name, lease, MemberClaims.TRY_WAIT, false), name);
  }

  /** Waits for a claim, and releases one that is granted while the thread is interrupted. */
  static Claim awaitClaim(CompletableFuture<Claim> own, String name) {
    try {
      return await(own, "claim '" + name + "'");
    } catch (TreecastException e) {
      var unused = own.thenAccept(Claim::close);
      throw e;
    }
  }

  /**
   * Returns the holder of a claim.
   *
   * @see MemberClaims#holder
   */
  public ClaimHolder holder(MemberClaims claims, String name) {
    return await(claims.ownHolder(name), "the holder of claim '" + name + "'");
  }

  /**
   * Returns the time of the tree's root now.
   *
   * @see ClusterClock#now
   */
  public ClusterTime clusterTime() {
    return await(treecast.clock().ownNow(), "the time of agent " + settings.agents());
  }

  /**
   * Returns the time of the tree's root at an instant of this process.
   *
   * @param nanoTime a value of {@link System#nanoTime}
   * @see ClusterClock#at
   */
  public ClusterTime clusterTimeAt(long nanoTime) {
    return await(treecast.clock().ownAt(nanoTime), "the time of agent " + settings.agents());
  }

  /**
   * Puts an entry of shared values.
   *
   * @see Values#put
   */
  public <T> void put(Values<T> values, String key, T value) {
    awaitWrite(values.ownPut(key, value));
  }

  /**
   * Deletes an entry of shared values.
   *
   * @see Values#delete
   */
  public boolean delete(Values<?> values, String key) {
    return awaitWrite(values.ownDelete(key));
  }

  /**
   * Returns an entry of shared values.
   *
   * @see Values#get
   */
  public <T> Optional<ValueEntry<T>> get(Values<T> values, String key) {
    return await(values.ownGet(key), "an entry of " + values);
  }

  /**
   * Returns all entries of shared values.
   *
   * @see Values#snapshot
   */
  public <T> Map<String, ValueEntry<T>> snapshot(Values<T> values) {
    return await(values.ownSnapshot(), "the entries of " + values);
  }

  /**
   * Offers a number.
   *
   * @see BestValue#offer
   */
  public <T> boolean offer(BestValue<T> best, double number, T value) {
    return awaitWrite(best.ownOffer(number, value));
  }

  /**
   * Returns the best offer.
   *
   * @see BestValue#get
   */
  public <T> Optional<BestOffer<T>> get(BestValue<T> best) {
    return await(best.ownGet(), "the offer of " + best);
  }

  /**
   * Returns the maps that the client's agent has.
   *
   * @see Treecast#listValues
   */
  public List<ValuesSize> listValues() {
    return await(treecast.ownListValues(), "the maps of shared values");
  }

  private static boolean awaitWrite(CompletableFuture<Boolean> written) {
    return await(written, "the answer to a write, which the agent may have: write it again");
  }

  private <T> EventIterator<T> inPlace(EventIterator<T> events, ReconnectingStream<?, ?> stream) {
    events.attach(stream);
    awaitInPlace(stream, events::close);
    return events;
  }

  private void awaitInPlace(ReconnectingStream<?, ?> stream, Runnable close) {
    Duration wait = settings.defaultWait();
    try {
      var unused = stream.ownReady().get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      close.run();
      throw stream.unavailableAfter(wait);
    } catch (InterruptedException e) {
      close.run();
      throw interrupted(
          e, "the subscription at agent " + settings.agents() + " to be in place: subscribe again");
    } catch (ExecutionException e) {
      close.run();
      throw failure(e);
    }
  }

  private <T> T await(CompletableFuture<T> future) {
    return await(
        future,
        "the answer of agent "
            + settings.agents()
            + ": a broadcast that has left may have been accepted; sending it again may deliver"
            + " it twice, unless with a retry token");
  }

  private BroadcastResult awaitUpload(CompletableFuture<BroadcastResult> future) {
    return await(
        future,
        "the answer of agent "
            + settings.agents()
            + ": if the agent had all of the upload, it may have been accepted, otherwise it is"
            + " abandoned; uploading again may deliver it twice");
  }

  /**
   * Waits for a future; see {@link #interrupted}.
   *
   * @param future a future of the client itself; one of an application would also wait for its
   *     chained callbacks
   */
  static <T> T await(CompletableFuture<T> future, String waitedFor) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(false);
      throw interrupted(e, waitedFor);
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(ExecutionException e) {
    if (e.getCause() instanceof TreecastException failure) {
      return failure.rethrown();
    }
    return e.getCause() instanceof IllegalArgumentException wrong
        ? new IllegalArgumentException(wrong.getMessage(), wrong)
        : new IllegalStateException("an unexpected failure: " + e.getCause(), e.getCause());
  }

  /**
   * Returns the failure of an interrupted wait, and sets the thread's interrupt flag again.
   *
   * @param waitedFor the awaited result and the remedy, for people
   */
  static TreecastException interrupted(InterruptedException cause, String waitedFor) {
    Thread.currentThread().interrupt();
    return new TreecastException(
        Reason.INTERRUPTED, "the thread was interrupted while it waited for " + waitedFor, cause);
  }
}
