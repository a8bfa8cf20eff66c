package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamPosition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that had come to a node, at least in part, and that its former subscribers had not
 * got.
 */
final class LeftBehind {
  private final Set<MessageId> surely = new HashSet<>();
  private final Set<MessageId> perhaps = new HashSet<>();

  /**
   * Notes that a subscriber leaves.
   *
   * @param had the items handed to it; null if its subscription has not begun
   * @param positions positions of the node's streams
   */
  void add(@Nullable HandedOver had, Audience gone, List<StreamPosition> positions) {
    for (StreamPosition position : positions) {
      add(position, message -> had != null && !had.hasWhatIsDue(message), surely);
      add(
          position,
          message -> gone.accepts(message.stream()) && (had == null || !had.has(message)),
          perhaps);
    }
  }

  private static void add(
      StreamPosition position, Predicate<MessageId> lacks, Set<MessageId> lacked) {
    for (long sequence = 1; new Position(sequence, 0).isBefore(position.next()); sequence++) {
      MessageId message = new MessageId(position.stream(), sequence);
      if (lacks.test(message)) {
        lacked.add(message);
      }
    }
  }

  /**
   * Returns whether a subscriber was entitled to the message, and others had not got it either when
   * it came.
   */
  boolean surely(MessageId message) {
    return surely.contains(message);
  }

  /** Returns whether a subscriber may have been entitled to the message. */
  boolean perhaps(MessageId message) {
    return perhaps.contains(message);
  }
}
