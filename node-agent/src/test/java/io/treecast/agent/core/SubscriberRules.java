package io.treecast.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The promises to an application, whatever agents send to each other. Messages of a stream come one
 * after the other, each from its first chunk to its last, except for those reported as lost, and
 * never more at a time than the window. A delivery that breaks a promise fails the test.
 */
final class SubscriberRules {
  private final BroadcastLimits limits;
  private final Set<NodeId> members;

  /** By stream, what is to come next. */
  private final Map<StreamId, Position> due = new HashMap<>();

  private final List<String> shortMessages = new ArrayList<>();
  private long unconsumedBytes;

  /**
   * Nothing was delivered yet.
   *
   * @param members agents that exist; streams of others may be forgotten, and begin again
   */
  SubscriberRules(BroadcastLimits limits, Set<NodeId> members) {
    this.limits = limits;
    this.members = members;
  }

  void deliver(Chunk chunk) {
    take(chunk);
    check(chunk.bytes() <= limits.chunkBytes(), chunk, "is larger than limits.chunkBytes");
    checkDue(chunk);
    due.put(chunk.stream(), chunk.to());
    if (chunk.last() && chunk.index() == 0) {
      shortMessages.add(UTF_8.decode(chunk.payload().duplicate()).toString());
    }
  }

  void miss(Gap gap) {
    take(gap);
    checkDue(new Gap(gap.stream(), begin(gap.firstMissed()), gap.to(), gap.treeVersion()));
    due.put(gap.stream(), begin(gap.lastMissed() + 1));
  }

  void abandon(MessageId message) {
    Position expected = due.get(message.stream());
    check(
        expected != null && expected.insideMessage() && expected.sequence() == message.sequence(),
        message,
        "is abandoned, where " + expected + " was due");
    due.put(message.stream(), begin(message.sequence()));
  }

  private static Position begin(long sequence) {
    return new Position(sequence, 0);
  }

  private void take(LogItem item) {
    unconsumedBytes += item.cost();
    check(unconsumedBytes <= limits.subscriberWindowBytes(), item, "exceeds the window");
  }

  private void checkDue(LogItem item) {
    Position expected = due.get(item.stream());
    boolean beginsAnew =
        item.from().equals(Position.START) && !members.contains(item.stream().origin());
    if (expected == null || beginsAnew) {
      check(!item.from().insideMessage(), item, "is the first of its stream");
    } else {
      Position at = item instanceof Gap ? begin(expected.sequence()) : expected;
      check(item.from().equals(at), item, "came where " + expected + " was due");
    }
  }

  private static void check(boolean holds, Object what, String breach) {
    if (!holds) {
      throw new AssertionError("a subscriber was told something wrong: " + what + " " + breach);
    }
  }

  /** Takes all that was delivered; how much that was. */
  long consume() {
    long bytes = unconsumedBytes;
    unconsumedBytes = 0;
    return bytes;
  }

  /** The messages of one chunk that came, oldest first. */
  List<String> shortMessages() {
    return shortMessages;
  }
}
