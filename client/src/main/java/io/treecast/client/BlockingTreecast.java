package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The calls of {@link Treecast} for programs that wait for the outcome. Each throws a {@link
 * TreecastException}, {@code INTERRUPTED} among the reasons if the waiting thread is interrupted;
 * its interrupt flag stays set.
 *
 * <pre>{@code
 * try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
 *   treecast.blocking().broadcast(bytes);
 *   System.out.println(messages.next().text());
 * }
 * }</pre>
 *
 * <p>None waits for what applications chain to futures, however long that blocks. Safe for use by
 * several threads.
 */
public final class BlockingTreecast {
  private final Treecast treecast;
  private final ClientSettings settings;
  private final BlockingCollectives collectives;

  BlockingTreecast(Treecast treecast, Collectives collectives, ClientSettings settings) {
    this.treecast = treecast;
    this.settings = settings;
    this.collectives = new BlockingCollectives(collectives, settings.agent());
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
   * Broadcasts and waits until the agent has accepted, and if members are asked to confirm, for
   * them.
   *
   * @see Treecast#broadcast(byte[], BroadcastOptions)
   */
  public BroadcastResult broadcast(byte[] payload, BroadcastOptions options) {
    return await(treecast.ownBroadcast(payload, options));
  }

  /**
   * Uploads all that a stream has, and waits until the agent has accepted it, and if members are
   * asked to confirm, for them.
   *
   * @see Treecast#upload(InputStream, BroadcastOptions)
   */
  public BroadcastResult upload(InputStream payload, BroadcastOptions options) {
    return awaitUpload(treecast.ownUpload(payload, options));
  }

  /**
   * Uploads a file, and waits until the agent has accepted it, and if members are asked to confirm,
   * for them.
   *
   * @throws IOException if it cannot be opened
   * @see Treecast#upload(Path, BroadcastOptions)
   */
  public BroadcastResult upload(Path file, BroadcastOptions options) throws IOException {
    return awaitUpload(treecast.ownUpload(file, options));
  }

  /**
   * Uploads what a publisher gives, and waits until the agent has accepted it, and if members are
   * asked to confirm, for them. So another thread, or none, has to feed the publisher.
   *
   * @see Treecast#upload(Flow.Publisher, BroadcastOptions)
   */
  public BroadcastResult upload(Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return awaitUpload(treecast.ownUpload(payload, options));
  }

  /**
   * Subscribes, and waits until the subscription is in place, but no longer than {@link
   * TreecastBuilder#defaultWait}: what is broadcast after the return is seen.
   *
   * @throws TreecastException if it is not in place in that time: {@code AGENT_UNREACHABLE} without
   *     an agent, {@code NO_TREE} if that has no tree, {@code REFUSED} if it refuses
   */
  public EventIterator<Message> subscribe() {
    return subscribe(SubscribeOptions.defaults());
  }

  /**
   * Subscribes as said, and waits until the subscription is in place, but no longer than {@link
   * TreecastBuilder#defaultWait}. Of messages that will not come a warning is logged, as {@link
   * MessageHandler#onMissed} does; {@link #subscribe(SubscribeOptions, Consumer)} tells the
   * program.
   *
   * @throws TreecastException if it is not in place in that time: {@code AGENT_UNREACHABLE} without
   *     an agent, {@code NO_TREE} if that has no tree, {@code REFUSED} if it refuses
   */
  public EventIterator<Message> subscribe(SubscribeOptions options) {
    EventIterator<Message> messages = new EventIterator<>(settings.agent());
    return inPlace(messages, treecast.subscribe(options, messages::offer, null));
  }

  /**
   * As {@link #subscribe(SubscribeOptions)}, and tells which messages will not come.
   *
   * @param onMissed called by the thread that fetches, in {@code hasNext}, {@code next} and {@code
   *     poll} of the iterator: after the message before those that are missed, and before the one
   *     after them. What it throws is thrown there, and the next call goes on
   */
  public EventIterator<Message> subscribe(
      SubscribeOptions options, Consumer<MissedMessages> onMissed) {
    Objects.requireNonNull(onMissed, "onMissed");
    EventIterator<Message> messages = new EventIterator<>(settings.agent());
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(Message message) {
            messages.offer(message);
          }

          @Override
          public void onMissed(MissedMessages missed) {
            messages.tell(() -> onMissed.accept(missed));
          }
        };
    return inPlace(messages, treecast.subscribe(options, handler, null));
  }

  /**
   * Watches the tree: the first element is the tree as it is.
   *
   * @throws TreecastException {@code AGENT_UNREACHABLE} if no agent answers within {@link
   *     TreecastBuilder#defaultWait}
   */
  public EventIterator<TreeView> watchTree() {
    EventIterator<TreeView> trees = new EventIterator<>(settings.agent());
    return inPlace(trees, treecast.watchTree(trees::offer, null));
  }

  /** The calls of {@link Treecast#collectives} for programs that wait. */
  public BlockingCollectives collectives() {
    return collectives;
  }

  private <T> EventIterator<T> inPlace(EventIterator<T> events, ReconnectingStream<?, ?> stream) {
    events.attach(stream);
    Duration wait = settings.defaultWait();
    try {
      var unused = stream.ownReady().get(wait.toMillis(), TimeUnit.MILLISECONDS);
      return events;
    } catch (TimeoutException e) {
      events.close();
      throw stream.notInPlaceWithin(wait);
    } catch (InterruptedException e) {
      events.close();
      throw interrupted(
          e, "what it asked agent " + settings.agent() + " for to be in place: ask again");
    } catch (ExecutionException e) {
      events.close();
      throw failure(e);
    }
  }

  private <T> T await(CompletableFuture<T> future) {
    return await(
        future,
        "the answer of agent "
            + settings.agent()
            + ": a broadcast that has left may have been accepted; to send it again may deliver"
            + " it twice, unless with a retry token");
  }

  private BroadcastResult awaitUpload(CompletableFuture<BroadcastResult> future) {
    return await(
        future,
        "the answer of agent "
            + settings.agent()
            + ": if the agent had all of the upload, it may have been accepted, otherwise it is"
            + " abandoned; to upload again may deliver it twice");
  }

  /**
   * As {@link #interrupted} says.
   *
   * @param future of the client itself: one that applications get waits for what they have chained
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
    return e.getCause() instanceof TreecastException failure
        ? failure.rethrown()
        : new IllegalStateException("an unexpected failure: " + e.getCause(), e.getCause());
  }

  /**
   * Keeps the thread's flag.
   *
   * @param waitedFor what for, and what to do now, for a person
   */
  static TreecastException interrupted(InterruptedException cause, String waitedFor) {
    Thread.currentThread().interrupt();
    return new TreecastException(
        Reason.INTERRUPTED, "the thread was interrupted while it waited for " + waitedFor, cause);
  }
}
