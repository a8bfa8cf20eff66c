package io.treecast.monitor.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesFormatTest {
  private static final int CAPACITY = 10;

  /** Returns a file with the given number of points, each with its number as the value. */
  private static ByteBuffer file(int points) {
    ByteBuffer file = ByteBuffer.allocate((CAPACITY + 1) * SeriesFormat.BLOCK_BYTES);
    file.put(0, SeriesFormat.header(CAPACITY), 0, SeriesFormat.BLOCK_BYTES);
    for (int number = 1; number <= points; number++) {
      int offset = (int) SeriesFormat.offset(number, CAPACITY);
      ByteBuffer block = SeriesFormat.record(number, new SeriesPoint(1_000L + number, number));
      file.put(offset, block, 0, SeriesFormat.BLOCK_BYTES);
    }
    return file;
  }

  private static void assertValues(SeriesContent content, long first, long last) {
    assertThat(content.points())
        .extracting(SeriesPoint::value)
        .containsExactlyElementsOf(LongStream.rangeClosed(first, last).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 11, 19, 20, 25})
  void the_latest_points_are_there_in_their_order(int points) throws DamagedSeriesException {
    SeriesContent content = SeriesFormat.read(file(points));

    assertThat(content.capacity()).isEqualTo(CAPACITY);
    assertThat(content.lastNumber()).isEqualTo(points);
    assertThat(content.damaged()).isZero();
    assertValues(content, Math.max(1, points - CAPACITY + 1), points);
  }

  @Test
  void a_half_written_record_is_one_point_lost() throws DamagedSeriesException {
    ByteBuffer file = file(13);
    int offset = (int) SeriesFormat.offset(13, CAPACITY);
    // The second half is still that of point 3.
    ByteBuffer old = SeriesFormat.record(3, new SeriesPoint(1_003, 3));
    file.put(offset + 16, old, 16, 16);

    SeriesContent content = SeriesFormat.read(file);

    assertThat(content.damaged()).isEqualTo(1);
    assertThat(content.lastNumber()).isEqualTo(12);
    assertValues(content, 4, 12);
  }

  @Test
  void any_change_of_a_record_is_found() throws DamagedSeriesException {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      ByteBuffer file = file(10);
      int at = SeriesFormat.BLOCK_BYTES + random.nextInt(10 * SeriesFormat.BLOCK_BYTES);
      file.put(at, (byte) (file.get(at) ^ (1 << random.nextInt(8))));

      SeriesContent content = SeriesFormat.read(file);

      assertThat(content.damaged()).isEqualTo(1);
      assertThat(content.points()).hasSize(9);
    }
  }

  @Test
  void a_file_that_ends_early_has_the_points_before_its_end() throws DamagedSeriesException {
    ByteBuffer file = file(10).limit(5 * SeriesFormat.BLOCK_BYTES + 7);

    assertValues(SeriesFormat.read(file), 1, 4);
  }

  @Test
  void a_record_of_another_place_is_not_part_of_the_ring() throws DamagedSeriesException {
    ByteBuffer file = file(4);
    file.put(
        8 * SeriesFormat.BLOCK_BYTES,
        SeriesFormat.record(2, new SeriesPoint(1, 2)),
        0,
        SeriesFormat.BLOCK_BYTES);

    assertThat(SeriesFormat.read(file).damaged()).isEqualTo(1);
  }

  @Test
  void a_file_that_is_not_a_series_is_refused() {
    assertDamaged(ByteBuffer.allocate(0), "header");
    assertDamaged(ByteBuffer.allocate(100), "mark");
    assertDamaged(file(1).putInt(8, 7), "version is 7");
    assertDamaged(file(1).putInt(12, 11), "checksum");
  }

  private static void assertDamaged(ByteBuffer file, String why) {
    assertThatThrownBy(() -> SeriesFormat.read(file))
        .isInstanceOf(DamagedSeriesException.class)
        .hasMessageContaining(why);
  }

  @Test
  void a_file_has_place_for_one_point_at_least() {
    assertThatThrownBy(() -> SeriesFormat.header(0)).hasMessageContaining("capacity is 0");
  }
}
