package io.treecast.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A group that this client's agent has joined; see {@link Groups#join}. The membership ends with
 * {@link #leave} or with the client. Safe for use by several threads.
 */
public final class Group implements Subscription {
  private static final int MAX_CONTEXT = 32;

  private static final Pattern CONTEXT = Pattern.compile("[a-zA-Z0-9._-]+");

  private final Groups groups;
  private final String path;
  private final String context;
  private final ReconnectingStream<?, ?> membership;
  private final GroupViews views;
  private final CompletableFuture<GroupView> first;
  private final Collectives collectives;
  private final BlockingCollectives blockingCollectives;

  Group(
      Groups groups,
      String path,
      String context,
      ReconnectingStream<?, ?> membership,
      GroupViews views) {
    this.groups = groups;
    this.path = path;
    this.context = context;
    this.membership = membership;
    this.views = views;
    this.first = views.next(view -> true);
    GroupScope scope = new GroupScope(views, path, context);
    this.collectives = groups.collectives(scope);
    this.blockingCollectives = groups.blockingCollectives(scope);
    var unused =
        membership
            .ownReady()
            .exceptionally(
                error -> {
                  first.completeExceptionally(error);
                  return "";
                });
  }

  /** Returns the path. */
  public String path() {
    return path;
  }

  /** Completes with the id of this client's agent when a view contains this member. */
  @Override
  public CompletableFuture<String> ready() {
    return membership.ready();
  }

  /** Completes when the membership has ended. */
  @Override
  public CompletableFuture<@Nullable Void> done() {
    return membership.done();
  }

  /**
   * Completes with the first view that contains this member: the membership counts from then on.
   */
  public CompletableFuture<GroupView> joined() {
    return PublicFuture.of(first);
  }

  ReconnectingStream<?, ?> membership() {
    return membership;
  }

  /** Returns the client's own future of {@link #joined}. */
  CompletableFuture<GroupView> ownJoined() {
    return first;
  }

  /**
   * Returns the latest view; null until {@link #joined} is complete. While the tree changes, the
   * view of the previous tree.
   */
  public @Nullable GroupView view() {
    return views.latest();
  }

  /**
   * Calls a handler with the latest view, and with each later one until the membership ends. An
   * exception from the handler ends the membership.
   */
  public void watch(GroupHandler handler) {
    views.add(handler);
  }

  /**
   * Returns the same membership for another library: its messages and operations are separate from
   * those of other contexts, so their names may be equal.
   *
   * @param name 1 to 32 of a-z A-Z 0-9 . _ -
   * @throws IllegalArgumentException if it has other characters, or more
   */
  public Group context(String name) {
    if (name.length() > MAX_CONTEXT || !CONTEXT.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "context '" + name + "'; allowed are 1 to " + MAX_CONTEXT + " of a-z A-Z 0-9 . _ -");
    }
    return new Group(groups, path, name, membership, views);
  }

  /**
   * Returns the collective operations among the members of the latest view. If the members change
   * before all have called, the operation is repeated among those of the next view, until the call
   * times out with {@code VIEW_CHANGED}. A minimum in the options is the minimum number of members
   * of the view. The options must not name members or a retry token.
   */
  public Collectives collectives() {
    return collectives;
  }

  /** Returns the blocking calls of {@link #collectives}. */
  public BlockingCollectives blockingCollectives() {
    return blockingCollectives;
  }

  /** Broadcasts to the subscribers of the group, and of its parts. */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload) {
    return broadcast(payload, BroadcastOptions.defaults());
  }

  /**
   * Broadcasts to the subscribers of the group, and of its parts.
   *
   * @param options the options; the topic of the group replaces theirs
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload, BroadcastOptions options) {
    return groups.broadcast(payload, options.withTopic(topic(path)));
  }

  /** Receives the messages to this group, and to the wholes of which it is a part. */
  public Subscription subscribe(MessageHandler handler) {
    return subscribe(SubscribeOptions.defaults(), handler);
  }

  /**
   * Receives the messages to this group, and to the wholes of which it is a part. The subscription
   * is independent of the membership.
   *
   * @param options start and policy; the topics of the group replace theirs
   */
  public Subscription subscribe(SubscribeOptions options, MessageHandler handler) {
    List<String> topics = new ArrayList<>(List.of(topic(path)));
    for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      topics.add(topic(path.substring(0, end)));
    }
    return groups.subscribe(options.withTopics(topics.toArray(new String[0])), handler);
  }

  private String topic(String of) {
    return "group/" + of + (context.isEmpty() ? "" : "@" + context);
  }

  /** Ends the membership in all contexts. Returns at once. */
  public void leave() {
    membership.close();
  }

  /** Does the same as {@link #leave}. */
  @Override
  public void close() {
    leave();
  }

  /** Names the group, for logs. */
  @Override
  public String toString() {
    return "group " + path + (context.isEmpty() ? "" : ", context " + context);
  }
}
