package io.treecast.jobs;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.TreeView;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.client.WhenSlow;
import io.treecast.jobs.schedule.Announcement;
import io.treecast.jobs.schedule.Reply;
import io.treecast.jobs.schedule.Request;
import io.treecast.jobs.schedule.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one member. Announcements are broadcasts on the topic of the jobs. Requests and
 * replies are broadcasts on the topic of the receiving member, so that they cross only the edges
 * towards it. If the agent has no room for more topics, they are sent to all on the topic of the
 * jobs.
 */
final class JobWire<T, R> {
  /** The timeout of a request, shorter than the silence after which a member counts as lost. */
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = System.getLogger(Jobs.class.getName());

  private final Treecast treecast;
  private final String topic;
  private final JobCodec<T, R> codec;
  private final @Nullable UnaryOperator<String> siteOf;
  private final Consumer<Consumer<Scheduler<T, R>>> scheduler;
  private final Consumer<String> onEnd;
  private final AtomicLong sent = new AtomicLong();
  private final Map<Long, Pending<T, R>> pending = new ConcurrentHashMap<>();
  private final CompletableFuture<String> ready = new CompletableFuture<>();

  // Guarded by this.
  private @Nullable Subscription tree;
  private @Nullable Subscription messages;
  private String self = "";
  private boolean isClosed;

  /** A request without a reply. */
  private record Pending<T, R>(
      String member, Request<R> request, CompletableFuture<@Nullable Reply<T>> reply) {}

  /**
   * Creates the wire, which receives from {@link #open} on.
   *
   * @param scheduler calls the scheduler while no other thread does, unless the jobs are closed
   * @param onEnd receives the reason when a subscription has ended, after which this member cannot
   *     exchange tasks; also after {@link #close}, and more than once
   */
  JobWire(
      Treecast treecast,
      String topic,
      JobCodec<T, R> codec,
      @Nullable UnaryOperator<String> siteOf,
      Consumer<Consumer<Scheduler<T, R>>> scheduler,
      Consumer<String> onEnd) {
    this.treecast = treecast;
    this.topic = topic;
    this.codec = codec;
    this.siteOf = siteOf;
    this.scheduler = scheduler;
    this.onEnd = onEnd;
  }

  /**
   * Starts to receive. Completes with the node id of the agent once all members of its tree can
   * send to it.
   */
  CompletableFuture<String> open() {
    Subscription watch = treecast.watchTree(this::treeChanged);
    synchronized (this) {
      tree = watch;
    }
    var unused = watch.done().whenComplete((end, error) -> ended(error));
    return ready;
  }

  private void ended(@Nullable Throwable error) {
    notReady(error);
    onEnd.accept(error == null ? "its client was closed" : String.valueOf(error.getMessage()));
  }

  private void notReady(@Nullable Throwable error) {
    ready.completeExceptionally(
        error == null ? new JobFailedException("this member has left its jobs") : error);
  }

  private void treeChanged(TreeView view) {
    if (!view.hasTree()) {
      return; // Without a tree, the members of the last one stay valid.
    }
    subscribe(view.nodeId());
    SortedMap<String, String> sites = TreeSites.of(view);
    if (siteOf != null) {
      sites.replaceAll((member, site) -> String.valueOf(siteOf.apply(member)));
    }
    scheduler.accept(all -> all.present(view.nodeId(), sites, System.nanoTime()));
    for (Pending<T, R> each : pending.values()) {
      if (!sites.containsKey(each.member())) {
        each.reply().complete(null);
      }
    }
  }

  /**
   * Subscribes to the messages for this member; again after the client has switched to another
   * agent.
   */
  private void subscribe(String member) {
    Subscription last;
    Subscription next;
    synchronized (this) {
      if (isClosed || member.equals(self)) {
        return;
      }
      self = member;
      last = messages;
      next =
          treecast.subscribe(
              SubscribeOptions.defaults()
                  .withTopics(topic, topic + "/" + member)
                  .withWhenSlow(WhenSlow.CATCH_UP),
              this::received);
      messages = next;
    }
    if (last != null) {
      last.close();
    }
    var unused = next.ready().thenRun(() -> ready.complete(member));
    var unusedEnd =
        next.done()
            .whenComplete(
                (end, error) -> {
                  if (isCurrent(next)) { // Otherwise the client has switched to another agent.
                    ended(error);
                  }
                });
  }

  private synchronized boolean isCurrent(Subscription subscription) {
    return subscription.equals(messages);
  }

  /** Returns the node id of the agent; empty while it is unknown. */
  synchronized String self() {
    return self;
  }

  // ---- received

  private void received(Message message) {
    try {
      JobCodec.Envelope envelope = JobCodec.open(message.payload());
      if (envelope.kind() == JobCodec.ANNOUNCEMENT) {
        if (!message.origin().equals(self())) {
          Announcement announcement = JobCodec.announcement(envelope.body());
          scheduler.accept(all -> all.announced(message.origin(), announcement, System.nanoTime()));
        }
      } else if (!envelope.receiver().equals(self())) {
        return; // For another member: the sender had no topic left for it.
      } else if (envelope.kind() == JobCodec.REPLY) {
        Pending<T, R> request = pending.get(envelope.number());
        if (request != null && request.member().equals(message.origin())) {
          request.reply().complete(codec.reply(envelope.body()));
        }
      } else if (!isLate(message)) {
        answer(message.origin(), envelope.number(), codec.request(envelope.body()));
      }
    } catch (Exception e) {
      LOG.log(Level.WARNING, "ignored a message of " + message.origin() + " on topic " + topic, e);
    }
  }

  /** Returns whether the request has timed out at its sender, for example after a partition. */
  private static boolean isLate(Message message) {
    Instant publishedAt = message.publishedAt();
    return publishedAt != null && publishedAt.plus(TIMEOUT).isBefore(Instant.now());
  }

  private void answer(String from, long number, Request<R> request) {
    AtomicReference<Reply<T>> answer = new AtomicReference<>();
    scheduler.accept(all -> answer.set(all.answer(from, request, System.nanoTime())));
    Reply<T> reply = answer.get();
    if (reply == null || request instanceof Request.Join) {
      return; // The jobs are closed, or the request has no reply.
    }
    try {
      send(JobCodec.REPLY, from, number, codec.encode(reply));
    } catch (Exception e) {
      if (reply instanceof Reply.Lent<T> lent) {
        String error = "a task cannot be sent: " + e;
        scheduler.accept(all -> all.unsendable(lent.loan(), error));
      }
    }
  }

  // ---- sent

  void announce(Announcement announcement) {
    byte[] body = JobCodec.encode(announcement);
    publish(topic, JobCodec.seal(JobCodec.ANNOUNCEMENT, "", 0, body)).exceptionally(this::lost);
  }

  void request(String member, Request<R> request) {
    byte[] body;
    try {
      body = codec.encode(request);
    } catch (Exception e) {
      if (request instanceof Request.Deliver<R> delivery) {
        String error = "a result cannot be sent: " + e;
        scheduler.accept(all -> all.unsendable(delivery.loan(), error));
      }
      return;
    }
    long number = sent.incrementAndGet();
    if (!(request instanceof Request.Join)) {
      await(number, member, request);
    }
    send(JobCodec.REQUEST, member, number, body);
  }

  private void await(long number, String member, Request<R> request) {
    CompletableFuture<@Nullable Reply<T>> reply = new CompletableFuture<>();
    pending.put(number, new Pending<>(member, request, reply));
    var unused =
        reply
            .completeOnTimeout(null, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .thenAccept(
                answer -> {
                  pending.remove(number);
                  scheduler.accept(all -> all.answered(member, request, answer, System.nanoTime()));
                });
  }

  private void send(int kind, String member, long number, byte[] body) {
    byte[] payload = JobCodec.seal(kind, member, number, body);
    var unused =
        publish(topic + "/" + member, payload)
            .exceptionallyCompose(
                error ->
                    isRefused(error)
                        ? publish(topic, payload)
                        : CompletableFuture.failedFuture(error))
            .exceptionally(this::lost);
  }

  private CompletableFuture<BroadcastResult> publish(String to, byte[] payload) {
    return treecast.broadcast(payload, BroadcastOptions.defaults().withTopic(to).withWait(TIMEOUT));
  }

  private static boolean isRefused(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof TreecastException failure && failure.reason() == Reason.REFUSED;
  }

  /** Logs a message that was not sent. Announcements are repeated, and requests time out. */
  private @Nullable BroadcastResult lost(Throwable error) {
    LOG.log(Level.DEBUG, "a message on topic " + topic + " was not sent", error);
    return null;
  }

  void close() {
    Subscription lastTree;
    Subscription lastMessages;
    synchronized (this) {
      isClosed = true;
      lastTree = tree;
      lastMessages = messages;
    }
    notReady(null);
    if (lastTree != null) {
      lastTree.close();
    }
    if (lastMessages != null) {
      lastMessages.close();
    }
  }
}
