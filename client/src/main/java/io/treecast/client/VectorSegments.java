package io.treecast.client;

import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.TakePartRequest;
import java.util.List;

/**
 * The segments of a vector, all of the same size except for the last one. For one thread at a time.
 */
abstract class VectorSegments<T> implements LargeOperation.Segments<T> {
  private final NumberVector from;
  private final int resultElementBytes;
  private int perSegment;

  /**
   * Creates the segments of a vector.
   *
   * @param resultElementBytes the size of an element of the result, at least that of the vector's
   */
  VectorSegments(NumberVector from, int resultElementBytes) {
    this.from = from;
    this.resultElementBytes = resultElementBytes;
  }

  @Override
  public long begin(List<String> contributors, int segmentBytes) {
    perSegment = segmentBytes / resultElementBytes;
    if (perSegment == 0) {
      throw new IllegalArgumentException("a segment of " + segmentBytes + " bytes");
    }
    return (from.length() + perSegment - 1L) / perSegment;
  }

  /** Returns the index of the segment's first element in the vector. */
  final int start(long segment) {
    return (int) (segment * perSegment);
  }

  /** Returns the number of elements of the segment. */
  final int length(long segment) {
    return Math.min(perSegment, from.length() - start(segment));
  }

  @Override
  public void contribute(
      long segment, CollectiveOperation.Builder operation, TakePartRequest.Builder to) {
    to.getContributionBuilder().setVector(from.segment(start(segment), length(segment)));
  }

  /**
   * Checks the size of a segment's result.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  final void requireSize(long segment, int bytes) {
    if (bytes != length(segment) * resultElementBytes) {
      throw new IllegalArgumentException(bytes + " bytes");
    }
  }
}
