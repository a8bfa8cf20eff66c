package io.treecast.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the streams that a subscriber remembers when there are more than its limit: each start of
 * an agent begins new streams, and so does each topic that an agent has forgotten. Stateless.
 */
final class LatestOfStreams {
  /**
   * The lanes of a topic that an agent begins at a time; lanes after it forgot the topic have
   * higher numbers.
   */
  private static final int LANES = 256;

  /** Agents count their starts upwards, and their lanes whenever they forget topics. */
  private static final Comparator<MessageId> LATEST_FIRST =
      Comparator.comparingLong(MessageId::incarnation).thenComparingInt(MessageId::lane).reversed();

  /** A place in which an origin has one stream at a time. */
  private record Place(String origin, String topic, int lane) {
    static Place of(MessageId message) {
      return new Place(message.origin(), message.topic(), message.lane() % LANES);
    }
  }

  private LatestOfStreams() {}

  /**
   * Returns at most {@code most} of these messages, each of another stream. Messages go first whose
   * origin has begun the most later streams in the same place.
   */
  static List<MessageId> of(Collection<MessageId> messages, int most) {
    List<MessageId> sorted = new ArrayList<>(messages);
    if (sorted.size() <= most) {
      return sorted;
    }
    sorted.sort(LATEST_FIRST);
    Map<Place, Integer> begun = new HashMap<>();
    Map<MessageId, Integer> ranks = new HashMap<>();
    for (MessageId message : sorted) {
      ranks.put(message, begun.merge(Place.of(message), 1, Integer::sum));
    }
    sorted.sort(Comparator.comparing(ranks::get));
    return sorted.subList(0, most);
  }
}
