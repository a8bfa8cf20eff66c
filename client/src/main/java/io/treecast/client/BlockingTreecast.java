package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
 * <p>Safe for use by several threads.
 */
public final class BlockingTreecast {
  private final Treecast treecast;
  private final ClientSettings settings;

  BlockingTreecast(Treecast treecast, ClientSettings settings) {
    this.treecast = treecast;
    this.settings = settings;
  }

  /**
   * Broadcasts and waits until the agent has accepted.
   *
   * @see Treecast#broadcast(byte[])
   */
  public BroadcastResult broadcast(byte[] payload) {
    return await(treecast.broadcast(payload));
  }

  /**
   * Broadcasts and waits until the agent has accepted.
   *
   * @see Treecast#broadcast(byte[], Duration)
   */
  public BroadcastResult broadcast(byte[] payload, Duration wait) {
    return await(treecast.broadcast(payload, wait));
  }

  /**
   * Broadcasts and waits until the agent has accepted, and if members are asked to confirm, for
   * them.
   *
   * @see Treecast#broadcast(byte[], BroadcastOptions)
   */
  public BroadcastResult broadcast(byte[] payload, BroadcastOptions options) {
    return await(treecast.broadcast(payload, options));
  }

  /**
   * Uploads all that a stream has, and waits until the agent has accepted it, and if members are
   * asked to confirm, for them.
   *
   * @see Treecast#upload(InputStream, BroadcastOptions)
   */
  public BroadcastResult upload(InputStream payload, BroadcastOptions options) {
    return await(treecast.upload(payload, options));
  }

  /**
   * Subscribes, and waits until the subscription is in place, but no longer than {@link
   * TreecastBuilder#defaultWait}: what is broadcast after the return is seen.
   *
   * @throws TreecastException {@code AGENT_UNREACHABLE} if no agent confirms it in that time
   */
  public EventIterator<Message> subscribe() {
    return subscribe(SubscribeOptions.defaults());
  }

  /**
   * Subscribes as said, and waits until the subscription is in place, but no longer than {@link
   * TreecastBuilder#defaultWait}. Messages that will not come are not told: use a {@link
   * MessageHandler} to know of them.
   *
   * @throws TreecastException {@code AGENT_UNREACHABLE} if no agent confirms it in that time
   */
  public EventIterator<Message> subscribe(SubscribeOptions options) {
    EventIterator<Message> messages = new EventIterator<>();
    messages.attach(treecast.subscribe(options, messages::offer, null));
    awaitReady(messages);
    return messages;
  }

  /**
   * Watches the tree: the first element is the tree as it is.
   *
   * @throws TreecastException {@code AGENT_UNREACHABLE} if no agent answers within {@link
   *     TreecastBuilder#defaultWait}
   */
  public EventIterator<TreeView> watchTree() {
    EventIterator<TreeView> trees = new EventIterator<>();
    trees.attach(treecast.watchTree(trees::offer, null));
    awaitReady(trees);
    return trees;
  }

  private void awaitReady(EventIterator<?> events) {
    try {
      CompletableFuture<String> ready = events.subscription().ready();
      await(ready.orTimeout(settings.defaultWait().toMillis(), TimeUnit.MILLISECONDS));
    } catch (TreecastException e) {
      events.close();
      throw e;
    }
  }

  private <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(false);
      throw interrupted(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TreecastException failure) {
        throw failure.rethrown();
      }
      if (e.getCause() instanceof TimeoutException) {
        throw new TreecastException(
            Reason.AGENT_UNREACHABLE,
            "agent "
                + settings.agent()
                + " did not confirm the subscription within "
                + settings.defaultWait().toMillis()
                + " ms: start the agent, correct the address, or raise defaultWait",
            e.getCause());
      }
      throw new IllegalStateException("an unexpected failure: " + e.getCause(), e.getCause());
    }
  }

  static TreecastException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new TreecastException(
        Reason.INTERRUPTED, "the thread was interrupted while it waited for the agent", cause);
  }
}
