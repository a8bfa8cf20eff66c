package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.TakePartRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The segments of a reduction of vectors. For one thread at a time. */
final class ReducedSegments implements LargeOperation.Segments<Optional<NumberVector>> {
  private final NumberVector from;
  private @Nullable NumberVector into;
  private final boolean isMean;
  private final boolean hasHub;
  private int perSegment;
  private int contributors;
  private boolean isMine;

  /**
   * Creates the segments of a vector.
   *
   * @param into receives the result; null to create it if this member gets it
   * @param hasHub whether only one member gets it
   */
  ReducedSegments(NumberVector from, @Nullable NumberVector into, boolean isMean, boolean hasHub) {
    this.from = from;
    this.into = into;
    this.isMean = isMean;
    this.hasHub = hasHub;
  }

  @Override
  public long begin(List<String> among, int segmentBytes) {
    perSegment = segmentBytes / from.elementBytes();
    contributors = among.size();
    if (perSegment == 0) {
      throw new IllegalArgumentException("a segment of " + segmentBytes + " bytes");
    }
    return (from.length() + perSegment - 1L) / perSegment;
  }

  /** Returns these segments with a result that this member gets. */
  LargeOperation.Segments<NumberVector> whole() {
    ReducedSegments optional = this;
    return new LargeOperation.Segments<>() {
      @Override
      public long begin(List<String> among, int segmentBytes) {
        return optional.begin(among, segmentBytes);
      }

      @Override
      public void contribute(
          long segment, CollectiveOperation.Builder operation, TakePartRequest.Builder to) {
        optional.contribute(segment, operation, to);
      }

      @Override
      public void take(long segment, CollectiveValue result) {
        optional.take(segment, result);
      }

      @Override
      public NumberVector value() {
        return optional.value().orElseThrow();
      }
    };
  }

  private int start(long segment) {
    return (int) (segment * perSegment);
  }

  private int length(long segment) {
    return Math.min(perSegment, from.length() - start(segment));
  }

  @Override
  public void contribute(
      long segment, CollectiveOperation.Builder operation, TakePartRequest.Builder to) {
    to.getContributionBuilder().setVector(from.segment(start(segment), length(segment)));
  }

  @Override
  public void take(long segment, CollectiveValue result) {
    if (hasHub && result.getValueCase() == CollectiveValue.ValueCase.VALUE_NOT_SET) {
      return; // Another member gets it.
    }
    ByteString packed = CollectiveReader.packed(result, from.type(), "a vector");
    if (packed.size() != length(segment) * from.elementBytes()) {
      throw new IllegalArgumentException(packed.size() + " bytes");
    }
    if (into == null) {
      into = from.another();
    }
    isMine = true;
    into.store(start(segment), packed);
    if (isMean) {
      into.divide(start(segment), length(segment), contributors);
    }
  }

  @Override
  public Optional<NumberVector> value() {
    return isMine || !hasHub ? Optional.of(into == null ? from.another() : into) : Optional.empty();
  }
}
