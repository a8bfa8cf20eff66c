package io.treecast.collectives.values;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries of a map at a member, and their common hash. */
final class ValueMap {
  /** An entry, and the time from which it ages. */
  static final class Slot {
    final Entry entry;
    final long hash;
    long agesSinceNanos;

    Slot(Entry entry, long agesSinceNanos) {
      this.entry = entry;
      this.hash = entry.hash();
      this.agesSinceNanos = agesSinceNanos;
    }
  }

  /** The time of an entry that does not age. */
  static final long AGELESS = Long.MAX_VALUE;

  private final TreeMap<String, Slot> slots = new TreeMap<>();
  private long hash;
  private long bytes;

  @Nullable Slot slot(String key) {
    return slots.get(key);
  }

  void put(Slot slot) {
    remove(slot.entry.key());
    slots.put(slot.entry.key(), slot);
    hash += slot.hash;
    bytes += slot.entry.cost();
  }

  void remove(String key) {
    Slot slot = slots.remove(key);
    if (slot != null) {
      hash -= slot.hash;
      bytes -= slot.entry.cost();
    }
  }

  SortedMap<String, Slot> slots() {
    return slots;
  }

  SortedMap<String, Slot> between(String from, @Nullable String to) {
    return to == null ? slots.tailMap(from, true) : slots.subMap(from, to);
  }

  /** Returns the hash of all entries, which does not depend on their order. */
  long hash() {
    return hash;
  }

  long bytes() {
    return bytes;
  }
}
