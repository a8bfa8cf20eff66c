package io.treecast.cli.cluster;

import io.treecast.cli.output.Terminal;
import io.treecast.cli.tree.Sites;
import io.treecast.cli.tree.TreeDrawing;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.MatrixFile.NamedNetwork;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.Topology;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names and sites of a network's nodes. The agents of a cluster have the numbers of the nodes
 * for ids; output for people has the names of the matrix. Immutable.
 *
 * @param network the network and the names
 * @param sites the site of each node
 */
public record Places(NamedNetwork network, NodeSites sites) {

  /** Returns nodes without names, in sites of equal size. */
  public static Places ofNumbers(Topology topology, int siteSize) {
    return new Places(
        NamedNetwork.ofNumbers(topology), NodeSites.ofSize(topology.nodes(), siteSize));
  }

  /** Returns the network. */
  public Topology topology() {
    return network.topology();
  }

  /** Returns the name of a node; the number of a node that the network does not have. */
  public String name(int node) {
    return node < network.names().size() ? network.names().get(node) : Integer.toString(node);
  }

  /** Returns the name of an agent. */
  public String name(NodeId id) {
    return name(ClusterReport.number(id));
  }

  /** Returns an edge by the names of its ends, for example {@code 4-6} or {@code paris-rome}. */
  public String name(LinkWeight edge) {
    return name(edge.low()) + "-" + name(edge.high());
  }

  /** Puts a node: its number, or its name if nodes have names. */
  public void put(ObjectNode json, String key, NodeId id) {
    if (network.hasNames()) {
      json.put(key, name(id));
    } else {
      json.put(key, ClusterReport.number(id));
    }
  }

  /** Adds a node at the end of an array. */
  public void add(ArrayNode json, int node) {
    if (network.hasNames()) {
      json.add(name(node));
    } else {
      json.add(node);
    }
  }

  /** Draws a tree of the network for this terminal. */
  public String draw(CommittedTree tree) {
    return TreeDrawing.draw(
        tree, TreeDrawing.Style.of(treeSites(tree), Terminal.charset()).withNames(this::name));
  }

  private Sites treeSites(CommittedTree tree) {
    Map<NodeId, String> names = new HashMap<>();
    for (NodeId member : tree.members()) {
      int node = ClusterReport.number(member);
      if (node < topology().nodes()) {
        names.put(member, Objects.requireNonNull(sites.nameOf(node)));
      }
    }
    return Sites.named(names);
  }
}
