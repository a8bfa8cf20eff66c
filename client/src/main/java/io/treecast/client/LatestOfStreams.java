package io.treecast.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the streams that a subscriber remembers when they exceed its limit. Each start of an
 * agent begins new streams, and so does each topic that an agent has forgotten. Stateless.
 */
final class LatestOfStreams {
  /**
   * The number of lanes of a topic that an agent uses at a time. After it has forgotten the topic,
   * it uses higher lane numbers.
   */
  private static final int LANES = 256;

  /**
   * The numbers of agents' starts ascend, and so do the lanes that they use after forgetting a
   * topic.
   */
  private static final Comparator<MessageId> LATEST_FIRST =
      Comparator.comparingLong(MessageId::incarnation).thenComparingInt(MessageId::lane).reversed();

  /** A place at which an origin has one stream at a time. */
  private record Place(String origin, String topic, int lane) {
    static Place of(MessageId message) {
      return new Place(message.origin(), message.topic(), message.lane() % LANES);
    }
  }

  private LatestOfStreams() {}

  /**
   * Returns at most {@code most} of these messages, each of another stream. The first to be dropped
   * are those whose origin has begun the most later streams at the same place.
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
