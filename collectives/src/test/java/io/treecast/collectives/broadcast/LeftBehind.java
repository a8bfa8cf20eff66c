package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamPosition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What had come to a node, at least in part, and its subscribers that are gone had not got. */
final class LeftBehind {
  private final Set<MessageId> surely = new HashSet<>();
  private final Set<MessageId> perhaps = new HashSet<>();

  /**
   * A subscriber goes.
   *
   * @param had what it was handed; null if its subscription has not begun
   * @param positions how far streams have come at the node
   */
  void add(@Nullable HandedOver had, Audience gone, List<StreamPosition> positions) {
    for (StreamPosition position : positions) {
      add(position, message -> had != null && !had.hasWhatIsDue(message), surely);
      add(
          position,
          message -> gone.options().wants(message.stream()) && (had == null || !had.has(message)),
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

  /** Whether one was due the message that others had not got yet either when it came. */
  boolean surely(MessageId message) {
    return surely.contains(message);
  }

  /** Whether one may have been due the message. */
  boolean perhaps(MessageId message) {
    return perhaps.contains(message);
  }
}
