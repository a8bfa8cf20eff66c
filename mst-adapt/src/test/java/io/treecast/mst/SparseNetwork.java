package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.EventCosts.Cost;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Many nodes with a few random links each, and round-trip times of up to a second, all drawn from a
 * seed. A message takes half the round-trip time.
 */
final class SparseNetwork {
  private static final int MAX_RTT_MICROS = 1_000_000;

  private final int size;
  private final Random random;
  private final Map<Long, Long> rttMicros = new HashMap<>();
  private final EventCosts costs;
  private final Network network;

  /** A network with this average degree: half as many links per node. */
  SparseNetwork(int size, int degree, long seed) {
    this.size = size;
    this.random = new Random(seed);
    this.costs =
        new EventCosts(
            size,
            new TimedMedium(size, (from, to) -> rttMicros.getOrDefault(key(from, to), 0L) / 2));
    this.network = costs.network();
    for (int i = 1; i < size; i++) {
      link(random.nextInt(i), i);
    }
    while (rttMicros.size() < (long) size * degree / 2) {
      link(random.nextInt(size), random.nextInt(size));
    }
  }

  private void link(int one, int other) {
    if (one != other && !network.isUp(one, other)) {
      long rtt = drawRttMicros();
      rttMicros.put(key(one, other), rtt);
      network.linkFromTheStart(one, other, rtt);
    }
  }

  private long key(int one, int other) {
    return (long) Math.min(one, other) * size + Math.max(one, other);
  }

  private long drawRttMicros() {
    return 1L + random.nextInt(MAX_RTT_MICROS);
  }

  Cost build() {
    return costs.of(network::startAll);
  }

  Network network() {
    return network;
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(network.aliveNodes().get(0).committedTree());
  }

  private static int[] endsOf(LinkWeight link) {
    return new int[] {
      Integer.parseInt(link.low().toString()), Integer.parseInt(link.high().toString())
    };
  }

  /** A random edge of the tree. */
  int[] treeEdge() {
    List<LinkWeight> edges = tree().edges();
    return endsOf(edges.get(random.nextInt(edges.size())));
  }

  /** A random link outside the tree. */
  int[] otherLink() {
    while (true) {
      List<int[]> links = network.linkEnds();
      int[] ends = links.get(random.nextInt(links.size()));
      AdaptiveTree low = network.node(ends[0]);
      if (!tree().neighbours(low.self()).contains(network.node(ends[1]).self())) {
        return ends;
      }
    }
  }

  int anyNode() {
    return random.nextInt(size);
  }

  Cost lose(int[] link) {
    return costs.of(() -> network.linkDown(link[0], link[1]));
  }

  /** Brings the link up again with its former round-trip time. */
  Cost regain(int[] link) {
    return costs.of(
        () -> network.linkUp(link[0], link[1], rttMicros.getOrDefault(key(link[0], link[1]), 1L)));
  }

  Cost reweigh(int[] link, long micros) {
    return costs.of(
        () -> {
          rttMicros.put(key(link[0], link[1]), micros);
          network.reweigh(link[0], link[1], micros);
        });
  }

  Cost crash(int node) {
    return costs.of(() -> network.crash(node));
  }

  Cost restart(int node) {
    return costs.of(
        () -> {
          network.restart(node);
          for (int peer = 0; peer < size; peer++) {
            Long rtt = peer == node ? null : rttMicros.get(key(node, peer));
            if (rtt != null) {
              network.linkUp(node, peer, rtt);
            }
          }
        });
  }

  long rttMicros(int[] link) {
    return rttMicros.getOrDefault(key(link[0], link[1]), 0L);
  }

  /** The longest one-way path through the tree. */
  long diameterMillis() {
    return TreeDiameter.oneWayMicros(tree()) / 1_000;
  }
}
