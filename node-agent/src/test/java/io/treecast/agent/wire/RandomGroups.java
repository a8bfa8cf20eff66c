package io.treecast.agent.wire;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupMessage;
import io.treecast.collectives.group.GroupMessage.Answer;
import io.treecast.collectives.group.GroupMessage.ListRequest;
import io.treecast.collectives.group.GroupMessage.Part;
import io.treecast.collectives.group.GroupMessage.Report;
import io.treecast.collectives.group.GroupMessage.ViewUpdate;
import io.treecast.collectives.group.GroupMessage.Wake;
import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Random messages about groups, with all fields in their ranges. */
final class RandomGroups {
  private final Random random;
  private final Supplier<NodeId> node;

  RandomGroups(Random random, Supplier<NodeId> node) {
    this.random = random;
    this.node = node;
  }

  List<GroupMessage> oneOfEachKind() {
    GroupView.Id view = view();
    TreeMap<GroupPath, Integer> sizes = new TreeMap<>();
    sizes.put(path(), random.nextInt(100));
    sizes.put(path(), random.nextInt(100));
    return List.of(
        new Wake(),
        new Report(
            view.epoch(),
            random.nextBoolean(),
            random.nextBoolean(),
            Stream.generate(() -> new Part(path(), random.nextBoolean(), nodes(), nodes()))
                .limit(random.nextInt(4))
                .toList()),
        new ViewUpdate(view, random.nextLong(view.number()), nodes(), nodes()),
        new ListRequest(node.get(), random.nextLong()),
        new Answer(node.get(), random.nextLong(), new GroupList(sizes, random.nextBoolean())));
  }

  GroupView.Id view() {
    TreeEpoch epoch = new TreeEpoch(1 + random.nextInt(1_000), node.get(), random.nextLong());
    return new GroupView.Id(path(), epoch, 1 + random.nextInt(1_000));
  }

  private GroupPath path() {
    String name = "g" + random.nextInt(100);
    return new GroupPath(random.nextBoolean() ? name : name + "/x-Y_9.");
  }

  private SortedSet<NodeId> nodes() {
    TreeSet<NodeId> nodes = new TreeSet<>();
    Stream.generate(node).limit(random.nextInt(4)).forEach(nodes::add);
    return nodes;
  }
}
