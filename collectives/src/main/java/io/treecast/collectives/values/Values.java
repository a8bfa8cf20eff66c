package io.treecast.collectives.values;

import io.treecast.collectives.values.Entry.Kind;
import io.treecast.collectives.values.ValueMap.Slot;
import io.treecast.collectives.values.ValuesMessage.Ack;
import io.treecast.collectives.values.ValuesMessage.Digest;
import io.treecast.collectives.values.ValuesMessage.Item;
import io.treecast.collectives.values.ValuesMessage.Summary;
import io.treecast.collectives.values.ValuesMessage.Update;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A member's copy of the shared values.
 *
 * <p>The rule of a map is a total order of the entries of a key, and a member keeps the greatest
 * that it has seen. So members that have seen the same writes have the same entries, in whatever
 * order the writes arrived, and a message may arrive twice.
 *
 * <p>A change goes to all neighbours in the committed tree but the one that sent it, and stops
 * where it changes nothing. When an edge begins, and when the tree has gained members, neighbours
 * compare hashes of their maps, then of the entries of those that differ.
 *
 * <p>Two kinds of entries age: tombstones, and ephemeral entries whose owner is not in the tree. A
 * message states the age, so an entry ends at all members at nearly the same time, and an entry
 * that has ended at one member does not return from another.
 */
public final class Values {
  /** The highest count that a stamp may have: all below it fit in a number of JavaScript. */
  public static final long MAX_COUNT = (1L << 53) - 1;

  /** The longest delay with which an entry ends, so that one sweep finds many. */
  private static final long SWEEP_NANOS = 1_000_000_000L;

  /** The delay until the states are compared again, after space has become free. */
  private static final long RETRY_NANOS = 10_000_000_000L;

  private final NodeId self;
  private final long incarnation;
  private final ValuesLimits limits;
  private final ValuesEffects effects;
  private final SortedMap<MapName, ValueMap> maps = new TreeMap<>();
  private final SortedMap<NodeId, ValueEdge> edges = new TreeMap<>();
  private final SortedMap<Long, Item> held = new TreeMap<>();
  private Set<NodeId> present = new TreeSet<>();
  private Set<NodeId> neighbours = Set.of();
  private long highest;
  private long bytes;
  private long sweepNanos = Long.MAX_VALUE;

  /** Whether an entry was refused for lack of space. */
  private boolean isMissing;

  private long retryNanos = Long.MAX_VALUE;

  private long sentUpdates;
  private long sentMessages;
  private long takenEntries;
  private long refusedEntries;

  /**
   * Creates a copy without values.
   *
   * @param incarnation higher than that of each earlier start
   */
  public Values(NodeId self, long incarnation, ValuesLimits limits, ValuesEffects effects) {
    this.self = self;
    this.incarnation = incarnation;
    this.limits = limits;
    this.effects = effects;
    present.add(self);
  }

  /** Handles a committed tree. */
  public void treeCommitted(Set<NodeId> members, Collection<NodeId> treeNeighbours, long nowNanos) {
    boolean hasGrown = !present.containsAll(members);
    present = new TreeSet<>(members);
    neighbours = new TreeSet<>(treeNeighbours);
    maps.values().stream()
        .flatMap(map -> map.slots().values().stream())
        .forEach(slot -> follow(slot, nowNanos));
    edges.forEach(
        (neighbour, edge) -> {
          boolean isOfTree = neighbours.contains(neighbour);
          if (isOfTree && (hasGrown || !edge.isOfTree)) {
            compare(edge);
          }
          edge.isOfTree = isOfTree;
        });
    send(nowNanos);
  }

  /** Starts or stops the ageing of an ephemeral entry, by the presence of its owner in the tree. */
  private void follow(Slot slot, long nowNanos) {
    if (slot.entry.kind() == Kind.EPHEMERAL) {
      if (present.contains(slot.entry.stamp().origin())) {
        slot.agesSinceNanos = ValueMap.AGELESS;
      } else if (slot.agesSinceNanos == ValueMap.AGELESS) {
        slot.agesSinceNanos = nowNanos;
      }
      sweepBy(slot);
    }
  }

  /** Compares the states of both ends, unless this member has never seen a value. */
  private void compare(ValueEdge edge) {
    if (highest > 0) {
      edge.compare();
    }
  }

  /** Handles a data stream that is up. */
  public void opened(NodeId neighbour, long nowNanos) {
    ValueEdge edge = new ValueEdge(maps);
    edges.put(neighbour, edge);
    edge.isOfTree = neighbours.contains(neighbour);
    if (edge.isOfTree) {
      compare(edge);
    }
    send(nowNanos);
  }

  /** Handles a data stream that is down. */
  public void closed(NodeId neighbour) {
    edges.remove(neighbour);
  }

  /** Handles a neighbour's message. */
  public void received(NodeId neighbour, ValuesMessage message, long nowNanos) {
    ValueEdge edge = edges.get(neighbour);
    if (edge == null) {
      return;
    }
    if (message instanceof Ack) {
      edge.acknowledged();
    } else {
      if (message instanceof Summary summary) {
        edge.compare(summary);
      } else if (message instanceof Digest digest) {
        edge.compare(digest);
      } else if (message instanceof Update update) {
        update.items().forEach(item -> received(edge, item, nowNanos));
      }
      sentMessages++;
      effects.send(neighbour, new Ack());
    }
    send(nowNanos);
  }

  private void received(ValueEdge from, Item item, long nowNanos) {
    Entry entry = item.entry();
    highest = Math.max(highest, entry.stamp().count());
    Slot slot = new Slot(entry, ValueMap.AGELESS);
    if (ages(entry)) {
      slot.agesSinceNanos = nowNanos - item.ageMillis() * 1_000_000;
      if (isOver(slot, nowNanos)) {
        return;
      }
    }
    Slot own = slot(item.map(), entry.key());
    if (own != null && own.entry.stamp().equals(entry.stamp())) {
      // The owner was present later than this member knew.
      if (own.agesSinceNanos != ValueMap.AGELESS) {
        own.agesSinceNanos = Math.max(own.agesSinceNanos, slot.agesSinceNanos);
      }
    } else if (own == null || item.map().rule().replaces(entry, own.entry)) {
      take(item.map(), slot, from, nowNanos);
    }
  }

  private void take(MapName map, Slot slot, ValueEdge from, long nowNanos) {
    if (!fits(map, slot.entry)) {
      refusedEntries++;
      if (!isMissing) {
        isMissing = true;
        effects.full(map);
      }
      return;
    }
    takenEntries++;
    store(map, slot, from);
    if (isOfEndedCall(map, slot.entry)) {
      correct(map, slot.entry, nowNanos);
    }
  }

  /** Replaces an entry of an ended call by that of the present call, or deletes it. */
  private void correct(MapName map, Entry entry, long nowNanos) {
    String key = entry.key();
    long call = 0;
    for (Map.Entry<Long, Item> each : held.entrySet()) {
      Item item = each.getValue();
      if (isOf(item, map, key)) {
        call = each.getKey();
      }
    }
    Item item = held.get(call);
    if (item == null && entry.kind() != Kind.EPHEMERAL) {
      return;
    }
    if (item == null) {
      write(map, key, Kind.DELETED, 0, ByteBuffer.allocate(0), nowNanos);
    } else {
      write(map, key, Kind.EPHEMERAL, 0, item.entry().content(), nowNanos);
      held(call, map, key);
    }
  }

  private static boolean isOf(Item item, MapName map, String key) {
    return item.map().equals(map) && item.entry().key().equals(key);
  }

  private void held(long call, MapName map, String key) {
    Slot slot = slot(map, key);
    if (slot != null) {
      held.put(call, new Item(map, slot.entry, 0));
    }
  }

  /** Returns whether this member wrote or deleted an entry for a call that has ended. */
  private boolean isOfEndedCall(MapName map, Entry entry) {
    return entry.kind() != Kind.LASTING
        && entry.stamp().origin().equals(self)
        && held.values().stream()
            .noneMatch(item -> item.map().equals(map) && item.entry().equals(entry));
  }

  /** Returns whether the entry ages now. */
  private boolean ages(Entry entry) {
    return entry.kind() == Kind.DELETED
        || (entry.kind() == Kind.EPHEMERAL && !present.contains(entry.stamp().origin()));
  }

  private long endsNanos(Slot slot) {
    return slot.agesSinceNanos == ValueMap.AGELESS
        ? Long.MAX_VALUE
        : slot.agesSinceNanos
            + (slot.entry.kind() == Kind.DELETED ? limits.tombstoneNanos() : limits.absentNanos());
  }

  private boolean isOver(Slot slot, long nowNanos) {
    return endsNanos(slot) <= nowNanos;
  }

  private void sweepBy(Slot slot) {
    sweepNanos = Math.min(sweepNanos, endsNanos(slot));
  }

  private @Nullable Slot slot(MapName name, String key) {
    ValueMap map = maps.get(name);
    return map == null ? null : map.slot(key);
  }

  private boolean fits(MapName name, Entry entry) {
    ValueMap map = maps.get(name);
    Slot own = slot(name, entry.key());
    long more = (long) entry.cost() - (own == null ? 0 : own.entry.cost());
    return more <= 0
        || ((map != null || maps.size() < ValuesLimits.MAX_MAPS)
            && bytes + more <= limits.totalBytes()
            && (map == null ? 0 : map.bytes()) + more <= limits.mapBytes());
  }

  private void store(MapName name, Slot slot, @Nullable ValueEdge from) {
    ValueMap map = maps.computeIfAbsent(name, each -> new ValueMap());
    long before = map.bytes();
    map.put(slot);
    changedBytes(map.bytes() - before);
    sweepBy(slot);
    edges.values().stream()
        .filter(edge -> edge.isOfTree && edge != from)
        .forEach(edge -> edge.add(name, slot.entry));
    effects.changed(name, slot.entry.key());
  }

  private void changedBytes(long more) {
    bytes += more;
    if (more < 0 && isMissing && retryNanos == Long.MAX_VALUE) {
      retryNanos = 0;
    }
  }

  private Written write(
      MapName map, String key, Kind kind, double number, ByteBuffer content, long nowNanos) {
    long clock = Math.max(incarnation, effects.unixMicros());
    long count = Math.min(MAX_COUNT, Math.max(highest + 1, clock));
    Entry entry = new Entry(key, new Stamp(count, self, incarnation), kind, number, content);
    Slot own = slot(map, key);
    if (own != null && !map.rule().replaces(entry, own.entry)) {
      return Written.UNCHANGED;
    }
    if (!fits(map, entry)) {
      return Written.FULL;
    }
    highest = count;
    store(map, new Slot(entry, kind == Kind.DELETED ? nowNanos : ValueMap.AGELESS), null);
    return Written.STORED;
  }

  /** Puts an entry, which lasts. */
  public Written put(MapName map, String key, ByteBuffer content, long nowNanos) {
    Written written = write(map, key, Kind.LASTING, 0, content, nowNanos);
    send(nowNanos);
    return written;
  }

  /**
   * Puts an entry that ends with a call, also if earlier calls for the key are open.
   *
   * @param call a number that no other call of this incarnation has, from 1
   */
  public Written hold(long call, MapName map, String key, ByteBuffer content, long nowNanos) {
    Written written = write(map, key, Kind.EPHEMERAL, 0, content, nowNanos);
    if (written == Written.STORED) {
      held(call, map, key);
    }
    send(nowNanos);
    return written;
  }

  /** Ends the entry of a call, unless another write has replaced it. */
  public void release(long call, long nowNanos) {
    Item item = held.remove(call);
    Slot slot = item == null ? null : slot(item.map(), item.entry().key());
    if (item != null && slot != null && slot.entry.equals(item.entry())) {
      // Earlier calls for the key lost it to this one.
      held.values().removeIf(each -> isOf(each, item.map(), item.entry().key()));
      write(item.map(), item.entry().key(), Kind.DELETED, 0, ByteBuffer.allocate(0), nowNanos);
      send(nowNanos);
    }
  }

  /** Deletes an entry. */
  public Written delete(MapName map, String key, long nowNanos) {
    Slot slot = slot(map, key);
    if (slot == null || !slot.entry.isPresent()) {
      return Written.UNCHANGED;
    }
    Written written = write(map, key, Kind.DELETED, 0, ByteBuffer.allocate(0), nowNanos);
    send(nowNanos);
    return written;
  }

  /**
   * Offers a number to a map of best values.
   *
   * @param number not NaN
   */
  public Written offer(MapName map, double number, ByteBuffer content, long nowNanos) {
    Written written = write(map, "", Kind.LASTING, number, content, nowNanos);
    send(nowNanos);
    return written;
  }

  /** Returns the entry that readers see; null for an absent or deleted key. */
  public @Nullable Entry read(MapName map, String key) {
    Slot slot = slot(map, key);
    return slot == null || !slot.entry.isPresent() ? null : slot.entry;
  }

  /** Returns the entry or its tombstone; null for a key that was never written. */
  @Nullable Entry stored(MapName map, String key) {
    Slot slot = slot(map, key);
    return slot == null ? null : slot.entry;
  }

  /** Returns the entries of a map that readers see, in the order of their keys. */
  public List<Entry> read(MapName name) {
    ValueMap map = maps.get(name);
    return map == null
        ? List.of()
        : map.slots().values().stream().map(slot -> slot.entry).filter(Entry::isPresent).toList();
  }

  public List<MapName> names() {
    return List.copyOf(maps.keySet());
  }

  /** Removes entries that have ended, and compares states again, if due. */
  public void tick(long nowNanos) {
    if (sweepNanos <= nowNanos) {
      sweep(nowNanos);
    }
    if (retryNanos == 0) {
      retryNanos = nowNanos + RETRY_NANOS;
    } else if (retryNanos <= nowNanos) {
      retryNanos = Long.MAX_VALUE;
      isMissing = false;
      edges.values().stream().filter(edge -> edge.isOfTree).forEach(this::compare);
    }
    send(nowNanos);
  }

  private void sweep(long nowNanos) {
    sweepNanos = Long.MAX_VALUE;
    for (MapName name : names()) {
      ValueMap map = maps.get(name);
      if (map == null) {
        continue;
      }
      for (Slot slot : List.copyOf(map.slots().values())) {
        if (isOver(slot, nowNanos)) {
          map.remove(slot.entry.key());
          changedBytes(-slot.entry.cost());
          if (slot.entry.isPresent()) {
            effects.changed(name, slot.entry.key());
          }
        } else {
          sweepBy(slot);
        }
      }
      if (map.slots().isEmpty()) {
        maps.remove(name);
      }
    }
    sweepNanos = Math.max(sweepNanos, nowNanos + SWEEP_NANOS);
  }

  /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
  public long nextDeadlineNanos() {
    return Math.min(sweepNanos, retryNanos);
  }

  private void send(long nowNanos) {
    edges.forEach(
        (neighbour, edge) -> {
          ValuesMessage next = edge.next(nowNanos);
          if (next != null) {
            sentMessages++;
            sentUpdates += next instanceof Update ? 1 : 0;
            effects.send(neighbour, next);
          }
        });
  }

  public ValuesCounters counters() {
    int entries = 0;
    for (ValueMap map : maps.values()) {
      entries += (int) map.slots().values().stream().filter(slot -> slot.entry.isPresent()).count();
    }
    return new ValuesCounters(
        entries, bytes, sentUpdates, sentMessages, takenEntries, refusedEntries);
  }
}
