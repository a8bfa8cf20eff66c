package io.treecast.collectives.broadcast;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The edges along which the nodes of a replication run should send, and the trees that they commit.
 */
final class ReplicationShapes {
  private final Random random;
  private final RunKind kind;
  private final boolean ordered;
  private final Map<NodeId, SimulatedNode> nodes;
  private final List<SimulatedLink> links;
  private final List<CommittedTree> trees;
  private final RunCoverage coverage;

  /** Whether uploads have edges different from those of messages. */
  private final boolean ownUploadEdges;

  private final boolean hasRings;
  private long version;

  /**
   * Creates the shapes of a network of one seed.
   *
   * @param nodes the live nodes
   * @param links receives the links that are needed
   * @param trees receives the proposed trees, in the order of their versions
   * @param hasRings whether uploads often go round a ring, and at last
   */
  ReplicationShapes(
      Random random,
      RunKind kind,
      boolean ordered,
      Map<NodeId, SimulatedNode> nodes,
      List<SimulatedLink> links,
      List<CommittedTree> trees,
      RunCoverage coverage,
      boolean hasRings) {
    this.random = random;
    this.kind = kind;
    this.ordered = ordered;
    this.nodes = nodes;
    this.links = links;
    this.trees = trees;
    this.coverage = coverage;
    this.hasRings = hasRings;
    this.ownUploadEdges = hasRings || (!ordered && random.nextBoolean());
  }

  private SimulatedNode node(NodeId id) {
    return Objects.requireNonNull(nodes.get(id));
  }

  private NodeId any() {
    return List.copyOf(nodes.keySet()).get(random.nextInt(nodes.size()));
  }

  /**
   * Makes nodes send along other edges: those of a tree or a forest, perhaps with others beside;
   * perhaps the tree is committed.
   */
  void reshape(boolean last) {
    reshapeMessages(last);
    if (ownUploadEdges && (last || random.nextInt(3) > 0)) {
      reshapeUploads(last);
    }
  }

  /** Gives uploads other edges: of a tree of all in the end, or any. */
  private void reshapeUploads(boolean last) {
    List<NodeId> members = new ArrayList<>(nodes.keySet());
    Collections.shuffle(members, random);
    if (hasRings && members.size() > 2 && (last || random.nextBoolean())) {
      sendUploadsRound(members);
      return;
    }
    Map<NodeId, SortedSet<NodeId>> edges = new HashMap<>();
    members.forEach(id -> edges.put(id, new TreeSet<>()));
    for (int i = 1; i < members.size(); i++) {
      if (last || random.nextInt(6) > 0) {
        join(edges, members.get(i), members.get(random.nextInt(i)));
      }
    }
    edges.forEach((id, neighbours) -> node(id).uploadEdges.hold(new TreeSet<>(neighbours)));
    if (!last) {
      joinSomeBeside(edges);
    }
    edges.forEach(
        (id, neighbours) -> {
          node(id).uploadEdges.want(neighbours);
          node(id).uploadEdges.expect(null);
        });
    coverage.count("uploads along other edges");
  }

  /** Each sends to the next; the last holds nothing for the first. */
  private void sendUploadsRound(List<NodeId> members) {
    for (int i = 0; i < members.size(); i++) {
      NodeId id = members.get(i);
      NodeId next = members.get((i + 1) % members.size());
      link(node(id), node(next));
      node(id).uploadEdges.hold(i + 1 == members.size() ? Set.of() : Set.of(next));
      node(id).uploadEdges.want(new TreeSet<>(Set.of(next)));
      node(next).uploadEdges.expect(id);
    }
    coverage.count("uploads round a ring");
  }

  private void reshapeMessages(boolean last) {
    List<NodeId> members = new ArrayList<>(nodes.keySet());
    Collections.shuffle(members, random);
    int reach = 1 + random.nextInt(members.size());
    int cuts =
        last || kind.allStay() || random.nextInt(ordered ? 2 : 3) > 0 ? 0 : 1 + random.nextInt(3);
    Map<NodeId, SortedSet<NodeId>> edges = new HashMap<>();
    members.forEach(id -> edges.put(id, new TreeSet<>()));
    Map<NodeId, List<LinkWeight>> trees = new HashMap<>();
    Map<NodeId, NodeId> root = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      NodeId id = members.get(i);
      NodeId parent = i == 0 ? id : members.get(Math.max(0, i - 1 - random.nextInt(reach)));
      if (i == 0 || (cuts > 0 && random.nextInt(members.size()) < cuts)) {
        root.put(id, id);
        trees.put(id, new ArrayList<>());
      } else {
        NodeId top = Objects.requireNonNull(root.get(parent));
        root.put(id, top);
        trees.getOrDefault(top, new ArrayList<>()).add(LinkWeight.between(id, parent, 1));
        join(edges, id, parent);
      }
    }
    if (last || random.nextInt(3) > 0) {
      trees.forEach((top, weights) -> propose(top, weights, root));
    }
    if (!last) {
      joinSomeBeside(edges);
    }
    wantMessagesAlong(edges);
  }

  private void joinSomeBeside(Map<NodeId, SortedSet<NodeId>> edges) {
    for (int extra = random.nextInt(4); extra > 0; extra--) {
      NodeId one = any();
      NodeId other = any();
      if (!one.equals(other)) {
        join(edges, one, other);
        coverage.count("edge beside the tree");
      }
    }
  }

  /** Uploads, too, unless they have edges of their own. */
  private void wantMessagesAlong(Map<NodeId, SortedSet<NodeId>> edges) {
    edges.forEach(
        (id, neighbours) -> {
          node(id).messageEdges.want(neighbours);
          if (!ownUploadEdges) {
            node(id).uploadEdges.want(neighbours);
          }
        });
  }

  private void propose(NodeId top, List<LinkWeight> edges, Map<NodeId, NodeId> root) {
    CommittedTree tree = new CommittedTree(++version, top, edges);
    trees.add(tree);
    root.forEach(
        (id, other) -> {
          if (other.equals(top)) {
            node(id).next = tree;
            if (!ownUploadEdges) {
              node(id).uploadEdges.hold(Set.copyOf(tree.neighbours(id)));
            }
          }
        });
  }

  private void join(Map<NodeId, SortedSet<NodeId>> edges, NodeId one, NodeId other) {
    Objects.requireNonNull(edges.get(one)).add(other);
    Objects.requireNonNull(edges.get(other)).add(one);
    link(node(one), node(other));
  }

  /** Links them, unless they have a link that is alive or not over for one of them. */
  private void link(SimulatedNode one, SimulatedNode other) {
    links.removeIf(SimulatedLink::isOver);
    if (!one.links.containsKey(other.id) && !other.links.containsKey(one.id)) {
      links.add(
          random.nextBoolean() ? new SimulatedLink(one, other) : new SimulatedLink(other, one));
    }
  }

  /** Replaces the links of the last tree by new ones. */
  void mend() {
    CommittedTree tree = trees.get(trees.size() - 1);
    tree.edges().forEach(e -> link(node(e.low()), node(e.high())));
    Map<NodeId, SortedSet<NodeId>> edges = new HashMap<>();
    nodes.keySet().forEach(id -> edges.put(id, new TreeSet<>(tree.neighbours(id))));
    wantMessagesAlong(edges);
    if (ownUploadEdges) {
      reshapeUploads(true);
    }
  }
}
