package io.treecast.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The elements of X.509 certificates and revocation lists in the encoding DER. */
final class Der {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return element(0x30, parts);
  }

  static byte[] integer(BigInteger value) {
    return element(0x02, value.toByteArray());
  }

  static byte[] bitString(byte[] content) {
    return element(0x03, new byte[1], content);
  }

  static byte[] time(Instant time) {
    return element(0x18, TIME.format(time.atOffset(ZoneOffset.UTC)).getBytes(US_ASCII));
  }

  /** Returns a distinguished name that has only a common name. */
  static byte[] name(String commonName) {
    byte[] text = element(0x0c, commonName.getBytes(US_ASCII));
    return sequence(element(0x31, sequence(oid(2, 5, 4, 3), text)));
  }

  /** Returns a critical or other extension of a certificate. */
  static byte[] extension(int number, boolean isCritical, byte[] value) {
    byte[] critical = isCritical ? element(0x01, new byte[] {-1}) : new byte[0];
    return sequence(oid(2, 5, 29, number), critical, element(0x04, value));
  }

  static byte[] oid(int... arcs) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(arcs[0] * 40 + arcs[1]);
    for (int i = 2; i < arcs.length; i++) {
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arcs[i] >> shift != 0) {
          content.write(((arcs[i] >> shift) & 0x7f) | 0x80);
        }
      }
      content.write(arcs[i] & 0x7f);
    }
    return element(0x06, content.toByteArray());
  }

  static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    if (content.size() < 0x80) {
      element.write(content.size());
    } else {
      byte[] length = BigInteger.valueOf(content.size()).toByteArray();
      int zeros = length[0] == 0 ? 1 : 0;
      element.write(0x80 | length.length - zeros);
      element.write(length, zeros, length.length - zeros);
    }
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
