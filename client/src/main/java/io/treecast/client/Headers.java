package io.treecast.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.treecast.proto.v1.MessageHeader;
import io.treecast.proto.v1.MessageHeaders;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** The headers of messages: their limits, and their form on the wire. Stateless. */
final class Headers {
  /** The maximum encoded size of all headers of a message, in bytes. */
  static final int MAX_BYTES = 4_096;

  static final int MAX_HEADERS = 32;

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private Headers() {}

  /**
   * Returns a copy in the given order.
   *
   * @throws IllegalArgumentException if there are too many, they are too large, or a name is
   *     invalid
   */
  static Map<String, String> checked(Map<String, String> headers) {
    Map<String, String> copy =
        Collections.unmodifiableMap(
            new LinkedHashMap<>(Objects.requireNonNull(headers, "headers")));
    if (copy.size() > MAX_HEADERS) {
      throw new IllegalArgumentException(
          copy.size() + " headers; allowed are " + MAX_HEADERS + " for a message");
    }
    copy.forEach(
        (name, value) -> {
          Objects.requireNonNull(value, "the value of header " + name);
          if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "header name '"
                    + name
                    + "' is not allowed; allowed are 1 to 64 small letters, digits, '.', '_' and"
                    + " '-', the first a letter or digit");
          }
        });
    int bytes = encode(copy).size();
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "the headers take " + bytes + " bytes; allowed are " + MAX_BYTES + " for a message");
    }
    return copy;
  }

  static ByteString encode(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return ByteString.EMPTY;
    }
    MessageHeaders.Builder encoded = MessageHeaders.newBuilder();
    headers.forEach(
        (name, value) ->
            encoded.addHeaders(MessageHeader.newBuilder().setName(name).setValue(value)));
    return encoded.build().toByteString();
  }

  /**
   * Returns the headers of a message; none if they cannot be decoded, because an invalid message
   * must not end subscriptions.
   */
  static Map<String, String> decode(ByteString encoded) {
    if (encoded.isEmpty()) {
      return Map.of();
    }
    try {
      Map<String, String> headers = new LinkedHashMap<>();
      MessageHeaders.parseFrom(encoded)
          .getHeadersList()
          .forEach(header -> headers.put(header.getName(), header.getValue()));
      return Collections.unmodifiableMap(headers);
    } catch (InvalidProtocolBufferException e) {
      return Map.of();
    }
  }
}
