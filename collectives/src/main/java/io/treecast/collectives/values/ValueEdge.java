package io.treecast.collectives.values;

import io.treecast.collectives.values.ValuesMessage.Digest;
import io.treecast.collectives.values.ValuesMessage.Item;
import io.treecast.collectives.values.ValuesMessage.Summary;
import io.treecast.collectives.values.ValuesMessage.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries to send to a neighbour. One message is under way at a time; changes meanwhile merge,
 * so the backlog is bounded by the size of the state.
 */
final class ValueEdge {
  /** The place of an entry. */
  record Place(MapName map, String key) {}

  private record Part(String from, @Nullable String to, boolean isReply) {
    Part with(Part other) {
      return new Part(
          from.compareTo(other.from) < 0 ? from : other.from,
          to == null || other.to == null ? null : to.compareTo(other.to) > 0 ? to : other.to,
          isReply && other.isReply);
    }
  }

  private final SortedMap<MapName, ValueMap> maps;
  private final Set<Place> changes = new LinkedHashSet<>();
  private final SortedMap<MapName, Part> digests = new TreeMap<>();

  /** The entries of the update that is under way. */
  private final Map<Place, Entry> sent = new HashMap<>();

  private boolean isSummaryDue;
  private boolean isWaiting;

  /** Whether the committed tree has this edge. */
  boolean isOfTree;

  ValueEdge(SortedMap<MapName, ValueMap> maps) {
    this.maps = maps;
  }

  /** Notes that the states of both ends must be compared. */
  void compare() {
    isSummaryDue = true;
  }

  /** Notes that the neighbour may lack this entry. */
  void add(MapName map, Entry entry) {
    Place place = new Place(map, entry.key());
    if (!entry.equals(sent.get(place))) {
      changes.add(place);
    }
  }

  void acknowledged() {
    isWaiting = false;
    sent.clear();
  }

  /** Compares a neighbour's state with that of this member. */
  void compare(Summary summary) {
    maps.forEach(
        (name, map) -> {
          if (!summary.hashes().containsKey(name)) {
            map.slots().values().forEach(slot -> add(name, slot.entry));
          }
        });
    summary
        .hashes()
        .forEach(
            (name, hash) -> {
              ValueMap map = maps.get(name);
              if (map == null || map.hash() != hash) {
                digests.merge(name, new Part("", null, false), Part::with);
              }
            });
  }

  /** Compares a part of a map. */
  void compare(Digest digest) {
    ValueMap map = maps.get(digest.map());
    SortedMap<String, ValueMap.Slot> own =
        map == null ? new TreeMap<>() : map.between(digest.from(), digest.to());
    own.forEach(
        (key, slot) -> {
          if (!Long.valueOf(slot.hash).equals(digest.hashes().get(key))) {
            add(digest.map(), slot.entry);
          }
        });
    boolean lacks =
        digest.hashes().entrySet().stream()
            .anyMatch(
                each -> {
                  ValueMap.Slot slot = own.get(each.getKey());
                  return slot == null || slot.hash != each.getValue();
                });
    if (lacks && !digest.isReply()) {
      digests.merge(digest.map(), new Part(digest.from(), digest.to(), true), Part::with);
    }
  }

  /** Returns the next message; null if nothing is due, or a message is under way. */
  @Nullable ValuesMessage next(long nowNanos) {
    if (isWaiting) {
      return null;
    }
    ValuesMessage next = null;
    if (isSummaryDue) {
      isSummaryDue = false;
      SortedMap<MapName, Long> hashes = new TreeMap<>();
      maps.forEach((name, map) -> hashes.put(name, map.hash()));
      next = new Summary(hashes);
    } else if (!digests.isEmpty()) {
      next = digest(digests.firstKey());
    } else if (!changes.isEmpty()) {
      next = update(nowNanos);
    }
    isWaiting = next != null;
    return next;
  }

  private Digest digest(MapName name) {
    Part part = Objects.requireNonNull(digests.remove(name), "a digest that is due");
    SortedMap<String, Long> hashes = new TreeMap<>();
    int bytes = 0;
    ValueMap map = maps.get(name);
    if (map != null) {
      for (ValueMap.Slot slot : map.between(part.from(), part.to()).values()) {
        bytes += slot.entry.key().length();
        if (hashes.size() == ValuesMessage.MAX_ENTRIES || bytes > ValuesMessage.MAX_BYTES) {
          String rest = slot.entry.key();
          digests.put(name, new Part(rest, part.to(), part.isReply()));
          return new Digest(name, part.from(), rest, hashes, part.isReply());
        }
        hashes.put(slot.entry.key(), slot.hash);
      }
    }
    return new Digest(name, part.from(), part.to(), hashes, part.isReply());
  }

  private @Nullable Update update(long nowNanos) {
    List<Item> items = new ArrayList<>();
    long bytes = 0;
    for (Iterator<Place> each = changes.iterator(); each.hasNext(); ) {
      Place place = each.next();
      ValueMap map = maps.get(place.map());
      ValueMap.Slot slot = map == null ? null : map.slot(place.key());
      if (slot != null) {
        bytes += slot.entry.cost();
        if (!items.isEmpty()
            && (items.size() == ValuesMessage.MAX_ENTRIES || bytes > ValuesMessage.MAX_BYTES)) {
          break;
        }
        long age = slot.agesSinceNanos == ValueMap.AGELESS ? 0 : nowNanos - slot.agesSinceNanos;
        items.add(new Item(place.map(), slot.entry, Math.max(0, age) / 1_000_000));
        sent.put(place, slot.entry);
      }
      each.remove();
    }
    return items.isEmpty() ? null : new Update(items);
  }
}
