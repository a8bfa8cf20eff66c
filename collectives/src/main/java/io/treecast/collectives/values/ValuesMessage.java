package io.treecast.collectives.values;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message between neighbours about shared values. After each but {@link Ack}, the sender waits
 * for {@code Ack} before it sends the next. Immutable.
 */
public sealed interface ValuesMessage {
  /** The most bytes of the entries of an update or a digest that has more than one. */
  int MAX_BYTES = 64 << 10;

  /** The most entries of an update or a digest. */
  int MAX_ENTRIES = 1_000;

  /** Returns roughly the size on the wire, in bytes. */
  default long cost() {
    return Long.BYTES;
  }

  /**
   * The state of the sender. The receiver sends the entries that the sender lacks, and requests
   * those that it lacks itself.
   *
   * @param hashes of the sender's maps
   */
  record Summary(SortedMap<MapName, Long> hashes) implements ValuesMessage {}

  /**
   * The entries of the sender in a part of a map.
   *
   * @param from the first key of the part
   * @param to the end of the part, exclusive; null for the end of the map
   * @param hashes of the entries, by key
   * @param isReply whether the receiver need not send its own digest
   */
  record Digest(
      MapName map,
      String from,
      @Nullable String to,
      SortedMap<String, Long> hashes,
      boolean isReply)
      implements ValuesMessage {}

  /**
   * Entries that the receiver may lack.
   *
   * @param items 1 to {@value #MAX_ENTRIES}
   */
  record Update(List<Item> items) implements ValuesMessage {
    @Override
    public long cost() {
      return items.stream().mapToInt(item -> item.entry().content().remaining()).sum();
    }

    /** Returns the highest count of a stamp. */
    public long highestCount() {
      return items.stream().mapToLong(item -> item.entry().stamp().count()).max().orElse(0);
    }
  }

  /**
   * An entry in a message.
   *
   * @param ageMillis how long ago it was deleted, or its owner was last present; else 0
   */
  record Item(MapName map, Entry entry, long ageMillis) {}

  /** The acknowledgement: the receiver has handled the last message. */
  record Ack() implements ValuesMessage {}
}
