package io.treecast.collectives.values;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An entry of a map. Immutable.
 *
 * @param key at most {@value #MAX_KEY_BYTES} bytes of UTF-8
 * @param stamp of the write
 * @param kind the kind of the write
 * @param number by which {@link Rule#isBest} decides; otherwise 0
 * @param content at most {@value #MAX_CONTENT_BYTES} bytes; must not be written to
 */
public record Entry(String key, Stamp stamp, Kind kind, double number, ByteBuffer content) {
  /** The most bytes of a key. */
  public static final int MAX_KEY_BYTES = 200;

  /** The most bytes of a content. */
  public static final int MAX_CONTENT_BYTES = 64 << 10;

  /** The memory of an entry beside its key and content, and at most its size on the wire. */
  private static final int OVERHEAD_BYTES = 200;

  private static final long FNV_PRIME = 0x100000001b3L;

  /** The kinds of writes. */
  public enum Kind {
    /** A write that put a content. */
    LASTING,
    /** A write that put a content that ends with its owner. */
    EPHEMERAL,
    /**
     * A write that deleted the entry. The tombstone stays for {@link ValuesLimits#tombstoneNanos}.
     */
    DELETED
  }

  /** Returns whether readers see the entry. */
  public boolean isPresent() {
    return kind != Kind.DELETED;
  }

  /** Returns the approximate memory of the entry, in bytes. */
  public int cost() {
    return OVERHEAD_BYTES + key.length() + content.remaining();
  }

  /** Returns a hash of the identity of the write, the same at all members. */
  long hash() {
    long hash = 0xcbf29ce484222325L;
    for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ each) * FNV_PRIME;
    }
    hash = mixed(hash ^ kind.name().hashCode());
    hash = mixed(hash ^ Double.doubleToLongBits(number));
    hash = mixed(hash ^ stamp.count());
    for (byte each : stamp.origin().toString().getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ each) * FNV_PRIME;
    }
    return mixed(hash ^ stamp.incarnation());
  }

  /** The last step of MurmurHash3, after which each bit depends on all. */
  private static long mixed(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
