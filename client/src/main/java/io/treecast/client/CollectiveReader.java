package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveValue;
import io.treecast.proto.v1.ElementType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts the value of a collective operation to the application's type. Throws {@link
 * IllegalArgumentException} for a value of another kind, which the message names.
 */
interface CollectiveReader<T extends @Nullable Object> {
  T read(CollectiveValue value);

  /** Reads the value of a result. */
  default T read(io.treecast.proto.v1.CollectiveResult result) {
    return read(result.getValue());
  }

  /** Reads the value of a barrier, which is always null. */
  @SuppressWarnings("NullAway") // null is the only value of Void.
  static Void nothing(CollectiveValue value) {
    if (isNothing(value)) {
      return null;
    }
    throw unexpected("nothing", value);
  }

  static long[] longs(CollectiveValue value) {
    long[] elements =
        new long[packed(value, ElementType.ELEMENT_TYPE_LONG, "a vector of longs").size() / 8];
    NumberVector.of(elements).store(0, value.getVector().getElements());
    return elements;
  }

  static double[] doubles(CollectiveValue value) {
    double[] elements =
        new double
            [packed(value, ElementType.ELEMENT_TYPE_DOUBLE, "a vector of doubles").size() / 8];
    NumberVector.of(elements).store(0, value.getVector().getElements());
    return elements;
  }

  /** Returns the elements of a vector as they are on the wire. */
  static ByteString packed(CollectiveValue value, ElementType type, String due) {
    if (!value.hasVector() || value.getVector().getType() != type) {
      throw unexpected(due, value);
    }
    return value.getVector().getElements();
  }

  /** Reads the payload of each member, in the order of their ids, as the agent sends them. */
  static Map<String, byte[]> payloads(CollectiveValue value) {
    if (!value.hasParts()) {
      throw unexpected("payloads", value);
    }
    Map<String, byte[]> byMember = new LinkedHashMap<>();
    for (CollectivePart part : value.getParts().getPartsList()) {
      byMember.put(part.getMember(), part.getPayload().toByteArray());
    }
    return Collections.unmodifiableMap(byMember);
  }

  /** Reads this member's part of a scatter; empty if it has none. */
  static Optional<byte[]> ownPart(CollectiveValue value) {
    if (isNothing(value)) {
      return Optional.empty();
    }
    List<ByteString> parts =
        value.getParts().getPartsList().stream().map(CollectivePart::getPayload).toList();
    if (!value.hasParts() || parts.size() > 1) {
      throw unexpected("one payload", value);
    }
    return parts.stream().map(ByteString::toByteArray).findFirst();
  }

  /** Wraps a reader for operations whose result only one member receives. */
  static <T> CollectiveReader<Optional<T>> ifAny(CollectiveReader<T> reader) {
    return value -> isNothing(value) ? Optional.empty() : Optional.of(reader.read(value));
  }

  private static boolean isNothing(CollectiveValue value) {
    return value.getValueCase() == CollectiveValue.ValueCase.VALUE_NOT_SET;
  }

  private static IllegalArgumentException unexpected(String due, CollectiveValue value) {
    String came =
        switch (value.getValueCase()) {
          case VECTOR ->
              "a vector of "
                  + value
                      .getVector()
                      .getType()
                      .name()
                      .replace("ELEMENT_TYPE_", "")
                      .toLowerCase(Locale.ROOT)
                  + "s";
          case PARTS -> value.getParts().getPartsCount() + " payloads";
          case VALUE_NOT_SET -> "nothing";
        };
    return new IllegalArgumentException(came + " where " + due + " was due");
  }
}
