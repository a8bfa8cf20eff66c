package io.treecast.monitor.series;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The file of a series: a header, then a ring of records. Point number n, counted from 1, has the
 * place (n - 1) modulo the capacity. So the size of a file is bounded, and a new point writes one
 * record only. Each record holds its number and its checksum. The highest number marks the end of
 * the ring, and a record that was half written when the process ended costs one point. Big endian.
 * Stateless.
 *
 * <pre>
 * header  8 "TCSERIES"   4 version   4 capacity   12 zero   4 CRC-32C of these
 * record  8 number       8 unixMillis   8 value   4 zero    4 CRC-32C of these
 * </pre>
 */
public final class SeriesFormat {
  /** Size of the header, and of each record. */
  public static final int BLOCK_BYTES = 32;

  /** The largest number of points in a file. */
  public static final int MAX_CAPACITY = 1_000_000;

  private static final byte[] MAGIC = "TCSERIES".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int CHECKED_BYTES = BLOCK_BYTES - Integer.BYTES;

  private SeriesFormat() {}

  /** Returns the header of a file with the given capacity. */
  public static ByteBuffer header(int capacity) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity is " + capacity + "; allowed are 1 to " + MAX_CAPACITY);
    }
    return sealed(ByteBuffer.allocate(BLOCK_BYTES).put(MAGIC).putInt(VERSION).putInt(capacity));
  }

  public static ByteBuffer record(long number, SeriesPoint point) {
    return sealed(
        ByteBuffer.allocate(BLOCK_BYTES)
            .putLong(number)
            .putLong(point.unixMillis())
            .putLong(point.value()));
  }

  private static ByteBuffer sealed(ByteBuffer block) {
    return block.putInt(CHECKED_BYTES, checksum(block, 0)).rewind();
  }

  private static int checksum(ByteBuffer bytes, int offset) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(offset, CHECKED_BYTES));
    return (int) checksum.getValue();
  }

  private static boolean isSealed(ByteBuffer bytes, int offset) {
    return bytes.getInt(offset + CHECKED_BYTES) == checksum(bytes, offset);
  }

  /** Returns the offset of a point's record in the file. */
  public static long offset(long number, int capacity) {
    return BLOCK_BYTES + (number - 1) % capacity * BLOCK_BYTES;
  }

  /**
   * Reads a file, from the buffer's index 0 to its limit. It may end early, and any record may be
   * damaged.
   *
   * @throws DamagedSeriesException if the header is invalid
   */
  public static SeriesContent read(ByteBuffer file) throws DamagedSeriesException {
    int capacity = capacity(file);
    TreeMap<Long, SeriesPoint> points = new TreeMap<>();
    int damaged = 0;
    int records = Math.min(capacity, file.limit() / BLOCK_BYTES - 1);
    for (int place = 0; place < records; place++) {
      int offset = (place + 1) * BLOCK_BYTES;
      long number = file.getLong(offset);
      if (isBlank(file, offset)) {
        continue; // Never written.
      }
      if (isSealed(file, offset) && number > 0 && (number - 1) % capacity == place) {
        long unixMillis = file.getLong(offset + Long.BYTES);
        long value = file.getLong(offset + 2 * Long.BYTES);
        points.put(number, new SeriesPoint(unixMillis, value));
      } else {
        damaged++;
      }
    }
    long last = points.isEmpty() ? 0 : points.lastKey();
    // A stale record, which a newer point should have replaced, is not part of the ring.
    List<SeriesPoint> ring = new ArrayList<>(points.tailMap(last - capacity, false).values());
    return new SeriesContent(capacity, last, ring, damaged);
  }

  private static int capacity(ByteBuffer file) throws DamagedSeriesException {
    if (file.limit() < BLOCK_BYTES) {
      throw new DamagedSeriesException("it ends within its header");
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (file.get(i) != MAGIC[i]) {
        throw new DamagedSeriesException("it does not start with the mark of a series file");
      }
    }
    int version = file.getInt(MAGIC.length);
    if (version != VERSION) {
      throw new DamagedSeriesException("its version is " + version + ", not " + VERSION);
    }
    int capacity = file.getInt(MAGIC.length + Integer.BYTES);
    if (!isSealed(file, 0) || capacity < 1 || capacity > MAX_CAPACITY) {
      throw new DamagedSeriesException("its header has a wrong checksum");
    }
    return capacity;
  }

  private static boolean isBlank(ByteBuffer file, int offset) {
    for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
      if (file.getLong(offset + i) != 0) {
        return false;
      }
    }
    return true;
  }
}
