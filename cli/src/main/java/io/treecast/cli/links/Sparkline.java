package io.treecast.cli.links;

import io.treecast.monitor.series.SeriesPoint;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;

/**
 * A series as one line of bars. Each column is an interval of time; its bar is the median of the
 * interval, scaled between the least and the greatest median. Intervals without measurements are
 * blank.
 */
final class Sparkline {
  private static final int COLUMNS = 60;
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final String PLAIN_BARS = "_.:-=+*#";
  private static final long NOTHING = -1;

  private Sparkline() {}

  /** Draws points, at least one, in the order of time. */
  static String of(List<SeriesPoint> points, Charset charset) {
    String bars = charset.newEncoder().canEncode(BARS) ? BARS : PLAIN_BARS;
    long begin = points.get(0).unixMillis();
    long spanMillis = Math.max(COLUMNS, points.get(points.size() - 1).unixMillis() - begin + 1);
    long[] medians = new long[COLUMNS];
    for (int column = 0; column < COLUMNS; column++) {
      medians[column] =
          median(
              points,
              begin + spanMillis * column / COLUMNS,
              begin + spanMillis * (column + 1) / COLUMNS);
    }
    LongSummaryStatistics range =
        Arrays.stream(medians).filter(median -> median != NOTHING).summaryStatistics();
    StringBuilder line = new StringBuilder();
    for (long median : medians) {
      line.append(median == NOTHING ? ' ' : bar(bars, median, range));
    }
    return line.toString().stripTrailing();
  }

  private static long median(List<SeriesPoint> points, long fromMillis, long toMillis) {
    long[] within =
        points.stream()
            .filter(point -> point.unixMillis() >= fromMillis && point.unixMillis() < toMillis)
            .mapToLong(SeriesPoint::value)
            .sorted()
            .toArray();
    return within.length == 0 ? NOTHING : Median.ofSorted(within);
  }

  private static char bar(String bars, long value, LongSummaryStatistics range) {
    long width = Math.max(1, range.getMax() - range.getMin());
    return bars.charAt((int) ((value - range.getMin()) * (bars.length() - 1) / width));
  }
}
