package io.treecast.agent.core.data;

import io.treecast.agent.core.link.Link;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ClockDifference;
import java.util.List;

/**
 * Converts the times of receipts and publications between the clocks of the two ends of a link. The
 * owner of the link, which probes it, converts in both directions, so times on the wire are by the
 * other end's clock.
 */
public final class ReceiptClock {
  private final NodeId self;

  /** Creates the clock of one agent. */
  public ReceiptClock(NodeId self) {
    this.self = self;
  }

  /** Returns a message to send, with its times converted for the wire. */
  EdgeMessage sent(Link link, EdgeMessage message, long nowNanos) {
    return converted(link, message, 1, nowNanos);
  }

  /** Returns a received message, with its times converted to this agent's clock. */
  EdgeMessage received(Link link, EdgeMessage message, long nowNanos) {
    return converted(link, message, -1, nowNanos);
  }

  private EdgeMessage converted(Link link, EdgeMessage message, int sign, long nowNanos) {
    if (!link.isOwnedBy(self)) {
      return message;
    }
    if (message instanceof Delivered delivered) {
      return by(delivered, link.clock, sign, nowNanos);
    }
    return message instanceof Data data
            && data.item() instanceof Chunk chunk
            && chunk.publishedNanos() != 0
        ? new Data(by(chunk, link.clock, sign, nowNanos))
        : message;
  }

  /** Returns a chunk to send, with its time converted for the wire. */
  public Chunk sent(Link link, Chunk chunk, long nowNanos) {
    return link.isOwnedBy(self) ? by(chunk, link.clock, 1, nowNanos) : chunk;
  }

  /** Returns a received chunk, with its time converted to this agent's clock. */
  public Chunk received(Link link, Chunk chunk, long nowNanos) {
    return link.isOwnedBy(self) ? by(chunk, link.clock, -1, nowNanos) : chunk;
  }

  private static Chunk by(Chunk chunk, ClockDifference clock, int sign, long nowNanos) {
    long nanos = chunk.publishedNanos();
    return nanos == 0
        ? chunk
        : chunk.publishedAt(
            clock.errorNanos(nowNanos) == Long.MAX_VALUE ? 0 : nanos + sign * clock.aheadNanos());
  }

  private static Delivered by(Delivered delivered, ClockDifference clock, int sign, long nowNanos) {
    List<Receipt> receipts =
        delivered.receipts().stream()
            .map(r -> r.byClock(sign * clock.aheadNanos(), clock.errorNanos(nowNanos)))
            .toList();
    return new Delivered(delivered.message(), delivered.receiptMillis(), receipts);
  }
}
