package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.mst.CommittedTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The page {@code /tree.json}: the agent's trees, and the known properties of their members. The
 * text changes only with these. Stateless.
 */
final class TreeJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Faster links count as equal: {@link BandwidthWeight#MAX_STEP}. */
  private static final double FASTEST_MBPS = 1_000;

  private TreeJson() {}

  /** Returns the page for an agent's state; for the second argument see {@link AdminPages}. */
  static String of(AgentSnapshot snapshot, long siteMicros) {
    ObjectNode page = JSON.createObjectNode();
    page.put("node", snapshot.self().id().toString());
    page.put("ready", snapshot.tree().ready());
    page.put("reason", snapshot.tree().reason());
    CommittedTree tree = snapshot.tree().tree();
    if (tree != null) {
      page.put("version", tree.version());
      page.put("root", tree.root().toString());
      page.put("weightMillis", tree.weightMicros() / 1e3);
      addEdges(page.putArray("tree"), tree.edges());
    }
    ArrayNode absent = page.putArray("absent");
    for (LinkView link : snapshot.links()) {
      if (tree == null || !tree.hasMember(link.peer().id())) {
        absent.add(link.peer().id().toString());
      }
    }
    page.put("siteMillis", siteMicros / 1e3);
    ObjectNode sites = page.putObject("sites");
    addSite(sites, snapshot.self().id(), snapshot.site());
    snapshot.links().forEach(link -> addSite(sites, link.peer().id(), link.site()));
    page.put("measuresThroughput", snapshot.measuresThroughput());
    CommittedTree widest = snapshot.widestTree();
    if (widest != null) {
      ObjectNode json = page.putObject("widestTree");
      json.put("version", widest.version());
      json.put("root", widest.root().toString());
      addThroughput(json.putArray("tree"), widest.edges(), ownWeights(snapshot));
    }
    return JSON.writeValueAsString(page) + "\n";
  }

  private static void addSite(ObjectNode sites, NodeId node, @Nullable String site) {
    if (site != null) {
      sites.put(node.toString(), site);
    }
  }

  /** Adds edges with their round-trip weights. */
  static void addEdges(ArrayNode json, List<LinkWeight> edges) {
    for (LinkWeight edge : edges) {
      edge(json, edge).put("weightMillis", edge.cost() / 1e3);
    }
  }

  private static ObjectNode edge(ArrayNode edges, LinkWeight edge) {
    return edges.addObject().put("a", edge.low().toString()).put("b", edge.high().toString());
  }

  /**
   * Adds the throughput of each edge: the present one for the agent's own links, that of the commit
   * for others.
   */
  private static void addThroughput(
      ArrayNode json, List<LinkWeight> edges, Map<Edge, LinkWeight> own) {
    for (LinkWeight edge : edges) {
      LinkWeight now = own.getOrDefault(Edge.between(edge.low(), edge.high()), edge);
      long kbps = BandwidthWeight.kbps(now.cost());
      edge(json, edge)
          .put("throughputMbps", kbps == 0 ? null : (Double) Math.min(kbps / 1e3, FASTEST_MBPS))
          .put("atLeast", kbps / 1e3 >= FASTEST_MBPS);
    }
  }

  /** Returns the present weights of the agent's own links in the widest tree. */
  private static Map<Edge, LinkWeight> ownWeights(AgentSnapshot snapshot) {
    Map<Edge, LinkWeight> own = new HashMap<>();
    for (LinkView link : snapshot.links()) {
      LinkWeight weight = link.bandwidthWeight();
      if (weight != null) {
        own.put(Edge.between(weight.low(), weight.high()), weight);
      }
    }
    return own;
  }
}
