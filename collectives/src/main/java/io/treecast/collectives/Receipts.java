package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import io.treecast.collectives.EdgeMessage.Delivered;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A relay's part in confirming messages: what is delivered here ({@link DeliveryWatch}) and what
 * neighbours know goes towards the origins ({@link ReceiptGathering}), or counts for the messages
 * that were published here ({@link Confirmations}). Relay's thread.
 */
final class Receipts {
  private final StreamId own;
  private final DeliveryWatch watch;
  private final DeliveryWatch.Audience audience;
  private final ReceiptGathering gathering;
  private final Confirmations confirmations;
  private long nowNanos;

  /**
   * For one relay.
   *
   * @param own its stream
   * @param watch told of what its subscribers miss
   * @param isOpen whether there is a data stream to a neighbour
   */
  Receipts(
      StreamId own,
      DeliveryWatch watch,
      DeliveryWatch.Audience audience,
      Predicate<NodeId> isOpen,
      BroadcastEffects effects) {
    this.own = own;
    this.watch = watch;
    this.audience = audience;
    this.gathering = new ReceiptGathering(own.origin(), isOpen, effects::send);
    this.confirmations = new Confirmations(effects::confirmed);
  }

  /** Whether a message may be published here that waits so long for receipts. */
  void check(int receiptMillis) throws BroadcastRefusedException {
    if (receiptMillis < 0 || receiptMillis > Chunk.MAX_RECEIPT_MILLIS) {
      throw new IllegalArgumentException(
          "receiptMillis is " + receiptMillis + "; allowed are 0 to " + Chunk.MAX_RECEIPT_MILLIS);
    }
    if (receiptMillis > 0 && !confirmations.hasRoom()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_CONFIRMATIONS,
          Confirmations.MAX_AWAITED + " broadcasts await the confirmation of members already");
    }
  }

  /**
   * This is about to be logged and passed on.
   *
   * @param from the neighbour that it came from; null if it is published here
   */
  void logs(LogItem item, @Nullable NodeId from) {
    watch.logs(item, from);
    if (from == null
        && item instanceof Chunk chunk
        && chunk.index() == 0
        && chunk.asksForReceipts()) {
      confirmations.published(chunk);
    }
  }

  /** Subscribers may have got something, or there are fewer. */
  void check() {
    watch.check(
        audience,
        message ->
            add(
                message.message(),
                message.receiptMillis(),
                List.of(new Receipt(own.origin(), message.from(), nowNanos, 0))));
  }

  /**
   * What a neighbour knows.
   *
   * @param ownNext where the stream that is published here goes on
   * @return why the neighbour can not know that; null if it can
   */
  @Nullable String received(Delivered delivered, Position ownNext) {
    MessageId message = delivered.message();
    if (message.stream().equals(own) && message.sequence() >= ownNext.sequence()) {
      return message + " is said to be delivered, which was never published here";
    }
    add(message, delivered.receiptMillis(), delivered.receipts());
    return null;
  }

  private void add(MessageId message, int receiptMillis, List<Receipt> receipts) {
    if (message.stream().equals(own)) {
      confirmations.add(message.sequence(), receipts);
    } else if (!message.origin().equals(own.origin())) {
      gathering.add(message, receiptMillis, receipts);
    }
  }

  void treeCommitted(CommittedTree tree) {
    gathering.treeCommitted(tree);
    confirmations.membersAre(tree.members());
    check();
  }

  /** The data stream to a neighbour is open. */
  void opened(NodeId neighbour) {
    gathering.opened(neighbour);
  }

  void forget(StreamId stream) {
    watch.forget(stream);
    gathering.forget(stream);
  }

  /** As {@link BroadcastRelay#confirmation}. */
  @Nullable Confirmation confirmation(MessageId message) {
    return message.stream().equals(own) ? confirmations.find(message.sequence()) : null;
  }

  /** Messages with receipts that were sent to neighbours. */
  long sentMessages() {
    return gathering.sentMessages();
  }

  long nextDeadlineNanos() {
    return Math.min(gathering.nextDeadlineNanos(), confirmations.nextDeadlineNanos());
  }

  void tick(long now) {
    nowNanos = now;
    gathering.tick(now);
    confirmations.tick(now);
  }
}
