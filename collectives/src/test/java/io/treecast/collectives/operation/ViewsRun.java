package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.SECOND;
import static io.treecast.collectives.operation.CombiningNetwork.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * A random run from its seed: members of a view call an operation of it, or learn of a later view
 * first and call none of it, while messages are held up and the tree changes. All callers have the
 * result or none has; and all have it if each member has called before it learnt of a later view.
 */
final class ViewsRun implements LongFunction<String> {
  @Override
  public String apply(long seed) {
    try {
      new World(new Random(seed)).run();
      return "";
    } catch (RuntimeException | AssertionError failure) {
      return SeedSweep.failure(seed, failure, "ViewsOfGroupsTest");
    }
  }

  private static final class World {
    final Random random;
    final CombiningNetwork network = new CombiningNetwork();
    final List<String> names = new ArrayList<>();
    final List<String> uncalled = new ArrayList<>();
    final List<Long> calls = new ArrayList<>();
    final List<List<String>> held = new ArrayList<>();
    final GroupView view;
    long version;

    /** Whether a member learnt of a later view before its call, and so ends the operation. */
    boolean mayEnd;

    World(Random random) {
      this.random = random;
      int members = 3 + random.nextInt(4);
      for (int i = 0; i < members; i++) {
        names.add("n" + i);
      }
      TreeSet<NodeId> of = new TreeSet<>();
      names.subList(0, 2 + random.nextInt(members - 1)).forEach(name -> of.add(NodeId.of(name)));
      view =
          new GroupView(
              new GroupView.Id(new GroupPath("g"), new TreeEpoch(1, NodeId.of("n0"), 0), 1), of);
      of.forEach(member -> uncalled.add(member.toString()));
    }

    void run() {
      changeTree();
      for (int step = 0; step < 40; step++) {
        act(random.nextInt(20));
      }
      held.forEach(line -> network.release(line.get(0), line.get(1)));
      // All that have not called learn of the later view; the others have called, or will not.
      List.copyOf(uncalled).forEach(this::leaveBehind);
      network.pass(20 * SECOND);
      long completed =
          calls.stream().filter(call -> network.outcome(call) instanceof Completed).count();
      assertThat(completed)
          .as("calls with a result of " + calls.size())
          .isIn(mayEnd ? 0L : calls.size(), (long) calls.size());
      if (completed == 0) {
        calls.forEach(
            call -> assertThat(network.failed(call).reason()).isEqualTo(Reason.VIEW_CHANGED));
      }
    }

    private void act(int choice) {
      if (choice < 6 && !uncalled.isEmpty()) {
        String name = uncalled.remove(random.nextInt(uncalled.size()));
        calls.add(
            network.call(name, OperationExamples.sum("x").of(view), OperationExamples.longs(1)));
      } else if (choice < 7 && random.nextInt(3) == 0) {
        leaveBehind(names.get(random.nextInt(view.members().size())));
      } else if (choice < 11) {
        List<String> line = List.of(any(), any());
        held.add(line);
        network.hold(line.get(0), line.get(1));
      } else if (choice < 14 && !held.isEmpty()) {
        List<String> line = held.remove(random.nextInt(held.size()));
        network.release(line.get(0), line.get(1));
      } else if (choice < 15) {
        changeTree();
      } else if (choice < 18) {
        network.pass(random.nextInt(2_000) * SECOND / 1_000);
      }
    }

    private String any() {
      return names.get(random.nextInt(names.size()));
    }

    /** A member that has called takes part to the end; another may call, and is refused. */
    private void leaveBehind(String name) {
      mayEnd |= uncalled.contains(name);
      network.leaveBehind(name, view.id());
    }

    private void changeTree() {
      version++;
      List<String> order = new ArrayList<>(names);
      Collections.shuffle(order, random);
      StringBuilder edges = new StringBuilder();
      for (int i = 1; i < order.size(); i++) {
        edges
            .append(i == 1 ? "" : " ")
            .append(order.get(random.nextInt(i)))
            .append('-')
            .append(order.get(i));
      }
      network.commitAll(tree(version, order.get(0), edges.toString()));
    }
  }
}
