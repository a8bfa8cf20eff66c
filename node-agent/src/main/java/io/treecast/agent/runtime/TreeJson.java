package io.treecast.agent.runtime;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The page {@code /tree.json}. */
final class TreeJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private TreeJson() {}

  static String of(AgentSnapshot snapshot) {
    ObjectNode page = JSON.createObjectNode();
    page.put("node", snapshot.self().id().toString());
    page.put("ready", snapshot.tree().ready());
    page.put("reason", snapshot.tree().reason());
    CommittedTree tree = snapshot.tree().tree();
    if (tree != null) {
      page.put("version", tree.version());
      page.put("root", tree.root().toString());
      page.put("weightMillis", tree.weightMicros() / 1e3);
      ArrayNode edges = page.putArray("tree");
      for (LinkWeight edge : tree.edges()) {
        edges
            .addObject()
            .put("a", edge.low().toString())
            .put("b", edge.high().toString())
            .put("weightMillis", edge.rttMicros() / 1e3);
      }
    }
    return JSON.writeValueAsString(page) + "\n";
  }
}
