package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveOperation;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.ElementType;
import io.treecast.proto.v1.TakePartRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;

/**
 * The segments of a search for the least or greatest elements and the members that have them. The
 * agent puts the number of its member behind each element. For one thread at a time.
 */
final class LocatedSegments implements LargeOperation.Segments<Located> {
  private final NumberVector from;
  private final NumberVector values;
  private final int[] members;
  private int perSegment;

  /** Creates the segments; {@code values} receives the elements. */
  LocatedSegments(NumberVector from, NumberVector values) {
    this.from = from;
    this.values = values;
    this.members = new int[from.length()];
  }

  private int wireBytes() {
    return from.elementBytes() + Integer.BYTES;
  }

  private ElementType wireType() {
    return ElementType.valueOf(from.type().name() + "_OF_MEMBER");
  }

  @Override
  public long begin(List<String> among, int segmentBytes) {
    perSegment = segmentBytes / wireBytes();
    if (perSegment == 0) {
      throw new IllegalArgumentException("a segment of " + segmentBytes + " bytes");
    }
    return (from.length() + perSegment - 1L) / perSegment;
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
    ByteBuffer packed =
        CollectiveReader.packed(result, wireType(), "elements with their members")
            .asReadOnlyByteBuffer()
            .order(ByteOrder.LITTLE_ENDIAN);
    int length = length(segment);
    if (packed.remaining() != length * wireBytes()) {
      throw new IllegalArgumentException(packed.remaining() + " bytes");
    }
    byte[] plain = new byte[length * from.elementBytes()];
    for (int i = 0; i < length; i++) {
      packed.get(plain, i * from.elementBytes(), from.elementBytes());
      members[start(segment) + i] = packed.getInt();
    }
    values.store(start(segment), ByteString.copyFrom(plain));
  }

  @Override
  public Located value() {
    return new Located(values, IntBuffer.wrap(members));
  }
}
