package io.treecast.monitor.series;

import java.util.List;

/**
 * The content of a series file.
 *
 * @param capacity the largest number of points in the file
 * @param lastNumber number of the point that was written last, counted from 1; 0 if there is none
 * @param points oldest first
 * @param damaged number of unreadable records
 */
public record SeriesContent(int capacity, long lastNumber, List<SeriesPoint> points, int damaged) {
  /** Copies the list. */
  public SeriesContent {
    points = List.copyOf(points);
  }
}
