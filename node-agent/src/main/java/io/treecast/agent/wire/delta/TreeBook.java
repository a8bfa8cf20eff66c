package io.treecast.agent.wire.delta;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.mst.CommittedView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The trees that both ends of a control stream have, as known at one end: the last committed trees
 * that crossed the stream. Later messages are sent as differences against one of them, their base.
 *
 * <p>Each end numbers the trees that it sends for keeping, from 1. Receiver and sender keep the
 * last {@link #RECENT_TREES} of them. The stream is ordered and lossless, so the sender may refer
 * to any of these trees. The receiver may refer to them as well, and its message may cross newer
 * trees. So the sender also keeps the trees that were recent at the receiver's last
 * acknowledgement, and sends at most {@link #RECENT_TREES} further ones for keeping before the next
 * acknowledgement.
 *
 * <p>Used by one thread at a time.
 */
final class TreeBook {
  /** The number of trees of each direction that both ends keep. */
  static final int RECENT_TREES = 8;

  /** The name of no tree. */
  static final long NO_BASE = 0;

  /** The sent trees, in the order of their numbers; the last number is {@link #sentCount}. */
  private final Deque<CommittedView> sent = new ArrayDeque<>();

  /**
   * The received trees, in the order of their numbers; the last number is {@link #receivedCount}.
   */
  private final Deque<CommittedView> received = new ArrayDeque<>();

  private long sentCount;
  private long acknowledgedCount;
  private long receivedCount;
  private long toldCount;

  /**
   * A tree that both ends have.
   *
   * @param name the name by which this end refers to the tree
   */
  record Base(long name, CommittedView tree) {}

  /** Returns whether another tree may be sent for keeping. */
  boolean hasRoom() {
    return sentCount - acknowledgedCount < RECENT_TREES;
  }

  /** Notes a tree that is sent for keeping. */
  void sent(CommittedView tree) {
    if (!hasRoom()) {
      throw new IllegalStateException("too many unacknowledged trees");
    }
    sent.add(tree);
    sentCount++;
    forgetOldest();
  }

  /** Notes a tree that was received for keeping. */
  void received(CommittedView tree) {
    received.add(tree);
    receivedCount++;
    if (received.size() > RECENT_TREES) {
      received.remove();
    }
  }

  /** Returns the number of received trees, to acknowledge; 0 if it is acknowledged already. */
  long reportReceived() {
    if (toldCount == receivedCount) {
      return 0;
    }
    toldCount = receivedCount;
    return receivedCount;
  }

  /**
   * Handles the other end's acknowledgement.
   *
   * @throws WireViolation if the number is less than an earlier one, or more than were sent
   */
  void acknowledged(long count) throws WireViolation {
    if (count < acknowledgedCount || count > sentCount) {
      throw new WireViolation(
          Long.toUnsignedString(count)
              + " trees received, after "
              + acknowledgedCount
              + " and of "
              + sentCount);
    }
    acknowledgedCount = count;
    forgetOldest();
  }

  private void forgetOldest() {
    while (sentCount - sent.size() < acknowledgedCount - RECENT_TREES) {
      sent.remove();
    }
  }

  /** Returns the possible bases of the next message, newest first. */
  List<Base> bases() {
    List<Base> bases = new ArrayList<>();
    long number = receivedCount;
    for (Iterator<CommittedView> i = received.descendingIterator(); i.hasNext(); number--) {
      bases.add(new Base(2 * number + 1, i.next()));
    }
    number = sentCount;
    Iterator<CommittedView> recent = sent.descendingIterator();
    for (int i = 0; i < RECENT_TREES && recent.hasNext(); i++, number--) {
      bases.add(new Base(2 * number, recent.next()));
    }
    bases.sort(Comparator.comparingLong((Base base) -> base.tree().tree().version()).reversed());
    return bases;
  }

  /**
   * Returns the tree that the other end refers to.
   *
   * @throws WireViolation if no kept tree has this name
   */
  CommittedView named(long name) throws WireViolation {
    boolean isSentByOtherEnd = name % 2 == 0;
    Deque<CommittedView> trees = isSentByOtherEnd ? received : sent;
    long back = (isSentByOtherEnd ? receivedCount : sentCount) - name / 2;
    if (name < 0 || back < 0 || back >= trees.size()) {
      throw new WireViolation(
          "base tree " + Long.toUnsignedString(name) + ", which is not among the last ones");
    }
    Iterator<CommittedView> tree = trees.descendingIterator();
    for (long i = 0; i < back; i++) {
      tree.next();
    }
    return tree.next();
  }
}
