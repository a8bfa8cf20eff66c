package io.treecast.testkit.compare;

import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Broadcasts whose sends occupy the sender for a fixed time, as blocking sends do. A node sends its
 * copies one after the other, first to the child with the longest path below it, and handles
 * broadcasts in order. The source starts the next broadcast after the last copy of the previous
 * one. Immutable.
 */
public final class BlockingSends {
  private final int source;
  private final long sendNanos;
  private final List<Integer> order;
  private final List<List<Integer>> children;
  private final long[] hopNanos;

  /**
   * Prepares broadcasts of one shape.
   *
   * @param sendNanos duration of a send at its sender, at least 0
   */
  public BlockingSends(Topology network, BroadcastShape shape, long sendNanos) {
    this.source = shape.source();
    this.sendNanos = sendNanos;
    this.order = shape.nodesInOrder();
    this.children = new ArrayList<>();
    this.hopNanos = new long[network.nodes()];
    BroadcastTimes times = new BroadcastTimes(network);
    for (int node = 0; node < network.nodes(); node++) {
      children.add(new ArrayList<>());
    }
    long[] belowNanos = new long[network.nodes()];
    for (int i = order.size() - 1; i > 0; i--) {
      int node = order.get(i);
      int sender = shape.sender(node);
      hopNanos[node] = times.hopNanos(sender, node);
      belowNanos[sender] = Math.max(belowNanos[sender], hopNanos[node] + belowNanos[node]);
      children.get(sender).add(node);
    }
    Comparator<Integer> longestFirst =
        Comparator.comparingLong(node -> -hopNanos[node] - belowNanos[node]);
    children.forEach(list -> list.sort(longestFirst.thenComparing(Comparator.naturalOrder())));
  }

  /**
   * Returns the time from the first send until the last node has the last of a number of
   * broadcasts.
   */
  public long lastNanos(int broadcasts) {
    long[] freeNanos = new long[hopNanos.length];
    long[] arrivalNanos = new long[hopNanos.length];
    long last = 0;
    for (int broadcast = 0; broadcast < broadcasts; broadcast++) {
      arrivalNanos[source] = freeNanos[source];
      for (int node : order) {
        long atNanos = Math.max(freeNanos[node], arrivalNanos[node]);
        for (int child : children.get(node)) {
          atNanos += sendNanos;
          arrivalNanos[child] = atNanos + hopNanos[child];
          last = Math.max(last, arrivalNanos[child]);
        }
        freeNanos[node] = atNanos;
      }
    }
    return last;
  }
}
