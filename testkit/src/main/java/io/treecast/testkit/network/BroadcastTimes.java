package io.treecast.testkit.network;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Durations of broadcasts over a network in a model of delay alone: one way over a link takes half
 * its round trip, sending and forwarding take no time, and all copies of a node leave at once. The
 * results are lower bounds of the times of real agents.
 *
 * <p>A hop takes its link, even if a detour is faster; a hop without a link takes the fastest path.
 *
 * <p>Caches computed shortest paths, up to {@value #MAX_REMEMBERED_TIMES} times of eight bytes.
 * Single-threaded.
 */
public final class BroadcastTimes {
  /** Limit of the cached shortest-path times; further ones are computed for each call. */
  public static final int MAX_REMEMBERED_TIMES = 32 << 20;

  /** The time to an unreachable node. */
  public static final long NOT_REACHED = Long.MAX_VALUE;

  private static final long UNREACHABLE = Long.MAX_VALUE;

  private record Reached(long rttMicros, int node) {}

  private final Topology network;
  private final long[] @Nullable [] shortestFrom;
  private int remembered;

  /** Creates an empty cache of the times over a network. */
  public BroadcastTimes(Topology network) {
    this.network = network;
    this.shortestFrom = new long[network.nodes()][];
  }

  /**
   * Returns the lower bound of the time of a broadcast from a source: the shortest path to the
   * farthest reachable node.
   */
  public long limitNanos(int source) {
    long farthest = 0;
    for (long rttMicros : shortest(source)) {
      if (rttMicros != UNREACHABLE) {
        farthest = Math.max(farthest, rttMicros);
      }
    }
    return oneWayNanos(farthest);
  }

  /**
   * Returns the times from a source to all nodes by shortest paths; {@link #NOT_REACHED} for
   * unreachable nodes.
   */
  public long[] shortestNanos(int source) {
    return Arrays.stream(shortest(source))
        .map(micros -> micros == UNREACHABLE ? NOT_REACHED : oneWayNanos(micros))
        .toArray();
  }

  /**
   * Returns the time of a hop over its link, or over the fastest path if there is no link.
   *
   * @throws IllegalArgumentException if the receiver is unreachable
   */
  public long hopNanos(int sender, int receiver) {
    return oneWayNanos(hopRttMicros(sender, receiver));
  }

  /**
   * Returns the time until the last node has a broadcast of a shape.
   *
   * @throws IllegalArgumentException if the shape is of another network: it has another number of
   *     nodes, or a hop between nodes that this network does not connect
   */
  public long lastNanos(BroadcastShape shape) {
    if (shape.nodes() != network.nodes()) {
      throw new IllegalArgumentException(
          "a broadcast over " + shape.nodes() + " nodes in a network of " + network.nodes());
    }
    long[] arrivalMicros = new long[network.nodes()];
    long last = 0;
    for (int node : shape.reached()) {
      int sender = shape.sender(node);
      if (node != sender) {
        arrivalMicros[node] = arrivalMicros[sender] + hopRttMicros(sender, node);
        last = Math.max(last, arrivalMicros[node]);
      }
    }
    return oneWayNanos(last);
  }

  /** Returns {@link #lastNanos} divided by {@link #limitNanos}; 1 without receivers. */
  public double ratio(BroadcastShape shape) {
    long limitNanos = limitNanos(shape.source());
    return limitNanos == 0 ? 1 : (double) lastNanos(shape) / limitNanos;
  }

  private long hopRttMicros(int sender, int receiver) {
    if (network.linked(sender, receiver)) {
      return network.rttMicros(sender, receiver);
    }
    long rttMicros = shortest(sender)[receiver];
    if (rttMicros == UNREACHABLE) {
      throw new IllegalArgumentException(
          "no path from node " + sender + " to node " + receiver + " in this network");
    }
    return rttMicros;
  }

  private long[] shortest(int source) {
    long[] known = shortestFrom[source];
    if (known != null) {
      return known;
    }
    long[] computed = dijkstra(source);
    if ((remembered + 1L) * network.nodes() <= MAX_REMEMBERED_TIMES) {
      shortestFrom[source] = computed;
      remembered++;
    }
    return computed;
  }

  /**
   * Returns the round trips over shortest paths. Dijkstra, Numerische Mathematik 1, 1959, problem
   * 2.
   */
  private long[] dijkstra(int source) {
    long[] best = new long[network.nodes()];
    Arrays.fill(best, UNREACHABLE);
    best[source] = 0;
    PriorityQueue<Reached> frontier =
        new PriorityQueue<>(Comparator.comparingLong(Reached::rttMicros));
    frontier.add(new Reached(0, source));
    for (Reached next = frontier.poll(); next != null; next = frontier.poll()) {
      long soFar = next.rttMicros();
      if (soFar > best[next.node()]) {
        continue;
      }
      network.forEachNeighbour(
          next.node(),
          (neighbour, rttMicros) -> {
            if (soFar + rttMicros < best[neighbour]) {
              best[neighbour] = soFar + rttMicros;
              frontier.add(new Reached(best[neighbour], neighbour));
            }
          });
    }
    return best;
  }

  private static long oneWayNanos(long rttMicros) {
    return rttMicros * 500;
  }
}
