package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveValue;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The segments of a reduction of vectors. */
final class ReducedSegments<T> extends VectorSegments<T> {
  private final NumberVector from;
  private @Nullable NumberVector into;
  private final boolean isMean;
  private final boolean hasHub;
  private final Function<Optional<NumberVector>, T> asValue;
  private int contributors;
  private boolean isMine;

  private ReducedSegments(
      NumberVector from,
      @Nullable NumberVector into,
      boolean isMean,
      boolean hasHub,
      Function<Optional<NumberVector>, T> asValue) {
    super(from, from.elementBytes());
    this.from = from;
    this.into = into;
    this.isMean = isMean;
    this.hasHub = hasHub;
    this.asValue = asValue;
  }

  /**
   * Returns the segments of a reduction whose result all members receive.
   *
   * @param into receives the result; null to create it
   */
  static ReducedSegments<NumberVector> forAll(
      NumberVector from, @Nullable NumberVector into, boolean isMean) {
    return new ReducedSegments<>(from, into, isMean, false, Optional::orElseThrow);
  }

  /**
   * Returns the segments of a reduction whose result one member receives.
   *
   * @param into receives the result; null to create it if this member receives it
   */
  static ReducedSegments<Optional<NumberVector>> forOne(
      NumberVector from, @Nullable NumberVector into, boolean isMean) {
    return new ReducedSegments<>(from, into, isMean, true, Function.identity());
  }

  @Override
  public long begin(List<String> among, int segmentBytes) {
    contributors = among.size();
    return super.begin(among, segmentBytes);
  }

  @Override
  public void take(long segment, CollectiveValue result) {
    if (hasHub && result.getValueCase() == CollectiveValue.ValueCase.VALUE_NOT_SET) {
      return; // Another member receives the result.
    }
    ByteString packed = CollectiveReader.packed(result, from.type(), "a vector");
    requireSize(segment, packed.size());
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
  public T value() {
    return asValue.apply(
        isMine || !hasHub ? Optional.of(into == null ? from.another() : into) : Optional.empty());
  }
}
