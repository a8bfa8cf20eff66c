package io.treecast.client;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Converts values of an application to payloads and back, for a {@link Topic}. Publishers and
 * subscribers of a topic must use codecs that understand each other.
 *
 * <pre>{@code
 * Codec<String> text = Codec.utf8();
 * Codec<Price> json = Codec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Price.class));
 * Codec<PriceProto> protobuf = Codec.of(PriceProto::toByteArray, PriceProto::parseFrom);
 * }</pre>
 *
 * <p>A codec must be safe for use by several threads.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
  /**
   * A function that may fail.
   *
   * @param <A> its argument
   * @param <B> its result; never null
   */
  @FunctionalInterface
  interface Conversion<A, B> {
    /** Converts a value, or throws if it cannot be converted. */
    B apply(A value) throws Exception;
  }

  /**
   * Returns the payload of a value; the caller may keep the array.
   *
   * @throws Exception if the value cannot be encoded
   */
  byte[] encode(T value) throws Exception;

  /**
   * Returns the value of a payload, which any member of the cluster may have published.
   *
   * @throws Exception if the payload was not encoded by a compatible codec
   */
  T decode(byte[] payload) throws Exception;

  /** Returns a codec made of two functions. */
  static <T> Codec<T> of(Conversion<T, byte[]> encoder, Conversion<byte[], T> decoder) {
    Objects.requireNonNull(encoder, "encoder");
    Objects.requireNonNull(decoder, "decoder");
    return new Codec<>() {
      @Override
      public byte[] encode(T value) throws Exception {
        return encoder.apply(value);
      }

      @Override
      public T decode(byte[] payload) throws Exception {
        return decoder.apply(payload);
      }
    };
  }

  /**
   * Returns a codec of texts in UTF-8. It fails on payloads that are not UTF-8, and on texts with
   * half of a surrogate pair.
   */
  static Codec<String> utf8() {
    return of(Codec::encodeUtf8, Codec::decodeUtf8);
  }

  private static byte[] encodeUtf8(String text) throws CharacterCodingException {
    ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    byte[] payload = new byte[bytes.remaining()];
    bytes.get(payload);
    return payload;
  }

  private static String decodeUtf8(byte[] payload) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
  }
}
