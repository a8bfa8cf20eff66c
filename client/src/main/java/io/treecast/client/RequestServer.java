package io.treecast.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.ReplyPayload;
import io.treecast.proto.v1.RequestPayload;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of one service. It subscribes to the requests to several members, and, as
 * soon as the agent has said who it is, to those to this member alone; again if the client goes to
 * another agent.
 */
final class RequestServer implements Subscription {
  private final Treecast treecast;
  private final Requests requests;
  private final TreeMembers members;
  private final String service;
  private final RequestHandler handler;
  private final Runnable listener = this::followMember;
  private final Subscription toSeveral;
  private final Object turn = new Object();
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final SharedFuture<String> readyForAll = SharedFuture.of(ready);
  private final SharedFuture<@Nullable Void> doneForAll = SharedFuture.of(done);

  // Guarded by this.
  private @Nullable Subscription toMember;
  private String member = "";
  private boolean isClosed;

  /** The requests whose replies the agent has not accepted yet. */
  private int unanswered;

  /** The reason why it has ended by itself. */
  private @Nullable Throwable failure;

  RequestServer(
      Treecast treecast,
      Requests requests,
      TreeMembers members,
      String service,
      RequestHandler handler) {
    this.treecast = treecast;
    this.requests = requests;
    this.members = members;
    this.service = service;
    this.handler = handler;
    this.toSeveral = subscribe(Requests.topic(service, null));
    members.onChange(listener);
    followMember();
    var unused = members.first().whenComplete((first, error) -> partEnded(error));
    var unusedToo =
        toSeveral
            .done()
            .whenComplete(
                (end, error) -> {
                  partEnded(error);
                  ended();
                });
  }

  /** Ends the server if a part of it has failed, except by the close of the client. */
  private void partEnded(@Nullable Throwable error) {
    if (error == null
        || (error instanceof TreecastException why && why.reason() == Reason.CLOSED)) {
      return;
    }
    synchronized (this) {
      failure = failure == null ? error : failure;
    }
    close();
  }

  /** The other subscription may still be answering a request. */
  private void ended() {
    close();
    Subscription other;
    synchronized (this) {
      other = toMember;
    }
    CompletableFuture<?> last =
        other == null ? CompletableFuture.completedFuture(null) : other.done();
    var unused = last.whenComplete((end, error) -> end());
  }

  private void end() {
    Throwable error;
    synchronized (this) {
      error = failure;
    }
    if (error == null) {
      ready.completeExceptionally(
          new TreecastException(Reason.CLOSED, "the server of '" + service + "' was closed"));
      done.complete(null);
    } else {
      ready.completeExceptionally(error);
      done.completeExceptionally(error);
    }
  }

  private Subscription subscribe(String topic) {
    return treecast.subscribe(
        SubscribeOptions.defaults().withTopics(topic).withWhenSlow(WhenSlow.CATCH_UP),
        this::received);
  }

  private void followMember() {
    String present = members.latest().self();
    Subscription left;
    Subscription opened;
    synchronized (this) {
      if (isClosed || present.isEmpty() || present.equals(member)) {
        return;
      }
      member = present;
      left = toMember;
      opened = subscribe(Requests.topic(service, present));
      toMember = opened;
    }
    if (left != null) {
      left.close();
    }
    var unused =
        opened.ready().thenCombine(toSeveral.ready(), (id, same) -> ready.complete(present));
    var unusedToo =
        opened
            .done()
            .whenComplete(
                (end, error) -> {
                  if (isPresent(opened)) {
                    partEnded(error);
                  }
                });
  }

  private synchronized boolean isPresent(Subscription opened) {
    return toMember == opened;
  }

  private void received(Message message) {
    RequestPayload request;
    try {
      request = RequestPayload.parseFrom(message.payload());
    } catch (InvalidProtocolBufferException e) {
      return; // Another program uses the topic.
    }
    if (!Requests.isFromClient(request)) {
      return; // Its reply must not go to a topic of others, nor end this server.
    }
    Duration timeout = Duration.ofMillis(request.getTimeoutMillis());
    Instant publishedAt = message.publishedAt();
    if (request.getReceiversList().contains(members.latest().self())
        && (publishedAt == null || publishedAt.plus(timeout).isAfter(Instant.now()))) {
      reply(request, message.origin(), timeout);
    }
  }

  private void reply(RequestPayload request, String from, Duration timeout) {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      unanswered++;
    }
    try {
      requests.reply(from, request.getReplyTopic(), answer(request, from), timeout);
    } finally {
      boolean isLast;
      synchronized (this) {
        unanswered--;
        isLast = isClosed && unanswered == 0;
      }
      if (isLast) {
        unsubscribe();
      }
    }
  }

  /** Two subscriptions call it, one request at a time. */
  private ReplyPayload answer(RequestPayload request, String from) {
    ReplyPayload.Builder reply = ReplyPayload.newBuilder().setId(request.getId());
    try {
      byte[] answer;
      synchronized (turn) {
        answer = handler.answer(new Request(from, service, request.getPayload().toByteArray()));
      }
      return reply.setPayload(ByteString.copyFrom(answer)).build();
    } catch (Exception e) {
      return reply.setError(e.toString()).build();
    } finally {
      treecast.counts().served();
    }
  }

  @Override
  public CompletableFuture<String> ready() {
    return readyForAll.given();
  }

  @Override
  public CompletableFuture<@Nullable Void> done() {
    return doneForAll.given();
  }

  /**
   * Takes no further requests. The subscriptions end with the last reply: without them, a requester
   * that waits for a reply would receive {@code NO_SERVER}.
   */
  @Override
  public void close() {
    members.removeListener(listener);
    synchronized (this) {
      isClosed = true;
      if (unanswered > 0) {
        return;
      }
    }
    unsubscribe();
  }

  private void unsubscribe() {
    Subscription last;
    synchronized (this) {
      last = toMember;
    }
    if (last != null) {
      last.close();
    }
    toSeveral.close();
  }
}
