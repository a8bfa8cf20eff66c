package io.treecast.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.client.Reply.Outcome;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.ReplyPayload;
import io.treecast.proto.v1.RequestPayload;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the applications of other members, and their replies. A request and its reply are
 * messages on topics of their own, so they follow the tree, wait for its repair, and arrive at most
 * once.
 *
 * <pre>{@code
 * treecast.requests().serve("version", request -> "2.1".getBytes(UTF_8));        // at h7
 * treecast.requests().request("h7", "version", new byte[0], Duration.ofSeconds(5))
 *     .thenAccept(reply -> System.out.println(reply.text()));
 * }</pre>
 *
 * <p>A handler receives each request once at most. A request without an answer may have been
 * handled; {@link Reply.Outcome} says what is known. Requests of one client to one member that wait
 * for each other are handled in that order; others in any order.
 *
 * <p>Safe for use by several threads.
 */
public final class Requests {
  /** The most requests of a client that may wait for replies. */
  public static final int MAX_PENDING = 10_000;

  /** The longest time for a reply. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  /** The largest name of a service, in bytes of UTF-8. */
  public static final int MAX_SERVICE_BYTES = 100;

  static final String REPLY_TOPIC = "reply";

  /** Prefix of the topics on which agents let replies wait for each other. */
  private static final String SHARED_REPLIES = REPLY_TOPIC + "/shared/";

  private final Treecast treecast;
  private final UnwantedTopics unwanted;
  private final String replyTopic;
  private final String sharedReplyTopic;
  private final TopicBudget topics = new TopicBudget();
  private final AtomicLong sent = new AtomicLong();
  private final Map<String, PendingRequest> pending = new ConcurrentHashMap<>();

  // Guarded by this.
  private @Nullable TreeMembers members;
  private @Nullable Subscription replies;

  Requests(Treecast treecast, AgentConnection connection) {
    this.treecast = treecast;
    this.unwanted = new UnwantedTopics(connection);
    String name = RetryToken.create().toString();
    this.replyTopic = REPLY_TOPIC + "/" + name;
    this.sharedReplyTopic = SHARED_REPLIES + name;
  }

  /**
   * Sends a request to one member.
   *
   * @param member the node id of its agent
   * @param service the name under which an application at that member {@linkplain #serve serves}
   * @param payload the bytes to send; copied
   * @param timeout how long to wait for the reply, from a millisecond to {@link #MAX_TIMEOUT}
   * @return the outcome; fails as {@link Treecast#broadcast(byte[], BroadcastOptions)} does if the
   *     request was not sent, and with {@code BUFFER_FULL} if too many requests wait
   * @throws IllegalArgumentException if the name or the timeout is not allowed
   */
  public CompletableFuture<Reply> request(
      String member, String service, byte[] payload, Duration timeout) {
    return given(one(member, service, payload, timeout));
  }

  /**
   * Sends a request to several members at once.
   *
   * @param receivers node ids of their agents
   * @return the outcome at each receiver, by its node id; otherwise as {@link #request}
   */
  public CompletableFuture<Map<String, Reply>> requestEach(
      Collection<String> receivers, String service, byte[] payload, Duration timeout) {
    SortedSet<String> copy = new TreeSet<>(receivers);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("a request needs at least one receiver");
    }
    return given(send(service, payload, timeout, members -> copy));
  }

  /**
   * Sends a request to the members that fulfil a selector when it is sent.
   *
   * @return the outcome at each of them, by its node id; empty if there are none; otherwise as
   *     {@link #request}, and as {@link Members#list}
   */
  public CompletableFuture<Map<String, Reply>> requestEach(
      Selector selector, String service, byte[] payload, Duration timeout) {
    byte[] copy = payload.clone();
    checked(service);
    long millis = checkedMillis(timeout);
    long sinceNanos = System.nanoTime();
    return given(
        treecast
            .holding(
                copy,
                () ->
                    treecast.members().ownSelect(selector).orTimeout(millis, TimeUnit.MILLISECONDS))
            .thenCompose(
                selected -> {
                  SortedSet<String> ids = new TreeSet<>();
                  selected.forEach(member -> ids.add(member.id()));
                  return ids.isEmpty()
                      ? CompletableFuture.completedFuture(Map.of())
                      : send(service, copy, left(timeout, sinceNanos), members -> ids);
                }));
  }

  /**
   * Sends a request to all members of the tree, this one included.
   *
   * @return the outcome at each member, by its node id; otherwise as {@link #request}
   */
  public CompletableFuture<Map<String, Reply>> requestAll(
      String service, byte[] payload, Duration timeout) {
    return given(send(service, payload, timeout, members -> members));
  }

  /**
   * Sends a request to the first of several members, and to the next one each time that a member is
   * absent, leaves the tree or does not answer. Then more than one of them may have handled it. A
   * member whose handler fails has answered.
   *
   * @param candidates node ids of their agents, in the order in which they are asked
   * @param timeout for each of them
   * @return the first answer, or the outcome at the last candidate; otherwise as {@link #request}
   */
  public CompletableFuture<Reply> requestAny(
      List<String> candidates, String service, byte[] payload, Duration timeout) {
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("a request needs at least one candidate");
    }
    return given(oneAfterTheOther(new ArrayDeque<>(candidates), service, payload.clone(), timeout));
  }

  /** Returns the caller's future of a result, with the exception that was the cause. */
  private <T> CompletableFuture<T> given(CompletableFuture<T> result) {
    CompletableFuture<T> own = new CompletableFuture<>();
    var unused =
        result.whenComplete(
            (value, error) -> {
              if (error == null) {
                own.complete(value);
              } else {
                own.completeExceptionally(cause(error));
              }
            });
    return PublicFuture.ofCall(own);
  }

  private Throwable cause(Throwable error) {
    return treecast.failureBeforeSending(error);
  }

  private CompletableFuture<Reply> one(
      String member, String service, byte[] payload, Duration timeout) {
    SortedSet<String> receiver = new TreeSet<>(List.of(member));
    return send(service, payload, timeout, members -> receiver)
        .thenApply(all -> Objects.requireNonNull(all.get(member)));
  }

  private CompletableFuture<Reply> oneAfterTheOther(
      ArrayDeque<String> candidates, String service, byte[] payload, Duration timeout) {
    return one(candidates.remove(), service, payload, timeout)
        .thenCompose(
            reply ->
                candidates.isEmpty()
                        || reply.outcome() == Outcome.ANSWERED
                        || reply.outcome() == Outcome.FAILED
                    ? CompletableFuture.completedFuture(reply)
                    : oneAfterTheOther(candidates, service, payload, timeout));
  }

  /**
   * Answers the requests of a service that come to this member, until the subscription is closed.
   * Servers that are slow do not slow requesters: their requests end without an answer.
   *
   * <p>One program at each member serves a name. If several do, each receives each request, and the
   * requester gets the first answer.
   *
   * @param service its name, 1 to {@link #MAX_SERVICE_BYTES} bytes of UTF-8, without control
   *     characters and slashes
   * @param handler answers one request at a time
   * @return a subscription that is {@linkplain Subscription#ready ready} when requests of all
   *     members of the tree arrive
   * @throws IllegalArgumentException if the name is not allowed
   */
  public Subscription serve(String service, RequestHandler handler) {
    return new RequestServer(
        treecast, this, members(), checked(service), Objects.requireNonNull(handler, "handler"));
  }

  private static String checked(String service) {
    if (service.isEmpty() || service.contains("/")) {
      throw new IllegalArgumentException(
          "'" + service + "' is not the name of a service: it is empty or contains a slash");
    }
    int bytes = ByteString.copyFromUtf8(TopicName.checked(service)).size();
    if (bytes > MAX_SERVICE_BYTES) {
      throw new IllegalArgumentException(
          "the name of a service has " + bytes + " bytes; allowed are " + MAX_SERVICE_BYTES);
    }
    return service;
  }

  /** Returns the topic of requests to one member, or to several if it is null. */
  static String topic(String service, @Nullable String member) {
    return "request/" + service + (member == null ? "" : "/" + member);
  }

  /** Returns whether a client may have made the request, by the topic of its reply and its time. */
  static boolean isFromClient(RequestPayload request) {
    String topic = request.getReplyTopic();
    return (topic.equals(REPLY_TOPIC) || topic.startsWith(REPLY_TOPIC + "/"))
        && TopicName.isAllowed(topic)
        && request.getTimeoutMillis() >= 1
        && request.getTimeoutMillis() <= MAX_TIMEOUT.toMillis();
  }

  private synchronized TreeMembers members() {
    if (members == null || members.isOver()) {
      members = new TreeMembers(treecast);
      members.onChange(this::treeChanged);
    }
    return members;
  }

  private void treeChanged() {
    SortedSet<String> present = members().latest().all();
    if (!present.isEmpty()) {
      pending.values().forEach(request -> request.treeChanged(present));
    }
  }

  private synchronized Subscription replies() {
    if (replies == null || replies.done().isDone()) {
      SubscribeOptions options =
          SubscribeOptions.defaults()
              .withTopics(replyTopic, sharedReplyTopic, REPLY_TOPIC)
              .withWhenSlow(WhenSlow.CATCH_UP);
      replies = treecast.subscribe(options, this::replied);
    }
    return replies;
  }

  private void replied(Message message) {
    ReplyPayload reply;
    try {
      reply = ReplyPayload.parseFrom(message.payload());
    } catch (InvalidProtocolBufferException e) {
      return; // Another program uses the topic.
    }
    PendingRequest request = pending.get(reply.getId());
    if (request != null) {
      boolean isAnswer = reply.hasPayload();
      request.replied(
          new Reply(
              message.origin(),
              isAnswer ? Outcome.ANSWERED : Outcome.FAILED,
              reply.getPayload().toByteArray(),
              reply.getError()));
    }
  }

  private CompletableFuture<Map<String, Reply>> send(
      String service,
      byte[] payload,
      Duration timeout,
      UnaryOperator<SortedSet<String>> receivers) {
    RequestPayload.Builder request =
        RequestPayload.newBuilder()
            .setId(replyTopic + "-" + sent.incrementAndGet())
            .setTimeoutMillis(checkedMillis(timeout))
            .setPayload(ByteString.copyFrom(payload));
    checked(service);
    long sinceNanos = System.nanoTime();
    return treecast
        .holding(
            payload,
            () ->
                replies()
                    .ready()
                    .thenCombine(members().first(), (id, first) -> members().latest().all())
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS))
        .thenCompose(
            present -> {
              Duration left = timeout.minusNanos(System.nanoTime() - sinceNanos);
              return send(service, request, receivers.apply(present), present, left);
            });
  }

  /** Returns the rest of a timeout, at least a millisecond. */
  private static Duration left(Duration timeout, long sinceNanos) {
    Duration left = timeout.minusNanos(System.nanoTime() - sinceNanos);
    return left.toMillis() < 1 ? Duration.ofMillis(1) : left;
  }

  private static long checkedMillis(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "the timeout of a request is " + timeout + "; allowed are 1 ms to " + MAX_TIMEOUT);
    }
    return timeout.toMillis();
  }

  private CompletableFuture<Map<String, Reply>> send(
      String service,
      RequestPayload.Builder request,
      SortedSet<String> receivers,
      SortedSet<String> present,
      Duration left) {
    PendingRequest sentOne = new PendingRequest(receivers, present, treecast.counts()::requested);
    SortedSet<String> awaited = sentOne.awaited();
    if (awaited.isEmpty()) {
      return sentOne.replies();
    }
    if (pending.size() >= MAX_PENDING) {
      throw new TreecastException(
          Reason.BUFFER_FULL,
          MAX_PENDING + " requests of this client wait for replies; wait for some of them first");
    }
    String id = request.getId();
    pending.put(id, sentOne);
    treeChanged();
    byte[] bytes =
        request
            .addAllReceivers(awaited)
            .setReplyTopic(awaited.size() == 1 ? replyTopic : sharedReplyTopic)
            .build()
            .toByteArray();
    String toAll = topic(service, null);
    String toThem =
        awaited.size() == 1 ? topic(service, awaited.first()) : TopicName.to(awaited, toAll);
    boolean isToSome = !awaited.equals(present) && TopicName.isAllowed(toThem);
    var unused =
        publish(isToSome ? List.of(toThem, toAll) : List.of(toAll), bytes, left)
            .whenComplete(
                (result, error) -> {
                  if (error == null) {
                    unwanted.find(
                        sentOne::awaited, each -> topic(service, each), sentOne::withoutServer);
                  } else if (!mayBeSent(cause(error))) {
                    sentOne.replies().completeExceptionally(cause(error));
                  }
                });
    // Completed with the request, so that no timer outlives it.
    CompletableFuture<@Nullable Void> time = new CompletableFuture<>();
    var unusedToo =
        time.completeOnTimeout(null, Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)
            .thenRun(sentOne::expire);
    return sentOne
        .replies()
        .whenComplete(
            (all, error) -> {
              pending.remove(id);
              time.complete(null);
            });
  }

  private static boolean mayBeSent(Throwable error) {
    return error instanceof TreecastException failure && failure.reason() == Reason.OUTCOME_UNKNOWN;
  }

  /**
   * Publishes on the first of these topics; on the next one if the client uses many topics, or if
   * the agent refuses a further one. Each leads to more members than the one before.
   */
  private CompletableFuture<BroadcastResult> publish(
      List<String> candidates, byte[] payload, Duration wait) {
    BroadcastOptions options =
        BroadcastOptions.defaults().withWait(wait.isNegative() ? Duration.ZERO : wait);
    return publish(candidates, payload, options);
  }

  private CompletableFuture<BroadcastResult> publish(
      List<String> candidates, byte[] payload, BroadcastOptions options) {
    List<String> usable = topics.usable(candidates, System.nanoTime());
    CompletableFuture<BroadcastResult> published =
        treecast.ownBroadcast(payload, options.withTopic(usable.get(0)));
    return usable.size() == 1
        ? published
        : published.exceptionallyCompose(
            error ->
                isRefused(cause(error))
                    ? publish(usable.subList(1, usable.size()), payload, options)
                    : published);
  }

  private static boolean isRefused(Throwable error) {
    return error instanceof TreecastException failure && failure.reason() == Reason.REFUSED;
  }

  /**
   * Sends a reply, and waits until the agent has accepted it, so that replies do not accumulate in
   * this client. The requester notices if it does not come.
   *
   * @param member the one whose agent the requester uses
   */
  void reply(String member, String replyTopic, ReplyPayload reply, Duration wait) {
    String toMember = TopicName.to(List.of(member), REPLY_TOPIC);
    try {
      publish(List.of(replyTopic, toMember, REPLY_TOPIC), reply.toByteArray(), wait).join();
    } catch (CompletionException e) {
      if (reply.hasPayload() && isTooLarge(cause(e))) {
        reply(member, replyTopic, reply.toBuilder().setError(cause(e).toString()).build(), wait);
      } else if (!isClosed(cause(e))) {
        ReconnectingStream.LOG.log(
            Level.WARNING, "the reply " + reply.getId() + " was not sent", cause(e));
      }
    }
  }

  /** Fails all requests that wait for replies, because the client is closed. */
  void close(TreecastException why) {
    pending.values().forEach(request -> request.replies().completeExceptionally(why.rethrown()));
  }

  private static boolean isTooLarge(Throwable error) {
    return error instanceof TreecastException failure
        && failure.reason() == Reason.PAYLOAD_TOO_LARGE;
  }

  private static boolean isClosed(Throwable error) {
    return error instanceof TreecastException failure && failure.reason() == Reason.CLOSED;
  }
}
