package io.treecast.testkit.junit;

import io.treecast.testkit.network.RandomGraphs;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Kinds of networks for tests. */
public enum TestNetwork {
  /** The first nodes of the {@link ReferenceNetwork}, at most 24, the same for each seed. */
  REFERENCE {
    @Override
    public Topology of(int nodes, long seed) {
      return ReferenceNetwork.topology().firstNodes(nodes);
    }
  },

  /** Sites of four, 0.2 ms within and 10 to 300 ms between them; all pairs are linked. */
  SITES {
    @Override
    public Topology of(int nodes, long seed) {
      Random random = new Random(seed);
      int sites = (nodes + SITE_SIZE - 1) / SITE_SIZE;
      long[][] between = new long[sites][sites];
      for (long[] row : between) {
        for (int i = 0; i < sites; i++) {
          row[i] = 10_000L + random.nextInt(290_000);
        }
      }
      return complete(
          nodes,
          (low, high) ->
              low / SITE_SIZE == high / SITE_SIZE
                  ? 200
                  : between[low / SITE_SIZE][high / SITE_SIZE]);
    }
  },

  /** All pairs are linked, at 1 to 500 ms. */
  COMPLETE {
    @Override
    public Topology of(int nodes, long seed) {
      Random random = new Random(seed);
      return complete(nodes, (low, high) -> 1_000L * (1 + random.nextInt(500)));
    }
  },

  /** Four links per node on average, at up to 1 s; no node can join. */
  SPARSE {
    @Override
    public Topology of(int nodes, long seed) {
      return RandomGraphs.sparse(nodes, Math.min(4, Math.max(0, nodes - 1)), seed);
    }
  };

  private static final int SITE_SIZE = 4;

  /** Returns the network with a number of nodes for a seed. */
  public abstract Topology of(int nodes, long seed);

  private interface RoundTrips {
    long micros(int low, int high);
  }

  private static Topology complete(int nodes, RoundTrips roundTrips) {
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < nodes; low++) {
      for (int high = low + 1; high < nodes; high++) {
        links.add(new Link(low, high, roundTrips.micros(low, high)));
      }
    }
    return Topology.of(nodes, links);
  }
}
