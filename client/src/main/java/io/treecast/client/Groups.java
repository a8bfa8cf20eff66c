package io.treecast.client;

import io.treecast.proto.v1.FollowGroupRequest;
import io.treecast.proto.v1.GroupServiceGrpc;
import io.treecast.proto.v1.ListGroupsRequest;
import io.treecast.proto.v1.ListedGroup;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Groups: sets of members with a path as their name, and one sequence of views for each committed
 * tree.
 *
 * <pre>{@code
 * Group trainers = treecast.groups().join("trainers/west");
 * trainers.joined().join();
 * long[] sum =
 *     trainers.collectives().allReduce("round-1", LongReduction.SUM, new long[] {1}).join().value();
 * }</pre>
 *
 * <p>A member of {@code trainers/west} is a member of {@code trainers}, too. The members of a group
 * are agents: an agent is a member while at least one of its applications has joined. In a
 * partition each part has views of its own members. Safe for use by several threads.
 */
public final class Groups {
  /** The most characters of a path. */
  public static final int MAX_LENGTH = 64;

  private static final Pattern PATH = Pattern.compile("[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*");
  private static final Duration LIST_WAIT = Duration.ofSeconds(5);

  private final Treecast treecast;
  private final AgentConnection connection;
  private final ClientSettings settings;
  private final PendingCollectives pending;

  Groups(
      Treecast treecast,
      AgentConnection connection,
      ClientSettings settings,
      PendingCollectives pending) {
    this.treecast = treecast;
    this.connection = connection;
    this.settings = settings;
    this.pending = pending;
  }

  /**
   * Joins a group. Returns at once; {@link Group#joined} completes when a view contains this
   * member. The client joins again after a reconnect.
   *
   * @param path parts of a-z A-Z 0-9 . _ - with / between them, at most {@value #MAX_LENGTH}
   *     characters
   * @throws IllegalArgumentException if the path is invalid
   * @throws TreecastException {@code CLOSED} if the client is closed
   */
  public Group join(String path) {
    GroupViews views = new GroupViews();
    ReconnectingStream<?, ?> membership = follow(path, true, views);
    var unused = membership.ownDone().whenComplete((end, error) -> views.end(path, error));
    return new Group(this, path, "", membership, views);
  }

  /**
   * Watches a group without joining it. Returns at once. {@link Subscription#ready} completes with
   * the first view, which may be empty.
   *
   * @param path as in {@link #join}
   * @param handler called for one view at a time
   */
  public Subscription watch(String path, GroupHandler handler) {
    return follow(path, false, handler);
  }

  private ReconnectingStream<?, ?> follow(String path, boolean joins, GroupHandler handler) {
    if (path.length() > MAX_LENGTH || !PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          ("group path '%s'; allowed are parts of a-z A-Z 0-9 . _ - with / between them, at "
                  + "most %s characters")
              .formatted(path, MAX_LENGTH));
    }
    return treecast.followGroup(
        FollowGroupRequest.newBuilder().setPath(path).setJoin(joins).build(), handler);
  }

  /**
   * Returns the number of members of each group in the tree, by path; at most 1,000 groups, and
   * only those with members. Fails with {@code AGENT_UNREACHABLE} if the root of the tree does not
   * answer within 5 s.
   */
  public CompletableFuture<SortedMap<String, Integer>> list() {
    return PublicFuture.of(ownList());
  }

  /** Returns the list as the client's own future. */
  CompletableFuture<SortedMap<String, Integer>> ownList() {
    return AgentQuery.then(
        AgentQuery.ask(
            connection,
            GroupServiceGrpc.getListGroupsMethod(),
            ListGroupsRequest.getDefaultInstance(),
            LIST_WAIT,
            CallFailure::ofRead),
        answers -> {
          SortedMap<String, Integer> sizes = new TreeMap<>();
          for (ListedGroup group : answers.get(0).getGroupsList()) {
            sizes.put(group.getPath(), group.getMembers());
          }
          return Collections.unmodifiableSortedMap(sizes);
        });
  }

  Collectives collectives(OperationScope scope) {
    return new Collectives(settings, pending, PublicFuture::ofCall, scope);
  }

  BlockingCollectives blockingCollectives(OperationScope scope) {
    return new BlockingCollectives(
        new Collectives(settings, pending, CallFuture::own, scope), settings.agents());
  }

  CompletableFuture<BroadcastResult> broadcast(byte[] payload, BroadcastOptions options) {
    return treecast.broadcast(payload, options);
  }

  Subscription subscribe(SubscribeOptions options, MessageHandler handler) {
    return treecast.subscribe(options, handler);
  }
}
