package io.treecast.testkit.sim;

import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Operation.Step;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Reduction;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.collectives.operation.contract.Value.Vector;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.sim.SimCollectives.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An application that reduces a large vector as the client library does: it opens the operation,
 * and then keeps a window of segments in flight. Driven by {@link #proceed}. Single-threaded.
 */
final class SimVector {
  /** The division into segments, chosen from the agreed window. */
  interface Cut {
    /** Returns the bytes of a segment. */
    int segmentBytes(long windowBytes, int contributors);

    /** Returns the number of segments that may be in flight. */
    int window(long windowBytes, int contributors);
  }

  /** The division of the client library. */
  static final Cut LIKE_THE_CLIENT =
      new Cut() {
        private long otherBytes(int contributors) {
          return 2_048 + 400L * contributors;
        }

        @Override
        public int segmentBytes(long windowBytes, int contributors) {
          long other = otherBytes(contributors);
          long least = Math.min(4 * other, windowBytes / 4 - other);
          long bytes = Math.max(least, windowBytes / 64 - other);
          return (int) Math.min(256 * 1024, bytes) / 8 * 8;
        }

        @Override
        public int window(long windowBytes, int contributors) {
          long bytes = segmentBytes(windowBytes, contributors) + otherBytes(contributors);
          return (int) Math.min(Step.MAX_WINDOW, windowBytes / bytes);
        }
      };

  private static final long MAX_KEPT_ELEMENTS = 10_000;

  private final SimCollectives collectives;
  private final int node;
  private final String name;
  private final Reduction reduction;
  private final long elements;
  private final long waitMillis;
  private final Cut cut;
  private final LongFunction<byte[]> given;
  private final Call opening;
  private final ArrayDeque<Call> underWay = new ArrayDeque<>();
  private final List<byte[]> taken = new ArrayList<>();
  private final List<Integer> hashes = new ArrayList<>();

  private @Nullable Completed opened;
  private SortedSet<NodeId> contributors = new TreeSet<>();
  private int segmentBytes;
  private long treeVersion;
  private long chainVersion;
  private int attempts;
  private int window;
  private long count;
  private long sent;
  private @Nullable Failed failure;

  /**
   * Opens the operation.
   *
   * @param given returns this member's packed elements from an index on, at least a segment
   */
  SimVector(
      SimCluster cluster,
      int node,
      String name,
      Reduction reduction,
      long elements,
      long waitMillis,
      Cut cut,
      LongFunction<byte[]> given) {
    this.collectives = cluster.collectives();
    this.node = node;
    this.name = name;
    this.reduction = reduction;
    this.elements = elements;
    this.waitMillis = waitMillis;
    this.cut = cut;
    this.given = given;
    this.opening =
        collectives.takePart(
            node,
            new Operation(name, Kind.REDUCE, reduction, null, new TreeSet<>())
                .withStep(Step.opening(elements)),
            Value.longs(Long.MAX_VALUE, 1, Long.MAX_VALUE),
            waitMillis);
  }

  boolean hasEnded() {
    return failure != null || (opened != null && taken.size() == count);
  }

  @Nullable Failed failure() {
    return failure;
  }

  SortedSet<NodeId> contributors() {
    return contributors;
  }

  /** Returns the name of the present attempt, which is the same at all its members. */
  String attempt() {
    return attempts + "." + treeVersion + "." + Integer.toHexString(contributors.hashCode());
  }

  int attempts() {
    return attempts;
  }

  /** Returns whether segments go along the chain of members. */
  boolean isOnChain() {
    return chainVersion != 0;
  }

  /** Returns the number of received results in this attempt. */
  int segmentsTaken() {
    return taken.size();
  }

  /** Returns a hash of each segment of the result. */
  List<Integer> hashes() {
    return hashes;
  }

  /** Returns the packed result of a short vector, by segment. */
  List<byte[]> result() {
    return taken;
  }

  /** Receives results and begins further segments. The node's agent must run. */
  void proceed() {
    if (opened == null && opening.outcome() instanceof Failed failed) {
      failure = failed;
    } else if (opened == null && opening.outcome() instanceof Completed completed) {
      opened = completed;
      begin(completed);
    }
    while (!hasEnded() && !underWay.isEmpty() && underWay.peek().hasEnded()) {
      take(underWay.remove().outcome());
    }
    while (opened != null && failure == null && sent < count && sent < taken.size() + window) {
      sent++;
      underWay.add(call(sent));
    }
  }

  private void begin(Completed among) {
    Completed agreed = opened == null ? among : opened;
    long[] stated = ((Vector) agreed.value()).longs();
    long windowBytes = stated[stated[1] == 1 ? 2 : 0];
    chainVersion = stated[1] == 1 ? agreed.treeVersion() : 0;
    contributors = among.contributors();
    treeVersion = among.treeVersion();
    attempts++;
    underWay.clear();
    taken.clear();
    hashes.clear();
    sent = 0;
    segmentBytes = cut.segmentBytes(windowBytes, contributors.size());
    window = cut.window(windowBytes, contributors.size());
    long bytes = elements * reduction.type().elementBytes();
    count = (bytes + segmentBytes - 1) / segmentBytes;
  }

  private void take(@Nullable Outcome outcome) {
    if (outcome instanceof Failed failed) {
      failure = failed;
    } else if (outcome instanceof Completed completed) {
      if (completed.contributors().equals(contributors)) {
        byte[] packed = ((Vector) completed.value()).packed();
        hashes.add(Arrays.hashCode(packed));
        taken.add(elements <= MAX_KEPT_ELEMENTS ? packed : new byte[0]);
      } else {
        begin(completed);
      }
    }
  }

  private Call call(long number) {
    ElementType type = reduction.type();
    long first = (number - 1) * segmentBytes / type.elementBytes();
    int bytes = (int) Math.min(segmentBytes, (elements - first) * type.elementBytes());
    byte[] packed = given.apply(first);
    Operation segment =
        new Operation(
            name + "~" + attempt() + "/" + number,
            Kind.REDUCE,
            reduction,
            null,
            contributors,
            1,
            new Step(elements, number, count, window, true, chainVersion));
    return collectives.takePart(
        node,
        segment,
        Vector.of(type, bytes == packed.length ? packed : Arrays.copyOf(packed, bytes)),
        waitMillis);
  }
}
