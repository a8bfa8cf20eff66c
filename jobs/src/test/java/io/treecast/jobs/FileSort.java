package io.treecast.jobs;

import io.treecast.client.Codec;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts the numbers of a large file in a directory that all members share. Tasks name ranges of the
 * file, and results name sorted files, so no number crosses the network in a task. A task that runs
 * twice writes the same file twice, each time as a whole.
 */
final class FileSort implements Problem<FileSort.Range, FileSort.Range> {
  static final Codec<Range> RANGES =
      Codec.of(
          range -> ByteBuffer.allocate(16).putLong(range.from).putLong(range.to).array(),
          bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Range(in.getLong(), in.getLong());
          });

  private final Path directory;
  private final int numbersInMemory;

  /** The numbers of the file from one place to another. */
  record Range(long from, long to) {
    long numbers() {
      return to - from;
    }
  }

  FileSort(Path directory, int numbersInMemory) {
    this.directory = directory;
    this.numbersInMemory = numbersInMemory;
  }

  static Path input(Path directory) {
    return directory.resolve("numbers");
  }

  Path sorted(Range range) {
    return directory.resolve("sorted-" + range.from + "-" + range.to);
  }

  @Override
  public boolean isSmall(Range range, Incumbent best) {
    return range.numbers() <= numbersInMemory;
  }

  @Override
  public List<Range> divide(Range range) {
    long middle = range.from() + range.numbers() / 2;
    return List.of(new Range(range.from(), middle), new Range(middle, range.to()));
  }

  @Override
  public Range solve(Range range, Incumbent best) throws IOException {
    long[] numbers = new long[(int) range.numbers()];
    try (DataInputStream in = reader(input(directory))) {
      in.skipNBytes(range.from() * Long.BYTES);
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.readLong();
      }
    }
    Arrays.sort(numbers);
    return written(
        range,
        out -> {
          for (long number : numbers) {
            out.writeLong(number);
          }
        });
  }

  @Override
  public Range combine(Range range, List<Range> halves) throws IOException {
    Range low = halves.get(0);
    Range high = halves.get(1);
    try (DataInputStream one = reader(sorted(low));
        DataInputStream other = reader(sorted(high))) {
      return written(range, out -> merge(one, low.numbers(), other, high.numbers(), out));
    }
  }

  private static void merge(
      DataInputStream one, long ones, DataInputStream other, long others, DataOutputStream out)
      throws IOException {
    long first = one.readLong();
    long second = other.readLong();
    long leftOfOne = ones;
    long leftOfOther = others;
    while (leftOfOne > 0 || leftOfOther > 0) {
      if (leftOfOther == 0 || (leftOfOne > 0 && first <= second)) {
        out.writeLong(first);
        leftOfOne--;
        first = leftOfOne > 0 ? one.readLong() : 0;
      } else {
        out.writeLong(second);
        leftOfOther--;
        second = leftOfOther > 0 ? other.readLong() : 0;
      }
    }
  }

  /** Writes numbers. */
  private interface Numbers {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private Range written(Range range, Numbers numbers) throws IOException {
    Path part = Files.createTempFile(directory, "part", "");
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part)))) {
      numbers.writeTo(out);
    }
    Files.move(
        part, sorted(range), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return range;
  }

  private static DataInputStream reader(Path file) throws IOException {
    return new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
  }
}
