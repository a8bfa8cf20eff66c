package io.treecast.testkit.network;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * How long broadcasts over a network take, in a model that knows delay only: one way over a link
 * takes half its round trip, sending and forwarding take no time, and all copies of a node leave at
 * once. So what it says is a lower bound for what agents can measure.
 *
 * <p>A hop takes its link, even where a way around would be quicker; a hop without a link takes the
 * quickest way.
 *
 * <p>Remembers the shortest paths that it computed, up to {@value #MAX_REMEMBERED_TIMES} times of
 * eight bytes. Single-threaded.
 */
public final class BroadcastTimes {
  /** Most shortest-path times that are remembered; what is beyond is computed again when asked. */
  public static final int MAX_REMEMBERED_TIMES = 32 << 20;

  /** Stands for the time to a node that cannot be reached. */
  public static final long NOT_REACHED = Long.MAX_VALUE;

  private static final long UNREACHABLE = Long.MAX_VALUE;

  private record Reached(long rttMicros, int node) {}

  private final Topology network;
  private final long[] @Nullable [] shortestFrom;
  private int remembered;

  /** Times over this network. */
  public BroadcastTimes(Topology network) {
    this.network = network;
    this.shortestFrom = new long[network.nodes()][];
  }

  /**
   * The time that no broadcast from there can beat: to the node that is farthest by shortest paths,
   * among those that can be reached.
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
   * Returns the times to all nodes from there, by shortest paths; {@link #NOT_REACHED} where none
   * leads.
   */
  public long[] shortestNanos(int source) {
    return Arrays.stream(shortest(source))
        .map(micros -> micros == UNREACHABLE ? NOT_REACHED : oneWayNanos(micros))
        .toArray();
  }

  /**
   * Returns how long a hop takes: over the link, or by the quickest way if there is none.
   *
   * @throws IllegalArgumentException if no way leads there
   */
  public long hopNanos(int sender, int receiver) {
    return oneWayNanos(hopRttMicros(sender, receiver));
  }

  /**
   * Returns when the last node has a broadcast of this shape.
   *
   * @throws IllegalArgumentException if the shape is of another network: it has another number of
   *     nodes, or a hop between nodes that this one does not join
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

  /** {@link #lastNanos} over {@link #limitNanos}; 1 where there is nobody to send to. */
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
          "no way from node " + sender + " to node " + receiver + " in this network");
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

  /** Round trips over shortest paths. Dijkstra, Numerische Mathematik 1, 1959, problem 2. */
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
