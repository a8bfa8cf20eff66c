package io.treecast.agent.core.data;

import io.treecast.agent.core.link.Link;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ClockDifference;
import java.util.List;

/**
 * Converts the times in receipts from the clock of one end of a link to that of the other. The
 * owner of the link, which probes, does it for both directions; so on the wire they are by the
 * other end's clock.
 */
final class ReceiptClock {
  private final NodeId self;

  ReceiptClock(NodeId self) {
    this.self = self;
  }

  /** Returns a message to send, by the clock in force on the link. */
  EdgeMessage sent(Link link, EdgeMessage message, long nowNanos) {
    return message instanceof Delivered delivered && link.isOwnedBy(self)
        ? by(delivered, link.clock, 1, nowNanos)
        : message;
  }

  /** Returns a message that has arrived, by the clock of this agent. */
  EdgeMessage received(Link link, EdgeMessage message, long nowNanos) {
    return message instanceof Delivered delivered && link.isOwnedBy(self)
        ? by(delivered, link.clock, -1, nowNanos)
        : message;
  }

  private static Delivered by(Delivered delivered, ClockDifference clock, int sign, long nowNanos) {
    List<Receipt> receipts =
        delivered.receipts().stream()
            .map(r -> r.byClock(sign * clock.aheadNanos(), clock.errorNanos(nowNanos)))
            .toList();
    return new Delivered(delivered.message(), delivered.receiptMillis(), receipts);
  }
}
