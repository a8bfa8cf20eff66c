package io.treecast.agent.transport.emulation;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The actions of one end of a stream on their way through a {@link LinkEmulation}: each waits while
 * its direction is held, then for the delay of the link. Order is kept in each direction.
 * Thread-safe; its state is guarded by the emulation's lock.
 *
 * <p>Messages that this end sends, its opening and its end run on the delay line. Received messages
 * run on the thread that brings them or heals the link, under the lock: it must only hand over.
 */
public final class EmulatedStream {
  /** Gives a stream up. */
  public interface Reset {
    void because(String reason);
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

  /** Until when sent messages take all that the link carries. */
  private long busyUntilNanos = System.nanoTime();

  private record Outgoing(Runnable action, int bytes) {}

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

  /** Notes which node is at the other end. */
  public void identified(NodeId node) {
    emulation.lock.lock();
    try {
      peer = node;
      if (dialedAddress != null) {
        emulation.located(node, dialedAddress);
      }
      releaseWhatIsNotHeld();
    } finally {
      emulation.lock.unlock();
    }
  }

  /**
   * Opens the stream, sends, or ends it in order: runs later.
   *
   * @param bytes the size of the message
   * @return false if too much is held already; then it never runs
   */
  public boolean outgoing(Runnable action, int bytes) {
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
    // Nanotimes are compared by their difference.
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
   * Hands over an incoming message, or the end. The queue here is bounded by what the stream takes
   * from the network before its messages are dealt with.
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

  /** Under the lock. */
  void releaseWhatIsNotHeld() {
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
   * Ends a stream of which nothing has left yet, not even its opening.
   *
   * @return whether that was so
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

  /** Runs the last action as soon as possible, past held or delayed ones. */
  public void endNow(Runnable last) {
    emulation.lock.lock();
    try {
      end();
      emulation.delayLine().at(System.nanoTime(), last);
    } finally {
      emulation.lock.unlock();
    }
  }

  /** Ends the stream, and drops held actions. */
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
    reset.because(reason);
  }

  /** Under the lock. */
  boolean isBetween(NodeId a, NodeId b) {
    return isFromTo(a, b) || isFromTo(b, a);
  }

  private boolean isFromTo(NodeId from, NodeId to) {
    NodeId other = peer;
    return other != null && self.equals(from) && other.equals(to);
  }

  /** Messages held in a direction. Under the lock. */
  int held(NodeId from, NodeId to) {
    if (isFromTo(from, to)) {
      return heldOutgoing.size();
    }
    return isFromTo(to, from) ? heldIncoming.size() : 0;
  }
}
