package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.publish.ClientShares;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.SlowReader;
import io.treecast.agent.transport.frame.SubscriberEvents;
import io.treecast.agent.wire.DeliveredChunk;
import io.treecast.agent.wire.SubscriptionCodec;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.AbandonedMessage;
import io.treecast.proto.v1.Subscribed;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.SubscriptionLive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The applications that subscribe at this agent. An event counts as consumed at once if gRPC has
 * room for it, and otherwise when the stream is ready again. So a subscriber that does not read
 * holds at most its window, and slows its publishers.
 */
public final class Subscribers {
  private static final class Stream {
    final Caller caller;
    final SubscribeOptions options;
    final String client;
    final Set<String> topics;
    final ServerCallStreamObserver<SubscriberEvents> out;
    final SlowReader reader;
    long unconsumedBytes;

    /** Whether the subscriber has received all messages from before its subscription. */
    boolean isLive;

    /**
     * Events that the loop will send in one gRPC message, since each such message has a fixed cost.
     */
    final List<Object> unsent = new ArrayList<>();

    long unsentBytes;

    /** Whether a task that sends them and checks for room is queued on the loop. */
    boolean sendsSoon;

    Stream(
        Caller caller,
        SubscribeOptions options,
        String client,
        Set<String> topics,
        ServerCallStreamObserver<SubscriberEvents> out,
        SlowReader reader) {
      this.caller = caller;
      this.options = options;
      this.client = client;
      this.topics = topics;
      this.out = out;
      this.reader = reader;
    }

    void sendNow() {
      if (!unsent.isEmpty()) {
        out.onNext(new SubscriberEvents(unsent));
        unsent.clear();
        unsentBytes = 0;
      }
    }
  }

  /** The limit of a batch; a larger one has a single event. */
  private static final long BATCH_BYTES = 64 << 10;

  /** The bytes that an event counts beside its payload. */
  private static final long EVENT_BYTES = 64;

  /** The maximum number of topics named in a report. */
  private static final int MAX_NAMED = 3;

  private final NodeId self;
  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final Consumer<Notice> notices;
  private final Map<Long, Stream> streams = new HashMap<>();
  private final int maxTopics;
  private final ClientShares shares;

  /** The time of the next check for slow readers; {@link Long#MAX_VALUE} if there are none. */
  private long nextLookNanos = Long.MAX_VALUE;

  private long lastNumber;
  private @Nullable StatusException ended;

  /**
   * Creates an instance without subscribers.
   *
   * @param limits of the agent: how many may subscribe, and to how many topics
   * @param notices receives reports of subscribers that keep publishers waiting
   */
  Subscribers(
      NodeId self,
      Supplier<AgentCore> core,
      EventLoop loop,
      BroadcastLimits limits,
      Consumer<Notice> notices) {
    this.maxTopics = limits.topics();
    this.shares = new ClientShares(limits.subscribers());
    this.self = self;
    this.core = core;
    this.loop = loop;
    this.notices = notices;
  }

  /** Returns the time at which {@link #tick} must be called. */
  public long nextDeadlineNanos() {
    return nextLookNanos;
  }

  /** Reports subscribers that keep publishers waiting. */
  public void tick(long nowNanos) {
    if (nowNanos < nextLookNanos) {
      return;
    }
    nextLookNanos = Long.MAX_VALUE;
    for (Stream stream : streams.values()) {
      report(stream.reader.look(nowNanos));
      nextLookNanos = Math.min(nextLookNanos, stream.reader.nextLookNanos());
    }
  }

  private void report(@Nullable Notice notice) {
    if (notice != null) {
      notices.accept(notice);
    }
  }

  /**
   * Adds a subscription, after the handlers of its call were set.
   *
   * @param caller the caller, whose permissions apply
   * @param client the client's name
   * @param address the client's address, for people
   */
  long add(
      Caller caller,
      String client,
      String address,
      SubscribeOptions options,
      ServerCallStreamObserver<SubscriberEvents> out) {
    long number = ++lastNumber;
    if (ended != null) {
      out.onError(ended);
      return number;
    }
    Set<String> topics = new TreeSet<>(options.topics());
    topics.remove(Topic.DEFAULT);
    try {
      Refusals.requirePermission(caller, Action.SUBSCRIBE, options.topics());
    } catch (StatusException refusal) {
      out.onError(refusal);
      return number;
    }
    if (shares.exceedsFairShare(client)) {
      String why = shares.refusalReason(client, "limits.subscribers", "subscriptions");
      out.onError(Refusals.of(Reason.TOO_MANY_SUBSCRIBERS, why));
      return number;
    }
    String tooManyTopics = whyTooManyTopics(client, topics);
    if (tooManyTopics != null) {
      out.onError(Refusals.of(Reason.TOO_MANY_TOPICS, tooManyTopics));
      return number;
    }
    // The first events may arrive within this call.
    boolean keepsPublishersWaiting = options.whenSlow() == WhenSlow.SLOW_PUBLISHER;
    streams.put(
        number,
        new Stream(
            caller,
            options,
            client,
            topics,
            out,
            new SlowReader(name(address, options.topics()), keepsPublishersWaiting)));
    shares.add(client, 1);
    try {
      core.get().subscribe(number, options);
    } catch (BroadcastRefusedException refused) {
      streams.remove(number);
      shares.remove(client, 1);
      out.onError(Refusals.of(refused));
    }
    return number;
  }

  /**
   * Returns why a client may not subscribe to these topics as well, so that some remain for others;
   * null if it may.
   */
  private @Nullable String whyTooManyTopics(String client, Set<String> topics) {
    Set<String> ofAll = new TreeSet<>();
    Set<String> own = new TreeSet<>(topics);
    for (Stream stream : streams.values()) {
      ofAll.addAll(stream.topics);
      if (stream.client.equals(client)) {
        own.addAll(stream.topics);
      }
    }
    if (ofAll.containsAll(topics)) {
      return null; // No topic is new to the agent.
    }
    ofAll.addAll(topics);
    return own.size() == 1 || ofAll.size() > maxTopics || own.size() <= maxTopics - ofAll.size()
        ? null // The core checks the limit itself.
        : ("this client would have %s of limits.topics = %s topics, and all clients "
                + "together %s: a client must leave others as many topics as it has; end "
                + "subscriptions to other topics first, or raise the limit of this agent")
            .formatted(own.size(), maxTopics, ofAll.size());
  }

  private static String name(String client, Collection<String> topics) {
    String names =
        topics.stream()
            .limit(MAX_NAMED)
            .map(topic -> topic.isEmpty() ? "the default topic" : topic)
            .collect(Collectors.joining(", "));
    return "the subscriber of %s%s at %s"
        .formatted(names, topics.size() > MAX_NAMED ? ", ..." : "", client);
  }

  void remove(long number) {
    Stream stream = streams.remove(number);
    if (stream != null) {
      shares.remove(stream.client, 1);
      report(stream.reader.gone(loop.nowNanos()));
      core.get().unsubscribe(number, loop.nowNanos());
    }
  }

  /** Ends the streams that are no longer permitted. */
  void permissionsChanged() {
    Map.copyOf(streams)
        .forEach(
            (number, stream) -> {
              try {
                Refusals.requirePermission(
                    stream.caller, Action.SUBSCRIBE, stream.options.topics());
              } catch (StatusException refusal) {
                remove(number);
                stream.sendNow();
                stream.out.onError(refusal);
              }
            });
  }

  /** Ends all streams because the agent shuts down; later subscriptions are refused. */
  void end() {
    StatusException reason = Refusals.shuttingDown();
    ended = reason;
    streams
        .values()
        .forEach(
            stream -> {
              stream.sendNow();
              stream.out.onError(reason);
            });
    streams.clear();
  }

  /**
   * Delivers a chunk. Returns whether the subscriber exists and has received all messages from
   * before its subscription.
   */
  public boolean deliver(long number, Chunk chunk, @Nullable OrderPosition position) {
    long unixMillis = 0;
    if (chunk.publishedNanos() != 0) {
      long ageMillis = TimeUnit.NANOSECONDS.toMillis(loop.nowNanos() - chunk.publishedNanos());
      unixMillis = System.currentTimeMillis() - ageMillis;
    }
    Stream stream = streams.get(number);
    if (stream == null) {
      return false;
    }
    send(number, stream, new DeliveredChunk(chunk, unixMillis, position), chunk.cost());
    return stream.isLive;
  }

  /** Confirms the subscription; precedes all other events. */
  public void began(long number, List<MessageId> after) {
    send(
        number,
        SubscriptionEvent.newBuilder()
            .setSubscribed(Subscribed.newBuilder().setNodeId(self.toString())),
        0);
    send(number, SubscriptionEvent.newBuilder().setBegan(SubscriptionCodec.encode(after)), 0);
  }

  /** Reports that publishers no longer wait for a subscriber. */
  public void fellBehind(long number) {
    Stream stream = streams.get(number);
    if (stream != null) {
      notices.accept(stream.reader.fellBehind(loop.nowNanos()));
    }
  }

  public void live(long number) {
    Stream stream = streams.get(number);
    if (stream != null) {
      stream.isLive = true;
    }
    send(number, SubscriptionEvent.newBuilder().setLive(SubscriptionLive.getDefaultInstance()), 0);
  }

  public void missed(long number, Gap gap, MissedReason reason) {
    send(
        number,
        SubscriptionEvent.newBuilder().setMissed(SubscriptionCodec.encode(gap, reason)),
        gap.cost());
  }

  public void abandoned(long number, MessageId message) {
    send(
        number,
        SubscriptionEvent.newBuilder()
            .setAbandoned(AbandonedMessage.newBuilder().setMessageId(ValueCodec.encode(message))),
        0);
  }

  private void send(long number, SubscriptionEvent.Builder event, long bytes) {
    Stream stream = streams.get(number);
    if (stream != null) {
      send(number, stream, event.build(), bytes);
    }
  }

  /** Sends a {@link DeliveredChunk} or a {@link SubscriptionEvent}. */
  private void send(long number, Stream stream, Object event, long bytes) {
    long eventBytes = bytes + EVENT_BYTES;
    if (stream.unsentBytes + eventBytes > BATCH_BYTES) {
      stream.sendNow();
    }
    stream.unsent.add(event);
    stream.unsentBytes += eventBytes;
    stream.unconsumedBytes += bytes;
    // Sent in a later task, because the core is still processing the event that delivers.
    if (!stream.sendsSoon) {
      stream.sendsSoon = true;
      loop.execute(
          () -> {
            stream.sendsSoon = false;
            stream.sendNow();
            ready(number);
          });
    }
  }

  /** Notes that the stream may have room again. */
  void ready(long number) {
    Stream stream = streams.get(number);
    if (stream == null || stream.unconsumedBytes == 0 || stream.sendsSoon) {
      return;
    }
    if (stream.out.isReady()) {
      report(stream.reader.takes(loop.nowNanos()));
      long bytes = stream.unconsumedBytes;
      stream.unconsumedBytes = 0;
      core.get().consumed(number, bytes, loop.nowNanos());
    } else {
      stream.reader.waits(loop.nowNanos());
      nextLookNanos = Math.min(nextLookNanos, stream.reader.nextLookNanos());
    }
  }
}
