package io.treecast.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which streams a subscriber remembers when it has had more than it may: each start of an agent
 * begins others, and so does each topic that an agent has forgotten. Stateless.
 */
final class LatestOfStreams {
  /** An agent begins so many lanes of a topic at a time, and later ones than these anew. */
  private static final int LANES = 256;

  /** Agents count their starts upwards, and their lanes whenever they forget topics. */
  private static final Comparator<MessageId> LATEST_FIRST =
      Comparator.comparingLong(MessageId::incarnation).thenComparingInt(MessageId::lane).reversed();

  /** Where an origin has one stream at a time. */
  private record Place(String origin, String topic, int lane) {
    static Place of(MessageId message) {
      return new Place(message.origin(), message.topic(), message.lane() % LANES);
    }
  }

  private LatestOfStreams() {}

  /**
   * So many of these messages at most, which are of a stream each. Those go first after whose
   * stream their origin has begun most others in the same place.
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
