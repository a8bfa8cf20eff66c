package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.Random;

/**
 * One data stream between two nodes, as agents drive it: in order, without loss while it lives; its
 * ends learn of its beginning and its end each in its own time.
 */
final class SimulatedStream {
  /** The events at an end. */
  interface End {
    void opened(NodeId peer);

    void received(NodeId peer, CombiningMessage message);

    void closed(NodeId peer);
  }

  /** An end that has crashed. */
  static final End NOBODY =
      new End() {
        @Override
        public void opened(NodeId peer) {}

        @Override
        public void received(NodeId peer, CombiningMessage message) {}

        @Override
        public void closed(NodeId peer) {}
      };

  private final NodeId dialer;
  private final NodeId acceptor;
  private final ArrayDeque<CombiningMessage> toDialer = new ArrayDeque<>();
  private final ArrayDeque<CombiningMessage> toAcceptor = new ArrayDeque<>();
  private boolean dialerIsOpen = true;
  private boolean acceptorIsOpen;
  private boolean accepted;
  private boolean broken;
  private long largestBytes;

  /** Creates a stream on which the dialer may send from now on. */
  SimulatedStream(NodeId dialer, NodeId acceptor) {
    this.dialer = dialer;
    this.acceptor = acceptor;
  }

  boolean joins(NodeId one, NodeId other) {
    return has(one) && has(other);
  }

  boolean has(NodeId end) {
    return end.equals(dialer) || end.equals(acceptor);
  }

  NodeId peerOf(NodeId end) {
    return end.equals(dialer) ? acceptor : dialer;
  }

  void send(NodeId from, CombiningMessage message) {
    if (!broken) {
      largestBytes = Math.max(largestBytes, message.cost());
      (from.equals(dialer) ? toAcceptor : toDialer).add(message);
    }
  }

  /** Returns the bytes under way in the fuller direction, except for refusals. */
  long underWayBytes() {
    return Math.max(bytes(toDialer), bytes(toAcceptor));
  }

  private static long bytes(ArrayDeque<CombiningMessage> queue) {
    return queue.stream().filter(m -> !isRefusal(m)).mapToLong(CombiningMessage::cost).sum();
  }

  private static boolean isRefusal(CombiningMessage message) {
    return message instanceof CombiningMessage.Answer answer
        ? answer.outcome() instanceof Outcome.Failed
        : message instanceof CombiningMessage.Contribution told
            && told.outcome() instanceof Outcome.Failed;
  }

  /** Returns the size of the largest message so far. */
  long largestBytes() {
    return largestBytes;
  }

  /** Delivers everything under way, then ends the stream at both ends. */
  void end() {
    broken = true;
  }

  /** Delivers a part of what is under way, then ends the stream at both ends but a crashed one. */
  void lose(Random random) {
    if (!broken) {
      broken = true;
      cut(toDialer, random);
      cut(toAcceptor, random);
    }
  }

  /** Notes that this end has crashed. */
  void crashed(NodeId end, Random random) {
    lose(random);
    if (end.equals(dialer)) {
      dialerIsOpen = false;
      toDialer.clear();
    } else {
      accepted = true;
      acceptorIsOpen = false;
      toAcceptor.clear();
    }
  }

  private static void cut(ArrayDeque<CombiningMessage> queue, Random random) {
    int kept = random.nextInt(queue.size() + 1);
    while (queue.size() > kept) {
      queue.removeLast();
    }
  }

  boolean isOver() {
    return broken && !dialerIsOpen && accepted && !acceptorIsOpen;
  }

  boolean isBroken() {
    return broken;
  }

  /** Lets an event happen at one of the ends; returns false if there is none. */
  boolean step(boolean acceptorFirst, End atDialer, End atAcceptor) {
    return acceptorFirst
        ? stepAtAcceptor(atAcceptor) || stepAtDialer(atDialer)
        : stepAtDialer(atDialer) || stepAtAcceptor(atAcceptor);
  }

  private boolean stepAtDialer(End end) {
    CombiningMessage message = toDialer.poll();
    if (message != null) {
      end.received(acceptor, message);
      return true;
    }
    if (broken && dialerIsOpen) {
      dialerIsOpen = false;
      end.closed(acceptor);
      return true;
    }
    return false;
  }

  private boolean stepAtAcceptor(End end) {
    if (!accepted) {
      accepted = true;
      if (!broken) {
        acceptorIsOpen = true;
        end.opened(dialer);
      } else {
        toAcceptor.clear();
      }
      return true;
    }
    CombiningMessage message = toAcceptor.poll();
    if (message != null) {
      end.received(dialer, message);
      return true;
    }
    if (broken && acceptorIsOpen) {
      acceptorIsOpen = false;
      end.closed(dialer);
      return true;
    }
    return false;
  }

  NodeId dialer() {
    return dialer;
  }

  NodeId acceptor() {
    return acceptor;
  }
}
