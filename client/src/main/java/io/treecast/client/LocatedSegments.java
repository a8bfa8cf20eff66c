package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * The segments of a search for the lowest or highest elements and the members that have them. The
 * agent appends the number of its member to each element.
 */
final class LocatedSegments extends VectorSegments<Located> {
  private final NumberVector from;
  private final NumberVector values;
  private final int[] members;

  /** Creates the segments. */
  LocatedSegments(NumberVector from, NumberVector values) {
    super(from, from.elementBytes() + Integer.BYTES);
    this.from = from;
    this.values = values;
    this.members = new int[from.length()];
  }

  private ElementType wireType() {
    return ElementType.valueOf(from.type().name() + "_OF_MEMBER");
  }

  @Override
  public void take(long segment, CollectiveValue result) {
    ByteBuffer packed =
        CollectiveReader.packed(result, wireType(), "elements with their members")
            .asReadOnlyByteBuffer()
            .order(ByteOrder.LITTLE_ENDIAN);
    requireSize(segment, packed.remaining());
    int length = length(segment);
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
