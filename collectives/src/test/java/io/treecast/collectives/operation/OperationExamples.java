package io.treecast.collectives.operation;

import static io.treecast.collectives.operation.CombiningNetwork.nodes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.collectives.operation.Operation.Kind;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;

/** Operations and values for stories. */
final class OperationExamples {
  private OperationExamples() {}

  static Operation barrier(String name, String... participants) {
    return new Operation(name, Kind.BARRIER, null, null, nodes(participants));
  }

  static Operation sum(String name, String... participants) {
    return new Operation(name, Kind.REDUCE, Reduction.SUM_OF_LONGS, null, nodes(participants));
  }

  static Operation sumTo(String hub, String name, String... participants) {
    return new Operation(
        name, Kind.REDUCE, Reduction.SUM_OF_LONGS, NodeId.of(hub), nodes(participants));
  }

  static Operation gather(String name, String... participants) {
    return new Operation(name, Kind.GATHER, null, null, nodes(participants));
  }

  static Operation gatherTo(String hub, String name, String... participants) {
    return new Operation(name, Kind.GATHER, null, NodeId.of(hub), nodes(participants));
  }

  static Operation scatterFrom(String hub, String name, String... participants) {
    return new Operation(name, Kind.SCATTER, null, NodeId.of(hub), nodes(participants));
  }

  static Value longs(long... elements) {
    return Value.longs(elements);
  }

  /** Returns the name of each member as its part. */
  static Value parts(String... members) {
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    Arrays.stream(members)
        .forEach(name -> parts.put(NodeId.of(name), ByteBuffer.wrap(name.getBytes(UTF_8))));
    return new Value.Parts(parts);
  }

  /** Returns a payload of the given size. */
  static Value part(String member, int bytes) {
    return Value.Parts.of(NodeId.of(member), ByteBuffer.allocate(bytes));
  }
}
