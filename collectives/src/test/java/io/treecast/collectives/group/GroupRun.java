package io.treecast.collectives.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/**
 * A random run from its seed: members join, leave and watch, streams break, members restart, and
 * the tree changes and divides.
 */
final class GroupRun implements LongFunction<String> {
  private static final List<GroupPath> PATHS =
      List.of(new GroupPath("a"), new GroupPath("a/x"), new GroupPath("a/y"), new GroupPath("b"));

  @Override
  public String apply(long seed) {
    try {
      new World(new Random(seed)).run();
      return "";
    } catch (RuntimeException | AssertionError failure) {
      return SeedSweep.failure(seed, failure, "GroupsSweepTest");
    }
  }

  private static final class World {
    private final Random random;
    private final GroupNetwork network;
    private final List<NodeId> ids = new ArrayList<>();
    private final List<Runnable> commits = new ArrayList<>();
    private boolean hasRestarted;
    private long version;

    World(Random random) {
      this.random = random;
      this.network = new GroupNetwork(random::nextInt);
      int members = 2 + random.nextInt(7);
      for (int i = 0; i < members; i++) {
        ids.add(NodeId.of("n" + i));
      }
      ids.forEach(network::add);
    }

    void run() {
      changeTree();
      settle();
      assertThat(network.sent).as("messages without groups").isEmpty();
      for (int step = 0; step < 300; step++) {
        act(random.nextInt(100));
      }
      if (!hasRestarted) {
        settle();
      }
      changeTree();
      settle();
      network.keepMemberships();
      network.sent.clear();
      changeTree();
      settle();
      network.assertViewsWentOnlyWhereWanted();
      network.sent.clear();
      ids.forEach(network::open);
      assertThat(network.sent).as("messages at rest").isEmpty();
    }

    private void settle() {
      while (!commits.isEmpty()) {
        commits.remove(0).run();
        network.deliver();
      }
      ids.forEach(network::open);
      network.congest(false);
      network.settle();
      network.assertRest(PATHS);
    }

    private void act(int choice) {
      NodeId id = ids.get(random.nextInt(ids.size()));
      GroupPath path = PATHS.get(random.nextInt(PATHS.size()));
      if (choice < 60) {
        network.deliver();
      } else if (choice < 70) {
        network.join(id, path);
      } else if (choice < 80) {
        network.leave(id, path);
      } else if (choice < 84) {
        network.watchOrNot(id, path);
      } else if (choice < 88 && network.streams() > 0) {
        network.close(random.nextInt(network.streams()));
      } else if (choice < 93) {
        network.open(id);
      } else if (choice < 95) {
        network.congest(choice == 93);
      } else if (choice < 98 && !commits.isEmpty()) {
        commits.remove(0).run();
      } else if (choice == 98 && random.nextInt(4) == 0) {
        hasRestarted = true;
        network.restart(id);
      } else if (choice == 99 && commits.isEmpty()) {
        changeTree();
      }
    }

    private void changeTree() {
      commits.clear();
      hasRestarted = false;
      version++;
      List<NodeId> order = new ArrayList<>(ids);
      Collections.shuffle(order, random);
      int cut = random.nextInt(3) == 0 ? 1 + random.nextInt(order.size() - 1) : order.size();
      plan(order.subList(0, cut));
      if (cut < order.size()) {
        plan(order.subList(cut, order.size()));
      }
      Collections.shuffle(commits, random);
    }

    private void plan(List<NodeId> part) {
      List<LinkWeight> edges = new ArrayList<>();
      for (int i = 1; i < part.size(); i++) {
        edges.add(LinkWeight.between(part.get(random.nextInt(i)), part.get(i), 1_000));
      }
      CommittedTree tree = new CommittedTree(version, part.get(0), edges);
      for (NodeId id : part) {
        commits.add(
            () -> {
              network.commit(id, tree);
              network.open(id);
            });
      }
    }
  }
}
