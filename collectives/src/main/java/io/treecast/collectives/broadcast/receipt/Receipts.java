package io.treecast.collectives.broadcast.receipt;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.Receipt.Outcome;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.subscribe.DeliveryWatch;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A relay's part in confirming messages: deliveries here ({@link DeliveryWatch}) and receipts from
 * neighbours go towards the origins ({@link ReceiptGathering}), or count for the messages that were
 * published here ({@link Confirmations}).
 */
public final class Receipts {
  private final Streams streams;
  private final DeliveryWatch watch;
  private final DeliveryWatch.Audience audience;
  private final ReceiptGathering gathering;
  private final Confirmations confirmations;
  private long nowNanos;

  /**
   * Creates the receipts of one relay.
   *
   * @param watch notified of gaps of the relay's subscribers
   * @param isOpen whether there is a data stream to a neighbour
   */
  public Receipts(
      Streams streams,
      DeliveryWatch watch,
      DeliveryWatch.Audience audience,
      Predicate<NodeId> isOpen,
      Consumer<Confirmation> confirmed,
      BroadcastEffects effects) {
    this.streams = streams;
    this.watch = watch;
    this.audience = audience;
    this.gathering = new ReceiptGathering(streams.self(), isOpen, effects::send);
    this.confirmations = new Confirmations(confirmed);
  }

  /** Checks that a message with receipts may be published here on the topic. */
  public void check(String topic, int receiptMillis) throws BroadcastRefusedException {
    Chunk.checkReceiptMillis(topic, receiptMillis);
    if (receiptMillis > 0 && !confirmations.hasRoom()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_CONFIRMATIONS, confirmations.describeAwaited() + " already");
    }
  }

  /** Notes that a message is about to be published here. */
  public void begins(MessageId message, int receiptMillis) {
    if (receiptMillis > 0) {
      confirmations.begins(message, receiptMillis);
    }
  }

  /** Notes that no chunk of that message was published here, or will be. */
  public void abandons(MessageId message) {
    confirmations.abandons(message);
  }

  /**
   * Notes that an item is about to be logged and passed on.
   *
   * @param from the neighbour that sent it; null if it is published here
   */
  public void logs(LogItem item, @Nullable NodeId from) {
    watch.logs(item, from);
    if (from == null && item instanceof Chunk chunk && chunk.asksForReceipts()) {
      confirmations.publishes(chunk);
    }
  }

  /** Checks for deliveries after a change of the subscribers or of their entitlement. */
  public void check() {
    watch.check(audience, this::delivered);
    reportLost();
  }

  /** Checks for deliveries of streams in which subscribers have advanced. */
  public void checkAdvanced() {
    watch.checkAdvanced(audience, this::delivered);
    reportLost();
  }

  private void delivered(DeliveryWatch.Watched message) {
    if (!isReceiver(message.message())) {
      return; // This member only forwards the message.
    }
    Outcome outcome = message.isHandedOver() ? Outcome.HANDED_OVER : Outcome.WITHOUT_SUBSCRIBER;
    Receipt receipt = new Receipt(streams.self(), message.from(), nowNanos, 0, outcome);
    add(message.message(), message.receiptMillis(), List.of(receipt));
  }

  private void reportLost() {
    for (DeliveryWatch.Watched lost : watch.takeLost()) {
      if (isReceiver(lost.message())) {
        add(lost.message(), lost.receiptMillis(), List.of(Receipt.never(streams.self())));
      }
    }
  }

  private boolean isReceiver(MessageId message) {
    return !Topic.isSelection(message.topic()) || Topic.names(message.topic(), streams.self());
  }

  /** Notes that a later incarnation of a member is known. */
  public void restarted(NodeId member) {
    confirmations.restarted(member);
  }

  /**
   * Handles receipts from a neighbour. Receipts for a message that was never published here are
   * ignored, but are not a violation: the neighbour may have them from another member, and only
   * forward them.
   */
  public void received(Delivered delivered) {
    MessageId message = delivered.message();
    boolean byAny = delivered.receipts().stream().anyMatch(Receipt::isDelivered);
    if (!streams.claims().isUnpublished(message, byAny)) {
      add(message, delivered.receiptMillis(), delivered.receipts());
    }
  }

  private void add(MessageId message, int receiptMillis, List<Receipt> receipts) {
    if (isOwn(message)) {
      confirmations.add(message, receipts);
    } else if (!message.origin().equals(streams.self())) {
      gathering.add(message, receiptMillis, receipts);
    }
  }

  private boolean isOwn(MessageId message) {
    return message.stream().mayAskForReceipts() && streams.isOwn(message.stream());
  }

  /** Notes that this member has committed a tree; {@link #check} must follow. */
  public void treeCommitted(CommittedTree tree) {
    gathering.treeCommitted(tree);
    confirmations.treeCommitted(tree.version(), tree.members());
  }

  /** Notes that the data stream to a neighbour is open. */
  public void opened(NodeId neighbour) {
    gathering.opened(neighbour);
  }

  public void forget(StreamId stream) {
    if (stream.mayAskForReceipts()) {
      watch.forget(stream);
    }
    if (!stream.isOfTopic()) { // The origin of a selection may still wait.
      gathering.forget(stream);
    }
  }

  /** Returns the confirmation, as {@link BroadcastRelay#confirmation}. */
  @Nullable
  public Confirmation confirmation(MessageId message) {
    return isOwn(message) ? confirmations.find(message) : null;
  }

  /** Returns the number of messages with receipts that were sent to neighbours. */
  public long sentMessages() {
    return gathering.sentMessages();
  }

  public long nextDeadlineNanos() {
    return Math.min(gathering.nextDeadlineNanos(), confirmations.nextDeadlineNanos());
  }

  public void tick(long now) {
    nowNanos = now;
    watch.tick(now);
    gathering.tick(now);
    confirmations.tick(now);
  }
}
