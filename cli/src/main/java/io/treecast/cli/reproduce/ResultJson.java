package io.treecast.cli.reproduce;

import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.reproduce.Figures;
import io.treecast.testkit.reproduce.Measure;
import io.treecast.testkit.reproduce.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A {@link Result} for programs. Stateless. */
final class ResultJson {
  /** Measures that are null if not known; other unknown measures are missing. */
  private static final List<Measure> ALWAYS =
      List.of(Measure.EDGES_REPLACED, Measure.CONTROL_MESSAGES, Measure.LAST_NODE_MILLIS);

  private ResultJson() {}

  static ObjectNode of(Result result) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", result.id());
    json.put("title", result.title());
    json.put("setUp", result.setUp());
    json.put("publishedText", result.published());
    ArrayNode rows = json.putArray("rows");
    for (Result.Row row : result.rows()) {
      ObjectNode item = rows.addObject();
      item.put("case", row.name());
      add(item.putObject("published"), row.published());
      add(item.putObject("own"), row.own());
    }
    ArrayNode trees = json.putArray("trees");
    for (Result.DrawnTree tree : result.trees()) {
      ObjectNode item = trees.addObject();
      item.put("title", tree.title());
      ArrayNode edges = item.putArray("edges");
      for (Link edge : tree.edges()) {
        edges
            .addObject()
            .put("a", edge.low())
            .put("b", edge.high())
            .put("weightMillis", edge.rttMicros() / 1e3);
      }
    }
    json.put("differs", result.differs());
    ArrayNode worse = json.putArray("worse");
    result.worse().forEach(worse::add);
    return json;
  }

  private static void add(ObjectNode json, Figures figures) {
    for (Measure measure : Measure.values()) {
      Double value = figures.get(measure);
      if (value != null || ALWAYS.contains(measure)) {
        json.put(measure.key(), rounded(value));
      }
    }
    ObjectNode types = json.putObject("messagesByType");
    figures.messagesByType().forEach((type, count) -> types.put(type, rounded(count)));
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * 1e3) / 1e3;
  }
}
