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
 * What members of a committed tree have decided of a topic's order and others may lack. Members
 * that were in the same epochs have decided the same in the same order, one more of it than
 * another; so there is one tail for each list of epochs, as far back as it matters. Where parts of
 * a network have met, there are several.
 *
 * <p>What somebody has let go since, it does not tell; so its tail may lack places in the middle.
 * Where they belong shows in the tails of others that have them.
 */
final class OrderTails {
  /** By the epochs in which they were decided, in the order in which they are to be had. */
  private final LinkedHashMap<List<TreeEpoch>, Set<OrderEntry>> tails = new LinkedHashMap<>();

  private int size;
  private boolean complete;

  /** Adds what somebody has decided in these epochs, behind what is there. */
  void add(List<TreeEpoch> epochs, Collection<OrderEntry> entries) {
    if (!entries.isEmpty()) {
      Set<OrderEntry> known =
          tails.computeIfAbsent(List.copyOf(epochs), key -> new LinkedHashSet<>());
      size -= known.size();
      known.addAll(entries);
      size += known.size();
    }
  }

  /** Adds all of these, likewise. */
  void addAll(OrderTails others) {
    others.tails.forEach(this::add);
  }

  /** Adds what others have decided, each place where it was decided. */
  void merge(OrderTails others) {
    others.tails.forEach(
        (epochs, tail) -> tails.merge(epochs, new LinkedHashSet<>(tail), OrderTails::merged));
    countSize();
  }

  /** What is in both tells where that belongs which is in one only. */
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
   * Of what is between the same places, it is only known how it was placed.
   *
   * <p>There is something of both only if each has let go of what the other tells. What one let go
   * since it is settled, everybody has decided before, wherever it is put here. And what was placed
   * later was decided later, but for what came from another part of the network: that was decided
   * behind what its own part had placed since. So this is wrong only if parts have met, not all has
   * settled since, and each of the two had no room for something that the other has: then who lags
   * may get these two in another order than the two did. To know better, members would have to tell
   * of what they have let go, too.
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

  /** The stream was forgotten: nobody is to wait for what it had. */
  void forget(StreamId stream) {
    tails.values().forEach(tail -> tail.removeIf(entry -> entry.stream().equals(stream)));
    tails.values().removeIf(Set::isEmpty);
    countSize();
  }

  private void countSize() {
    size = tails.values().stream().mapToInt(Set::size).sum();
  }

  /** Everything has been said. */
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

  /** All lists of epochs. */
  Set<List<TreeEpoch>> epochs() {
    return tails.keySet();
  }

  Collection<OrderEntry> tail(List<TreeEpoch> epochs) {
    return tails.getOrDefault(epochs, new LinkedHashSet<>());
  }

  /** In parts that fit in a message; at least one. */
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
