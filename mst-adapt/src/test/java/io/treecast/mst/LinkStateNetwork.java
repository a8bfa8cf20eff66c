package io.treecast.mst;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Builds the same tree by link-state routing, in virtual time, for comparison. The ends of a link
 * flood its state with a sequence number. Each node forwards a newer state once over each of its
 * other links, and computes the tree alone. Over a link that comes up, both ends send all states
 * they know.
 */
final class LinkStateNetwork {
  static final int BYTES_OF_HEADER = 16;
  static final int BYTES_OF_LINK = 12;

  private final int size;
  private final long[][] rttMicros;
  private final boolean[][] isUp;
  private final List<Map<Integer, LinkState>> known = new ArrayList<>();
  private final PriorityQueue<Arrival> arrivals =
      new PriorityQueue<>(
          Comparator.comparingLong(Arrival::atMicros).thenComparingLong(Arrival::number));
  private long number;
  private long nowMicros;
  private long lastNewsMicros;
  private int messages;
  private long bytes;

  /** The state of a link. A weight of 0 means that it is down. */
  private record LinkState(int link, long sequence, long rttMicros) {}

  private record Arrival(long atMicros, long number, int from, int to, List<LinkState> states) {}

  /**
   * The cost of an event.
   *
   * @param millis the time until the last node knew all states for the right tree
   */
  record Cost(int messages, long bytes, long millis) {}

  LinkStateNetwork(long[][] rttMicros) {
    this.size = rttMicros.length;
    this.rttMicros = rttMicros;
    this.isUp = new boolean[size][size];
    for (int i = 0; i < size; i++) {
      known.add(new HashMap<>());
    }
  }

  /**
   * Brings all links up. The lower end of each link floods its state, with all links of a node in
   * one message.
   */
  Cost build() {
    return cost(
        () -> {
          for (int one = 0; one < size; one++) {
            for (int other = 0; other < size; other++) {
              isUp[one][other] = one != other;
            }
          }
          for (int low = 0; low < size; low++) {
            List<LinkState> own = new ArrayList<>();
            for (int high = low + 1; high < size; high++) {
              own.add(new LinkState(low * size + high, 1, rttMicros[low][high]));
            }
            learn(low, low, own);
          }
        });
  }

  Cost reweigh(int one, int other, long micros) {
    return cost(
        () -> {
          rttMicros[one][other] = micros;
          rttMicros[other][one] = micros;
          originate(Math.min(one, other), one, other, micros);
        });
  }

  Cost lose(int one, int other) {
    return cost(() -> down(one, other));
  }

  Cost crash(int node) {
    return cost(
        () -> {
          for (int peer = 0; peer < size; peer++) {
            if (isUp[node][peer]) {
              isUp[node][peer] = false;
              isUp[peer][node] = false;
            }
          }
          for (int peer = 0; peer < size; peer++) {
            if (peer != node) {
              originate(peer, peer, node, 0);
            }
          }
        });
  }

  Cost isolate(int first, int last) {
    return cost(
        () -> {
          for (int one = first; one <= last; one++) {
            for (int other = 0; other < size; other++) {
              if (other < first || other > last) {
                down(one, other);
              }
            }
          }
        });
  }

  Cost heal(int first, int last) {
    return cost(
        () -> {
          for (int one = first; one <= last; one++) {
            for (int other = 0; other < size; other++) {
              if (other < first || other > last) {
                up(one, other);
              }
            }
          }
        });
  }

  private void down(int one, int other) {
    isUp[one][other] = false;
    isUp[other][one] = false;
    originate(one, one, other, 0);
    originate(other, one, other, 0);
  }

  private void up(int one, int other) {
    isUp[one][other] = true;
    isUp[other][one] = true;
    originate(one, one, other, rttMicros[one][other]);
    originate(other, one, other, rttMicros[one][other]);
    send(one, other, known.get(one).values());
    send(other, one, known.get(other).values());
  }

  /** Floods a change from both ends. Both use the same number, so that the two floods are one. */
  private void originate(int at, int one, int other, long micros) {
    int link = Math.min(one, other) * size + Math.max(one, other);
    LinkState before = known.get(at).get(link);
    if (before == null || before.rttMicros != micros) {
      learn(at, at, List.of(new LinkState(link, before == null ? 1 : before.sequence + 1, micros)));
    }
  }

  private void learn(int node, int from, Collection<LinkState> states) {
    List<LinkState> news = new ArrayList<>();
    for (LinkState state : states) {
      LinkState before = known.get(node).get(state.link);
      if (before == null || before.sequence < state.sequence) {
        known.get(node).put(state.link, state);
        news.add(state);
      }
    }
    if (!news.isEmpty()) {
      lastNewsMicros = nowMicros;
      for (int peer = 0; peer < size; peer++) {
        if (peer != from && isUp[node][peer]) {
          send(node, peer, news);
        }
      }
    }
  }

  private void send(int from, int to, Collection<LinkState> states) {
    messages++;
    bytes += BYTES_OF_HEADER + (long) BYTES_OF_LINK * states.size();
    arrivals.add(
        new Arrival(nowMicros + rttMicros[from][to] / 2, number++, from, to, List.copyOf(states)));
  }

  private Cost cost(Runnable event) {
    messages = 0;
    bytes = 0;
    long start = nowMicros;
    lastNewsMicros = start;
    event.run();
    while (!arrivals.isEmpty()) {
      Arrival next = arrivals.remove();
      nowMicros = next.atMicros;
      if (isUp[next.from][next.to]) {
        learn(next.to, next.from, next.states);
      }
    }
    return new Cost(messages, bytes, (lastNewsMicros - start) / 1_000);
  }

  /** Whether all nodes of the range know the same states. */
  boolean agree(int first, int last) {
    return known.subList(first, last + 1).stream().distinct().count() == 1;
  }
}
