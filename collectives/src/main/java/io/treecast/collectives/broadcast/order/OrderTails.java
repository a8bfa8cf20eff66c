package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The part of a topic's order that members of a committed tree have decided and others may lack.
 * Members that were in the same epochs have decided the same entries in the same order, some
 * further than others. There is therefore one tail for each list of epochs, as far back as members
 * may lack entries. Where parts of a network have met, there are several.
 *
 * <p>A member does not report entries that it has evicted, so its tail may have holes in the
 * middle. The tails of members that have those entries show where they belong.
 */
final class OrderTails {
  /** The tails by the epochs in which they were decided, in the order in which they apply. */
  private final LinkedHashMap<List<TreeEpoch>, Set<OrderEntry>> tails = new LinkedHashMap<>();

  private int size;
  private boolean complete;

  /** Appends entries that a member has decided in these epochs. */
  void add(List<TreeEpoch> epochs, Collection<OrderEntry> entries) {
    if (!entries.isEmpty()) {
      Set<OrderEntry> known =
          tails.computeIfAbsent(List.copyOf(epochs), key -> new LinkedHashSet<>());
      size -= known.size();
      known.addAll(entries);
      size += known.size();
    }
  }

  /** Appends all tails of another set. */
  void addAll(OrderTails others) {
    others.tails.forEach(this::add);
  }

  /** Merges entries that others have decided, each at the place where it was decided. */
  void merge(OrderTails others) {
    others.tails.forEach(
        (epochs, tail) -> tails.merge(epochs, new LinkedHashSet<>(tail), OrderTails::merged));
    countSize();
  }

  /** Entries in both lists show where those in only one belong. */
  private static Set<OrderEntry> merged(Set<OrderEntry> one, Set<OrderEntry> other) {
    Set<OrderEntry> merged = new LinkedHashSet<>();
    ArrayDeque<OrderEntry> ofOne = new ArrayDeque<>();
    ArrayDeque<OrderEntry> ofOther = new ArrayDeque<>(other);
    for (OrderEntry entry : one) {
      if (!other.contains(entry)) {
        ofOne.add(entry);
      } else if (!merged.contains(entry)) {
        ArrayDeque<OrderEntry> before = new ArrayDeque<>();
        while (!entry.equals(ofOther.element())) {
          before.add(ofOther.remove());
        }
        addByPosition(ofOne, before, merged);
        merged.add(ofOther.remove());
      }
    }
    addByPosition(ofOne, ofOther, merged);
    return merged;
  }

  /**
   * Merges entries between the same common places, by their positions alone.
   *
   * <p>Both lists have entries there only if each member has evicted entries of the other. Entries
   * that were evicted because they were settled have been decided by all, so their place here does
   * not matter. Among the others, an entry placed later was decided later, except for entries from
   * another part of the network: those were decided after everything that the own part had placed
   * since. So the result is wrong only if parts have met, not everything has settled since, and
   * each of two members had no room for an entry of the other. Then a member that lags may get
   * these two entries in another order. To avoid that, members would have to report evicted
   * entries, too.
   */
  private static void addByPosition(
      ArrayDeque<OrderEntry> one, ArrayDeque<OrderEntry> other, Collection<OrderEntry> to) {
    while (!one.isEmpty() && !other.isEmpty()) {
      boolean isOne = one.element().position().compareTo(other.element().position()) < 0;
      to.add((isOne ? one : other).remove());
    }
    to.addAll(one);
    to.addAll(other);
    one.clear();
    other.clear();
  }

  /** Drops the entries of a forgotten stream: no member should wait for its content. */
  void forget(StreamId stream) {
    tails.values().forEach(tail -> tail.removeIf(entry -> entry.stream().equals(stream)));
    tails.values().removeIf(Set::isEmpty);
    countSize();
  }

  private void countSize() {
    size = tails.values().stream().mapToInt(Set::size).sum();
  }

  /** Marks the tails as complete. */
  void complete() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  int size() {
    return size;
  }

  boolean contains(OrderEntry entry) {
    return tails.values().stream().anyMatch(tail -> tail.contains(entry));
  }

  /** Returns all lists of epochs. */
  Set<List<TreeEpoch>> epochs() {
    return tails.keySet();
  }

  Collection<OrderEntry> tail(List<TreeEpoch> epochs) {
    return tails.getOrDefault(epochs, new LinkedHashSet<>());
  }

  /** Passes the tails on in parts that fit in a message; at least one. */
  void forEachPart(int most, BiConsumer<Map.Entry<List<TreeEpoch>, List<OrderEntry>>, Boolean> to) {
    List<Map.Entry<List<TreeEpoch>, List<OrderEntry>>> parts = new ArrayList<>();
    tails.forEach(
        (epochs, entries) ->
            EdgeMessage.parts(List.copyOf(entries), most)
                .forEach(part -> parts.add(Map.entry(epochs, part))));
    if (parts.isEmpty()) {
      parts.add(Map.entry(List.of(), List.of()));
    }
    for (int i = 0; i < parts.size(); i++) {
      to.accept(parts.get(i), i == parts.size() - 1);
    }
  }
}
