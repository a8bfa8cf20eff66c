package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Selects the positions of a subscriber that still matter, if they are more than the streams that a
 * member remembers. A long-lived subscriber has had streams of every start of every origin, and
 * does not know which of them members have forgotten. Stateless.
 */
public final class LatestPositions {
  /** The incarnations of an agent grow, and its lanes grow whenever it forgets topics. */
  private static final Comparator<MessageId> LATEST_FIRST =
      Comparator.comparingLong(MessageId::incarnation).thenComparingInt(MessageId::lane).reversed();

  /** The key under which an origin has one stream at a time. */
  private record Place(NodeId origin, String topic, int lane) {
    static Place of(StreamId stream) {
      return new Place(stream.origin(), stream.topic(), stream.lane() % StreamId.LANES);
    }
  }

  private LatestPositions() {}

  /** Returns the options with the positions of at most {@code most} streams. */
  public static SubscribeOptions within(SubscribeOptions options, int most, ReplicationLog log) {
    if (options.start() instanceof SubscriptionStart.After after) {
      List<MessageId> had =
          of(after.messages(), most, stream -> Position.START.isBefore(log.next(stream)));
      return options.withStart(new SubscriptionStart.After(had));
    }
    return options;
  }

  /**
   * Returns the last messages of at most {@code most} streams. Streams that are not known here are
   * dropped first, and of these the ones superseded by the largest number of later streams with the
   * same key.
   */
  static List<MessageId> of(List<MessageId> messages, int most, Predicate<StreamId> isKnown) {
    if (messages.size() <= most) {
      return messages;
    }
    List<MessageId> sorted = new ArrayList<>(messages);
    sorted.sort(LATEST_FIRST);
    Map<Place, Integer> begun = new HashMap<>();
    Map<MessageId, Integer> ranks = new HashMap<>();
    for (MessageId message : sorted) {
      boolean isHere = isKnown.test(message.stream());
      int later = begun.merge(Place.of(message.stream()), 1, Integer::sum);
      ranks.put(message, isHere ? 0 : later);
    }
    sorted.sort(Comparator.comparing(ranks::get));
    return sorted.subList(0, most);
  }
}
