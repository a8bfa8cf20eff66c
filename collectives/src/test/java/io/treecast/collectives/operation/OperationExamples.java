package io.treecast.collectives.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Operations and values for stories. */
public final class OperationExamples {
  private OperationExamples() {}

  public static SortedSet<NodeId> nodes(String... names) {
    TreeSet<NodeId> nodes = new TreeSet<>();
    for (String name : names) {
      nodes.add(NodeId.of(name));
    }
    return nodes;
  }

  public static Operation barrier(String name, String... participants) {
    return new Operation(name, Kind.BARRIER, null, null, nodes(participants));
  }

  public static Operation sum(String name, String... participants) {
    return new Operation(name, Kind.REDUCE, Reduction.SUM_OF_LONGS, null, nodes(participants));
  }

  public static Operation sumTo(String hub, String name, String... participants) {
    return new Operation(
        name, Kind.REDUCE, Reduction.SUM_OF_LONGS, NodeId.of(hub), nodes(participants));
  }

  public static Operation gather(String name, String... participants) {
    return new Operation(name, Kind.GATHER, null, null, nodes(participants));
  }

  public static Operation gatherTo(String hub, String name, String... participants) {
    return new Operation(name, Kind.GATHER, null, NodeId.of(hub), nodes(participants));
  }

  public static Operation scatterFrom(String hub, String name, String... participants) {
    return new Operation(name, Kind.SCATTER, null, NodeId.of(hub), nodes(participants));
  }

  public static Value longs(long... elements) {
    return Value.longs(elements);
  }

  /** Returns the name of each member as its part. */
  public static Value parts(String... members) {
    TreeMap<NodeId, ByteBuffer> parts = new TreeMap<>();
    Arrays.stream(members)
        .forEach(name -> parts.put(NodeId.of(name), ByteBuffer.wrap(name.getBytes(UTF_8))));
    return new Value.Parts(parts);
  }

  /** Returns a payload of the given size. */
  public static Value part(String member, int bytes) {
    return Value.Parts.of(NodeId.of(member), ByteBuffer.allocate(bytes));
  }
}
