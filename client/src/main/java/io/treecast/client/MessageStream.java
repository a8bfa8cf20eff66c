package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.SubscriptionBegan;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.TreecastServiceGrpc;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to messages: assembles chunks and hands messages to the handler, whole or, if they
 * are large, chunk by chunk. After an interruption, the next call begins after the messages that
 * the handler has finished.
 */
final class MessageStream extends ReconnectingStream<SubscribeRequest, SubscribeResponse> {
  private final SubscribeOptions options;
  private final ClientCounts counts;
  private final MessageHandler handler;
  private final MessageAssembler assembler;
  private final LossWarnings losses;

  /**
   * The agent that has confirmed the present call, until it has reported the beginning of the
   * stream. For the handler's thread.
   */
  private @Nullable String confirmedBy;

  /** The messages that the handler has finished. For its thread. */
  private final FinishedMessages finished = new FinishedMessages(Positions.MOST_STREAMS);

  /**
   * Streams that threads of the application read. If such a thread stops reading, the handler's
   * thread waits for it.
   */
  private final Set<PayloadInputStream> read = ConcurrentHashMap.newKeySet();

  /** The positions after which the next call begins; null for those of the first call. */
  private volatile @Nullable Positions resumeAfter;

  MessageStream(
      AgentConnection connection,
      ClientSettings settings,
      ClientCounts counts,
      SubscribeOptions options,
      MessageHandler handler,
      Executor executor,
      Consumer<Subscription> onEnd) {
    super(
        connection,
        TreecastServiceGrpc.getSubscribeMethod(),
        handler,
        executor,
        connection.newBackoff(),
        onEnd);
    this.options = options;
    this.counts = counts;
    this.losses = LossWarnings.of(options.topics(), settings.agents());
    this.handler = handler;
    this.assembler =
        new MessageAssembler(
            settings.maxAssemblyBytes(), settings.maxMessageBytes(), new Application());
    onClose(() -> read.forEach(this::release));
  }

  private void release(PayloadInputStream stream) {
    stream.failed(new TreecastException(Reason.CLOSED, "the subscription was closed"));
  }

  @Override
  SubscribeRequest request() {
    Positions resume = resumeAfter;
    return ToWire.subscribeRequest(
        resume == null ? options : options.withStart(new SubscriptionStart.After(resume)));
  }

  @Override
  TreecastException unanswered(String asked, @Nullable String moreTime) {
    return new TreecastException(
        Reason.NO_TREE,
        asked
            + ", and has no tree yet, or not all members of its tree have answered: "
            + Remedies.anyOf(moreTime, "bring the members up"));
  }

  @Override
  void accept(SubscribeResponse response) {
    for (SubscriptionEvent event : response.getEventsList()) {
      if (isStopping()) {
        return;
      }
      accept(event);
    }
  }

  private void accept(SubscriptionEvent event) {
    if (event.hasSubscribed()) {
      confirmedBy = event.getSubscribed().getNodeId();
    } else if (event.hasBegan()) {
      begin(event.getBegan());
    } else if (event.hasChunk()) {
      if (!isConfirmed()) {
        throw new TreecastException(
            Reason.PROTOCOL_VIOLATION,
            "the agent sent a chunk before it confirmed the subscription; check that client and"
                + " agent have the same version");
      }
      Message message = assembler.add(event.getChunk());
      if (message != null) {
        Message placed = FromWire.placed(message, event);
        counts.delivered();
        callHandler(() -> handler.onMessage(placed));
        finished.add(message.messageId());
      } else if (event.getChunk().getLast()) {
        finished.add(FromWire.messageId(event.getChunk().getMessageId()));
      }
    } else if (event.hasMissed()) {
      MissedMessages missed = FromWire.missed(event.getMissed());
      assembler.drop(missed.last(), "the rest is missed: " + missed.reason());
      missed(missed);
      finished.add(missed.last());
    } else if (event.hasAbandoned()) {
      MessageId abandoned = FromWire.messageId(event.getAbandoned().getMessageId());
      assembler.drop(abandoned, "its publisher abandoned it, or has left");
    } else if (event.hasLive()) {
      callHandler(handler::onLive);
    }
  }

  private void missed(MissedMessages missed) {
    counts.missed(missed);
    callHandler(() -> losses.during(() -> handler.onMissed(missed)));
  }

  private void begin(SubscriptionBegan event) {
    if (confirmedBy == null) {
      throw new TreecastException(
          Reason.PROTOCOL_VIOLATION,
          "the agent sent the beginning of the subscription before it confirmed it; check that"
              + " client and agent have the same version");
    }
    // Later calls continue the stream after an interruption, so only the first has a beginning.
    if (!finished.hasBegun()) {
      beginFirst(event);
    }
    // Not earlier: if a call is lost before this point, the next one starts again and leaves a gap.
    confirmed(confirmedBy);
  }

  private void beginFirst(SubscriptionBegan event) {
    List<MessageId> before = new ArrayList<>();
    event.getAfterList().forEach(message -> before.add(FromWire.messageId(message)));
    Positions asked =
        options.start() instanceof SubscriptionStart.After after
            ? after.positions()
            : Positions.of(List.of());
    Positions positions = asked.with(before, Positions.MOST_STREAMS);
    finished.begin(positions);
    callHandler(() -> handler.onBegan(positions));
  }

  @Override
  void ended() {
    losses.end();
  }

  @Override
  void callLost(String what) {
    confirmedBy = null;
    assembler.clear(what);
    resumeAfter = finished.positions();
  }

  /** Calls the handler and its sinks. */
  private final class Application implements MessageAssembler.Receiver {
    @Override
    public PayloadSink large(MessageId id, MissedReason why) {
      AtomicReference<@Nullable PayloadSink> given = new AtomicReference<>();
      callHandler(() -> given.set(handler.onLargeMessage(id)));
      PayloadSink sink = given.get();
      return sink == null ? new Skipped(id, why) : new Guarded(sink);
    }

    @Override
    public void failed(MessageId id, TreecastException why) {
      callHandler(() -> losses.during(() -> handler.onFailed(id, why)));
    }
  }

  /** Discards a message for which the application has no sink. */
  private final class Skipped implements PayloadSink {
    Skipped(MessageId id, MissedReason why) {
      missed(
          new MissedMessages(
              id.origin(),
              id.incarnation(),
              id.topic(),
              id.lane(),
              id.sequence(),
              id.sequence(),
              why));
    }

    @Override
    public void chunk(ByteBuffer bytes) {}

    @Override
    public void complete() {}

    @Override
    public void failed(TreecastException why) {}
  }

  /** Wraps the application's sink; exceptions from it end the stream. */
  private final class Guarded implements PayloadSink {
    private final PayloadSink sink;

    Guarded(PayloadSink sink) {
      this.sink = sink;
      if (sink instanceof PayloadInputStream stream) {
        read.add(stream);
        if (isClosed()) {
          release(stream);
        }
      }
    }

    private void ended() {
      if (sink instanceof PayloadInputStream stream) {
        read.remove(stream);
      }
    }

    @Override
    public void chunk(ByteBuffer bytes) {
      callHandler(() -> sink.chunk(bytes));
    }

    @Override
    public void complete() {
      ended();
      callHandler(sink::complete);
    }

    @Override
    public void failed(TreecastException why) {
      ended();
      callHandler(() -> sink.failed(why));
    }
  }
}
