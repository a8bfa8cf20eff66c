package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.NodeId;
import io.treecast.mst.ShuffledMedium.Starvation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A weight that changes and changes back while the tree is cut for it. If the members come back to
 * the tree that all of them have, it stays committed under its version. The order of deliveries is
 * drawn.
 */
@Tag("seeded")
class KeptTreeTest {
  private static final long RUNS = 250 * Long.getLong("treecast.seeds.times", 1);

  private int cut;
  private int kept;
  private int announcedAgain;

  @Test
  void a_weight_that_changes_back_before_another_tree_is_committed_keeps_the_version() {
    for (long seed = 0; seed < RUNS; seed++) {
      run(seed, true);
    }

    assertThat(kept).isGreaterThan((int) RUNS / 8);
    assertThat(announcedAgain).isZero();
  }

  @Test
  void a_weight_that_stays_changed_leads_to_a_new_version() {
    for (long seed = 0; seed < RUNS / 5; seed++) {
      run(seed, false);
    }

    assertThat(cut).isPositive();
    assertThat(kept).isZero();
    assertThat(announcedAgain).isZero();
  }

  private void run(long seed, boolean changesBack) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    int size = 3 + random.nextInt(5);
    Network network =
        new Network(size, new ShuffledMedium(size, random, Starvation.NONE), new Coverage());
    for (int low = 0; low < size; low++) {
      for (int high = low + 1; high < size; high++) {
        network.linkFromTheStart(low, high, 100 + random.nextInt(100));
      }
    }
    network.startAll();
    rest(network);
    CommittedTree before = Objects.requireNonNull(network.node(0).committedTree());
    List<CommittedTree> later = new ArrayList<>();
    network.observe(new Commits(later));

    int one = random.nextInt(size);
    int other = (one + 1 + random.nextInt(size - 1)) % size;
    NodeId oneId = network.node(one).self();
    NodeId otherId = network.node(other).self();
    long weight = Objects.requireNonNull(network.weight(oneId, otherId)).cost();
    network.reweigh(one, other, before.hasEdge(oneId, otherId) ? 900 : 1);
    boolean wasCut = false;
    int steps = changesBack ? random.nextInt(40) : Integer.MAX_VALUE;
    for (int step = 0; step < steps && !network.isQuiet(); step++) {
      network.step();
      wasCut |= isMerging(network);
    }
    if (changesBack) {
      network.reweigh(one, other, weight);
      rest(network);
    }
    new RestingState(network).verify();
    cut += wasCut ? 1 : 0;
    kept += wasCut && later.isEmpty() ? 1 : 0;
    boolean isSame = later.stream().allMatch(tree -> tree.edges().equals(before.edges()));
    announcedAgain += isSame && !later.isEmpty() ? 1 : 0;
  }

  private static void rest(Network network) {
    while (!network.isQuiet()) {
      network.step();
    }
  }

  private static boolean isMerging(Network network) {
    return network.aliveNodes().stream().anyMatch(node -> node.phase() != NodePhase.COMMITTED);
  }

  /** Collects the trees that nodes commit. */
  private record Commits(List<CommittedTree> trees) implements Network.Observer {
    @Override
    public void received(Packet packet) {
      // Only commits matter.
    }

    @Override
    public void lost(Packet packet) {
      // Only commits matter.
    }

    @Override
    public void committed(int node, CommittedTree tree) {
      trees.add(tree);
    }
  }
}
