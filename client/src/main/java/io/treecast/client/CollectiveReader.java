package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.proto.v1.CollectivePart;
import io.treecast.proto.v1.CollectiveValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts the value that a member gets of a collective operation into the application's type.
 * Throws {@link IllegalArgumentException}, saying what came, for a value of another kind.
 */
interface CollectiveReader<T extends @Nullable Object> {
  T read(CollectiveValue value);

  /** Reads the value of a barrier, which is always null. */
  @SuppressWarnings("NullAway") // null is the only value of Void.
  static Void nothing(CollectiveValue value) {
    if (isNothing(value)) {
      return null;
    }
    throw unexpected("nothing", value);
  }

  static long[] longs(CollectiveValue value) {
    if (!value.hasLongs()) {
      throw unexpected("a vector of longs", value);
    }
    return value.getLongs().getElementsList().stream().mapToLong(Long::longValue).toArray();
  }

  static double[] doubles(CollectiveValue value) {
    if (!value.hasDoubles()) {
      throw unexpected("a vector of doubles", value);
    }
    return value.getDoubles().getElementsList().stream().mapToDouble(Double::doubleValue).toArray();
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

  /** Reads this member's part of a scatter, if there is one. */
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

  /** Wraps a reader for operations whose result only one member gets. */
  static <T> CollectiveReader<Optional<T>> ifAny(CollectiveReader<T> reader) {
    return value -> isNothing(value) ? Optional.empty() : Optional.of(reader.read(value));
  }

  private static boolean isNothing(CollectiveValue value) {
    return value.getValueCase() == CollectiveValue.ValueCase.VALUE_NOT_SET;
  }

  private static IllegalArgumentException unexpected(String due, CollectiveValue value) {
    String came =
        switch (value.getValueCase()) {
          case LONGS -> "a vector of longs";
          case DOUBLES -> "a vector of doubles";
          case PARTS -> value.getParts().getPartsCount() + " payloads";
          case VALUE_NOT_SET -> "nothing";
        };
    return new IllegalArgumentException(came + " where " + due + " was due");
  }
}
