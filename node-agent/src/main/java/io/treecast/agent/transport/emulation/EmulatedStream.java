package io.treecast.agent.transport.emulation;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The actions of one end of a stream on their way through a {@link LinkEmulation}: each waits while
 * its direction is held, and then for the delay of the link. Order is kept in each direction.
 * Thread-safe; the emulation's lock guards the state.
 *
 * <p>The opening, the messages and the end of this side run on the delay line. Received messages
 * run under the lock, on the thread that delivers them or heals the link, so they must only be
 * handed over.
 */
public final class EmulatedStream {
  /** Closes a stream with an error. */
  public interface Reset {
    void reset(String reason);
  }

  private final LinkEmulation emulation;
  private final NodeId self;
  private final @Nullable String dialedAddress;
  private final Reset reset;
  private final ArrayDeque<Outgoing> heldOutgoing = new ArrayDeque<>();
  private final ArrayDeque<Runnable> heldIncoming = new ArrayDeque<>();
  private @Nullable NodeId peer;
  private boolean opened;
  private boolean ended;
  private long lastDueNanos = System.nanoTime();

  /** The time until which the messages sent so far occupy the link's throughput. */
  private long busyUntilNanos = System.nanoTime();

  private record Outgoing(LongConsumer action, int bytes) {}

  EmulatedStream(
      LinkEmulation emulation,
      NodeId self,
      @Nullable String dialedAddress,
      @Nullable NodeId peer,
      Reset reset) {
    this.emulation = emulation;
    this.self = self;
    this.dialedAddress = dialedAddress;
    this.peer = peer;
    this.reset = reset;
    this.opened = dialedAddress == null;
  }

  /** Notes the node at the other end. */
  public void identified(NodeId node) {
    emulation.lock.lock();
    try {
      peer = node;
      if (dialedAddress != null) {
        emulation.located(node, dialedAddress);
      }
      releaseUnheld();
    } finally {
      emulation.lock.unlock();
    }
  }

  /**
   * Queues the opening of the stream, a message or the end; runs later, in order.
   *
   * @param action receives by how much it runs later than the link's delay demands, in nanoseconds
   * @param bytes the size of the message
   * @return false if too many actions are held; then this one never runs
   */
  public boolean outgoing(LongConsumer action, int bytes) {
    emulation.lock.lock();
    try {
      if (ended) {
        return true;
      }
      if (heldOutgoing.isEmpty() && !emulation.holds(self, peer)) {
        pass(new Outgoing(action, bytes));
      } else if (heldOutgoing.size() >= emulation.maxHeldMessages()) {
        return false;
      } else {
        heldOutgoing.add(new Outgoing(action, bytes));
      }
      return true;
    } finally {
      emulation.lock.unlock();
    }
  }

  private void pass(Outgoing outgoing) {
    opened = true;
    long now = System.nanoTime();
    // Values of nanoTime are compared by their difference.
    if (now - busyUntilNanos > 0) {
      busyUntilNanos = now;
    }
    busyUntilNanos += emulation.busyNanos(self, peer, outgoing.bytes);
    long due = busyUntilNanos + emulation.nextDelayNanos(self, peer);
    if (due - lastDueNanos > 0) {
      lastDueNanos = due;
    }
    emulation.delayLine().at(lastDueNanos, outgoing.action);
  }

  /**
   * Hands over an incoming message, or the end. The queue is bounded by the number of unprocessed
   * messages that the stream takes from the network.
   */
  public void incoming(Runnable handOver) {
    emulation.lock.lock();
    try {
      NodeId from = peer;
      if (ended) {
        return;
      }
      if (heldIncoming.isEmpty() && (from == null || !emulation.holds(from, self))) {
        handOver.run();
      } else {
        heldIncoming.add(handOver);
      }
    } finally {
      emulation.lock.unlock();
    }
  }

  /** Hands over the actions whose direction is no longer held. Under the lock. */
  void releaseUnheld() {
    NodeId other = peer;
    if (other == null || ended) {
      return;
    }
    while (!heldIncoming.isEmpty() && !emulation.holds(other, self)) {
      heldIncoming.remove().run();
    }
    while (!heldOutgoing.isEmpty() && !emulation.holds(self, other)) {
      pass(heldOutgoing.remove());
    }
  }

  /**
   * Ends a stream whose opening has not left yet.
   *
   * @return whether that was the case
   */
  public boolean endUnopened() {
    emulation.lock.lock();
    try {
      if (!opened) {
        end();
      }
      return !opened;
    } finally {
      emulation.lock.unlock();
    }
  }

  /** Runs the last action as soon as possible, ahead of held or delayed ones. */
  public void endNow(Runnable last) {
    emulation.lock.lock();
    try {
      end();
      emulation.delayLine().at(System.nanoTime(), late -> last.run());
    } finally {
      emulation.lock.unlock();
    }
  }

  /** Ends the stream, and drops its held actions. */
  public void end() {
    emulation.lock.lock();
    try {
      ended = true;
      heldOutgoing.clear();
      heldIncoming.clear();
      emulation.ended(this);
    } finally {
      emulation.lock.unlock();
    }
  }

  boolean isOf(NodeId agent) {
    return self.equals(agent);
  }

  /** Under the lock. */
  void reset(String reason) {
    reset.reset(reason);
  }

  /** Under the lock. */
  boolean isBetween(NodeId a, NodeId b) {
    return isFromTo(a, b) || isFromTo(b, a);
  }

  private boolean isFromTo(NodeId from, NodeId to) {
    NodeId other = peer;
    return other != null && self.equals(from) && other.equals(to);
  }

  /** Returns the number of held messages in a direction. Under the lock. */
  int held(NodeId from, NodeId to) {
    if (isFromTo(from, to)) {
      return heldOutgoing.size();
    }
    return isFromTo(to, from) ? heldIncoming.size() : 0;
  }
}
